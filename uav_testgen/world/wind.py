"""Wind as a function of time, drawn as Gazebo Classic's PX4 wind plug-in draws it.

Twice a second a strength is drawn around its mean, made positive and limited, and times it a direction whose components
are drawn around the mean direction (and not scaled back to length 1). Between two draws the wind is
constant. A gust adds a wind of its own between two instants. Draws are hashes of the seed and their number, so
the wind at time t does not depend on when or how often it is asked for.
"""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.scenario.model import Wind
from uav_testgen.world.hashing import hash_normal

_DRAWS_PER_S = 2.0

_SPEED, _SPEED_MAX, _SPEED_STD, _DIRECTION, _DIRECTION_STD, _BLOW_COLUMNS = 0, 1, 2, 3, 6, 7
_GUST = _BLOW_COLUMNS  # the gust's columns, like those of the wind
_GUST_START, _GUST_END = 2 * _BLOW_COLUMNS, 2 * _BLOW_COLUMNS + 1
WIND_COLUMNS = 2 * _BLOW_COLUMNS + 2
_WIND_CHANNELS, _GUST_CHANNELS = 0, 4


def pack_wind(wind: Wind) -> FloatArray:
    """The wind as one vector for compiled code. A zero direction vector means: no wind."""
    row = np.zeros(WIND_COLUMNS)
    row[:_GUST] = _blow(
        wind.velocity_mean_mps, wind.velocity_max_mps, wind.velocity_variance, wind.direction_enu,
        wind.direction_variance,
    )  # fmt: skip
    if wind.gust_duration_s > 0.0:
        row[_GUST:_GUST_START] = _blow(
            wind.gust_velocity_mean_mps, wind.gust_velocity_max_mps, wind.gust_velocity_variance,
            wind.gust_direction_enu, wind.gust_direction_variance,
        )  # fmt: skip
        row[_GUST_START], row[_GUST_END] = wind.gust_start_s, wind.gust_start_s + wind.gust_duration_s
    return row


def _blow(
    mean_mps: float, max_mps: float, variance: float, direction: tuple[float, float, float], spread: float
) -> FloatArray:
    row = np.zeros(_BLOW_COLUMNS)
    length = math.sqrt(sum(c * c for c in direction))
    if length > 0.0:
        row[_SPEED], row[_SPEED_MAX], row[_SPEED_STD] = mean_mps, max_mps, math.sqrt(variance)
        row[_DIRECTION : _DIRECTION + 3] = [c / length for c in direction]
        row[_DIRECTION_STD] = math.sqrt(spread)
    return row


@kernel
def _drawn(mean: float, std: float, seed: int, channel: int, draw: int) -> float:
    return mean + std * hash_normal(seed, channel, draw, 0) if std > 0.0 else mean


@kernel
def _blow_at(row: FloatArray, seed: int, channels: int, draw: int) -> tuple[float, float, float]:
    strength = min(abs(_drawn(row[_SPEED], row[_SPEED_STD], seed, channels, draw)), row[_SPEED_MAX])
    std = row[_DIRECTION_STD]
    return (
        strength * _drawn(row[_DIRECTION], std, seed, channels + 1, draw),
        strength * _drawn(row[_DIRECTION + 1], std, seed, channels + 2, draw),
        strength * _drawn(row[_DIRECTION + 2], std, seed, channels + 3, draw),
    )


@kernel
def wind_at(row: FloatArray, seed: int, t_s: float) -> tuple[float, float, float]:
    """Velocity of the air at time t, ENU [m/s]."""
    draw = math.floor(t_s * _DRAWS_PER_S + 1e-9)  # steps of 0.1 s are not exact
    x, y, z = _blow_at(row[:_GUST], seed, _WIND_CHANNELS, draw)
    if row[_GUST_START] <= t_s < row[_GUST_END]:
        gust_x, gust_y, gust_z = _blow_at(row[_GUST:_GUST_START], seed, _GUST_CHANNELS, draw)
        x, y, z = x + gust_x, y + gust_y, z + gust_z
    return x, y, z
