"""Boxes in their canonical form: rotation within a right angle, numbers that survive a text file.

A box turned by 90° with its sides exchanged is the same box, so every box has one form whose
clockwise rotation lies in [0°, 90°], as the competition demands. Numbers are rounded to a tenth of a
millimetre (and 0.0001°) because a proposal has to be the same test after it was written and read.
"""

from __future__ import annotations

import math

from uav_testgen.scenario.model import Obstacle, obstacle_on_ground

_DECIMALS = 4


def wall(
    center_enu_m: tuple[float, float],
    direction_rad: float,
    length_m: float,
    width_m: float,
    height_m: float,
    name: str = "",
) -> Obstacle:
    """A standing box whose length lies along a direction (counter-clockwise from east)."""
    clockwise_deg = math.degrees(-direction_rad) % 180.0
    x_m, y_m = length_m, width_m
    if clockwise_deg >= 90.0:
        clockwise_deg -= 90.0
        x_m, y_m = width_m, length_m
    clockwise_deg = round(clockwise_deg, _DECIMALS)
    size_m = (round(x_m, _DECIMALS), round(y_m, _DECIMALS), round(height_m, _DECIMALS))
    east_m, north_m = (round(value, _DECIMALS) + 0.0 for value in center_enu_m)
    return obstacle_on_ground(east_m, north_m, size_m, 0.0 - clockwise_deg, name)
