"""Words that the writer and the reader of Gazebo worlds share."""

from __future__ import annotations

SDF_VERSION = "1.7"
"""Read by Gazebo 11 and by every later Gazebo."""
NAMESPACE = "uav_testgen"
"""Prefix of our own elements; a simulator passes over them."""
GROUND = "ground"
SUN = "sun"
WIND_PLUGIN = "libgazebo_wind_plugin.so"
"""PX4's plugin for Gazebo 11; Aerialist's wind has its numbers."""

# Our field, and the plugin's element.
WIND_ELEMENTS = {
    "velocity_mean_mps": "windVelocityMean",
    "velocity_max_mps": "windVelocityMax",
    "velocity_variance": "windVelocityVariance",
    "direction_enu": "windDirectionMean",
    "direction_variance": "windDirectionVariance",
    "gust_start_s": "windGustStart",
    "gust_duration_s": "windGustDuration",
    "gust_velocity_mean_mps": "windGustVelocityMean",
    "gust_velocity_max_mps": "windGustVelocityMax",
    "gust_velocity_variance": "windGustVelocityVariance",
    "gust_direction_enu": "windGustDirectionMean",
    "gust_direction_variance": "windGustDirectionVariance",
}
# Brightness of the sun for the words of a range table.
LIGHTING = {"dark": 0.05, "normal": 0.8, "bright": 1.0}
FULL_SIGHT_M = 1000.0


def numbers(*values: float) -> str:
    """Numbers as SDF writes them: enough digits that they read back as they are."""
    return " ".join(repr(float(value) + 0.0) for value in values)
