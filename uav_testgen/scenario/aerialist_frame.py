"""Obstacles and wind between Aerialist's terms and ours.

In Aerialist's test frame x is north and y east; a box has its length l along x and its width w along
y, and r turns it counter-clockwise in that plane, which is clockwise seen from above. Hence in ENU the
box's own x extent is w, its own y extent l, and its yaw -r. The height z of a base is kept. Wind
directions are Gazebo's, which is ENU already.
"""

from __future__ import annotations

import math
from typing import Any

from uav_testgen.config import parse_config
from uav_testgen.frames import position_enu_to_test, position_test_to_enu
from uav_testgen.scenario.aerialist_schema import WindSection
from uav_testgen.scenario.model import Obstacle, Shape, Wind
from uav_testgen.scenario.validity import rotation_deg

# Enough for a nanometre; hides the last bits of degrees that went through radians.
_DECIMALS = 9


def flat_numbers(obstacle: Obstacle) -> list[float]:
    """The seven numbers l, w, h, x, y, z, r of an obstacle in the test frame."""
    x, y, _ = position_enu_to_test(obstacle.center_enu_m)
    w, l, h = obstacle.size_m  # noqa: E741 (Aerialist's name)
    numbers = (l, w, h, x, y, obstacle.bottom_m, rotation_deg(obstacle))
    return [round(number, _DECIMALS) + 0.0 for number in numbers]


def obstacle_from_numbers(
    l: float,  # noqa: E741 (Aerialist's name)
    w: float,
    h: float,
    x: float,
    y: float,
    z: float,
    r: float,
    shape: Shape = Shape.BOX,
) -> Obstacle:
    """Inverse of `flat_numbers`."""
    east, north, up = position_test_to_enu((x, y, z + 0.5 * h))
    return Obstacle(
        center_enu_m=(east, north, up), size_m=(w, l, h), yaw_rad=0.0 - math.radians(r), shape=shape
    )


def wind_from_section(section: WindSection | None) -> Wind:
    """Our wind; still air without a section."""
    if section is None:
        return Wind()
    data: dict[str, Any] = {
        "velocity_mean_mps": section.velocity_mean,
        "velocity_variance": section.velocity_variance,
        "direction_enu": section.direction,
        "direction_variance": section.direction_variance,
        "gust_start_s": section.gust_start,
        "gust_duration_s": section.gust_duration,
        "gust_velocity_mean_mps": section.gust_velocity_mean,
        "gust_velocity_variance": section.gust_velocity_variance,
        "gust_direction_enu": section.gust_direction,
        "gust_direction_variance": section.gust_direction_variance,
    }
    if section.velocity_max is not None:
        data["velocity_max_mps"] = section.velocity_max
    if section.gust_velocity_max is not None:
        data["gust_velocity_max_mps"] = section.gust_velocity_max
    return parse_config(Wind, data, source="simulation.wind")


def wind_data(wind: Wind) -> dict[str, Any]:
    """Aerialist's wind section."""
    return {
        "velocity_mean": wind.velocity_mean_mps,
        "velocity_max": wind.velocity_max_mps,
        "velocity_variance": wind.velocity_variance,
        "direction": list(wind.direction_enu),
        "direction_variance": wind.direction_variance,
        "gust_start": wind.gust_start_s,
        "gust_duration": wind.gust_duration_s,
        "gust_velocity_mean": wind.gust_velocity_mean_mps,
        "gust_velocity_max": wind.gust_velocity_max_mps,
        "gust_velocity_variance": wind.gust_velocity_variance,
        "gust_direction": list(wind.gust_direction_enu),
        "gust_direction_variance": wind.gust_direction_variance,
    }
