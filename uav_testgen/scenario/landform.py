"""Height of a landform at a point, for rules about what stands on it.

The same surface as `world.terrain.landform_height`, which makes grids of it for the camera; a test holds
the two together. Lakes and seas fill it up to their level without carrying anything.
"""

from __future__ import annotations

import math

from uav_testgen.scenario.footprint import box_corners_enu_m
from uav_testgen.scenario.kinds import Landform, Shape
from uav_testgen.scenario.model import Obstacle, Terrain

STEEP_RAMP_SHARE = 0.1
_CIRCLE_POINTS = 16


def ground_height_m(terrain: Terrain, east_m: float, north_m: float) -> float:
    """Height of the ground above the launch level."""
    if terrain.landform is Landform.FLAT:
        return 0.0
    east = east_m - terrain.center_enu_m[0]
    if terrain.landform is Landform.STEEP_TRANSITION:
        share = 0.5 + east / (STEEP_RAMP_SHARE * terrain.radius_m)
        return terrain.height_m * min(max(share, 0.0), 1.0)
    distance = math.hypot(east, north_m - terrain.center_enu_m[1])
    dome = 0.5 * (1.0 + math.cos(math.pi * min(distance / terrain.radius_m, 1.0)))
    return -terrain.height_m * dome if terrain.landform is Landform.DEPRESSION else terrain.height_m * dome


def lowest_ground_m(terrain: Terrain, obstacle: Obstacle) -> float:
    """Lowest ground below an obstacle's centre and outline: its base has to reach down to there."""
    if terrain.landform is Landform.FLAT:
        return 0.0
    east, north, _ = obstacle.center_enu_m
    points = [(east, north), *_outline(obstacle)]
    return min(ground_height_m(terrain, x, y) for x, y in points)


def _outline(obstacle: Obstacle) -> list[tuple[float, float]]:
    if obstacle.shape is Shape.BOX:
        return box_corners_enu_m(obstacle)
    east, north, _ = obstacle.center_enu_m
    radius = 0.5 * obstacle.size_m[0]
    angles = (2.0 * math.pi * k / _CIRCLE_POINTS for k in range(_CIRCLE_POINTS))
    return [(east + radius * math.cos(angle), north + radius * math.sin(angle)) for angle in angles]
