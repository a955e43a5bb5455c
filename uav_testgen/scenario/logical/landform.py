"""The shape of a landform, for the camera's grids and for rules about what stands on it.

Where the surface is water, the landform is the bed and lies below a level surface at launch height, which
carries what stands there (buoys, moored boats). Lakes and seas of a mixture fill the landform up to their
level without carrying anything.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.scenario.footprint import outline_places
from uav_testgen.scenario.kinds import Landform, Surface
from uav_testgen.scenario.model import Obstacle, Terrain

STEEP_RAMP_SHARE = 0.1  # the ramp of a steep transition is this share of the radius wide
_CIRCLE_POINTS = 16
# Water lies at launch height: a vehicle that starts from a boat or a shore has it level around.
WATER_LEVEL_M = 0.0


def is_level(terrain: Terrain) -> bool:
    """Flat land, or water all over."""
    return terrain.landform is Landform.FLAT or terrain.surface is Surface.WATER


def landform_height(terrain: Terrain, x_m: FloatArray, y_m: FloatArray) -> FloatArray:
    """Height of the surface: a smooth bowl or hill of the given radius, a ramp rising eastwards, or water."""
    east_m = x_m - terrain.center_enu_m[0]
    if is_level(terrain):
        return np.zeros_like(x_m)
    if terrain.landform is Landform.STEEP_TRANSITION:
        ramp_m = STEEP_RAMP_SHARE * terrain.radius_m
        return np.asarray(terrain.height_m * np.clip(0.5 + east_m / ramp_m, 0.0, 1.0))
    distance_m = np.hypot(east_m, y_m - terrain.center_enu_m[1])
    dome = 0.5 * (1.0 + np.cos(np.pi * np.minimum(distance_m / terrain.radius_m, 1.0)))
    sign = -1.0 if terrain.landform is Landform.DEPRESSION else 1.0
    return np.asarray(sign * terrain.height_m * dome)


def ground_height_m(terrain: Terrain, east_m: float, north_m: float) -> float:
    """Height of the ground above the launch level at one point."""
    if is_level(terrain):
        return WATER_LEVEL_M
    return float(landform_height(terrain, np.asarray(east_m), np.asarray(north_m)))


def lowest_ground_m(terrain: Terrain, obstacle: Obstacle) -> float:
    """Lowest ground below an obstacle's centre and outline: its base has to reach down to there."""
    if is_level(terrain):
        return WATER_LEVEL_M
    east, north, _ = obstacle.center_enu_m
    points = [(east, north), *outline_places(obstacle, _CIRCLE_POINTS)]
    return min(ground_height_m(terrain, x, y) for x, y in points)
