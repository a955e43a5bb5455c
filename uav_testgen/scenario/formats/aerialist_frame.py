"""Obstacles and wind between Aerialist's terms and ours.

In Aerialist's test frame x is north and y east; a box has its length l along x and its width w along
y, and r turns it counter-clockwise in that plane, which is clockwise seen from above. Hence in ENU the
box's own x extent is w, its own y extent l, and its yaw -r. The height z of a base is kept. Wind
directions are Gazebo's, which is ENU already.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from uav_testgen.core.config import parse_config
from uav_testgen.core.frames import position_enu_to_test, position_test_to_enu
from uav_testgen.scenario.formats.aerialist_schema import WindSection
from uav_testgen.scenario.model import Obstacle, Shape, Wind
from uav_testgen.scenario.validity import rotation_deg

# Enough for a nanometre; hides the last bits of degrees that went through radians.
_DECIMALS = 9

# Fields of our wind under Aerialist's keys.
_WIND_KEYS = {
    "velocity_mean_mps": "velocity_mean",
    "velocity_max_mps": "velocity_max",
    "velocity_variance": "velocity_variance",
    "direction_enu": "direction",
    "direction_variance": "direction_variance",
    "gust_start_s": "gust_start",
    "gust_duration_s": "gust_duration",
    "gust_velocity_mean_mps": "gust_velocity_mean",
    "gust_velocity_max_mps": "gust_velocity_max",
    "gust_velocity_variance": "gust_velocity_variance",
    "gust_direction_enu": "gust_direction",
    "gust_direction_variance": "gust_direction_variance",
}


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


def wind_from_section(section: WindSection | None, path: Path) -> Wind:
    """Our wind; still air without a section. Errors name the file and its own keys."""
    if section is None:
        return Wind()
    given = {ours: getattr(section, theirs) for ours, theirs in _WIND_KEYS.items()}
    # Without a highest speed ours is the default: the fastest wind there is.
    data = {ours: value for ours, value in given.items() if value is not None}
    called = {ours: f"simulation.wind.{theirs}" for ours, theirs in _WIND_KEYS.items()}
    return parse_config(Wind, data, source=str(path), called=called)


def wind_data(wind: Wind) -> dict[str, Any]:
    """Aerialist's wind section."""
    values = {theirs: getattr(wind, ours) for ours, theirs in _WIND_KEYS.items()}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
