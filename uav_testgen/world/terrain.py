"""Landforms as height grids: made once per scenario, used by both renderers and by `height_at`.

Heights are relative to the launch level z = 0. The grid covers the landform and everything the
flight can see; outside it there is no ground. Water gives a depth camera no return. Where all is water it
is one level plane at launch height, whatever landform its bed has; in a mixture it lies where water would
gather: a lake on flat land and in a depression, the sea round a hill, the low side of a steep transition.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.scenario.logical.landform import WATER_LEVEL_M, landform_height
from uav_testgen.scenario.model import Landform, Surface, Terrain
from uav_testgen.world.layout import (
    FLAT_GROUND,
    GRID_CELL,
    GRID_GROUND,
    GRID_X,
    GRID_Y,
    GROUND_COLUMNS,
    GROUND_KIND,
    GROUND_WATER,
    GROUND_Z,
)

SMALLEST_CELL_M = 1.0
MOST_CELLS = 400  # per side; larger worlds get coarser cells
FLAT_MIXTURE_LAKE_SHARE = 0.5
DEPRESSION_FILL_SHARE = 0.5
ISLAND_SHORE_SHARE = 0.05


class Ground(NamedTuple):
    """Packed ground: the vector of `world.layout`, heights[row, column] and water[row, column] per cell."""

    vector: FloatArray
    heights: FloatArray
    water: NDArray[np.uint8]

    @property
    def has_grid(self) -> bool:
        """True for a height field, False for the plane (or nothing)."""
        return bool(self.vector[GROUND_KIND] == GRID_GROUND)


def flat_ground(*, height_m: float = 0.0, water: bool = False) -> Ground:
    """The infinite plane, the default and fast case."""
    vector = np.zeros(GROUND_COLUMNS)
    vector[GROUND_KIND], vector[GROUND_Z], vector[GROUND_WATER] = FLAT_GROUND, height_m, float(water)
    return Ground(vector, np.zeros((2, 2)), np.zeros((1, 1), dtype=np.uint8))


def grid_ground(
    heights: FloatArray,
    *,
    corner_m: tuple[float, float],
    cell_m: float,
    water: NDArray[np.uint8] | None = None,
) -> Ground:
    """A height field from node heights[row north, column east] whose south-west node is at `corner_m`."""
    heights = np.ascontiguousarray(heights, dtype=np.float64)
    if heights.ndim != 2 or min(heights.shape) < 2 or not cell_m > 0.0:
        raise ValueError("a height grid needs at least 2 x 2 nodes and a positive cell size")
    vector = np.zeros(GROUND_COLUMNS)
    vector[GROUND_KIND] = GRID_GROUND
    vector[GRID_X], vector[GRID_Y], vector[GRID_CELL] = *corner_m, cell_m
    vector[GROUND_Z] = float(np.max(heights))
    cells = (heights.shape[0] - 1, heights.shape[1] - 1)
    mask = np.zeros(cells, dtype=np.uint8) if water is None else np.ascontiguousarray(water, dtype=np.uint8)
    if mask.shape != cells:
        raise ValueError(f"the water mask has shape {mask.shape}, the grid has {cells} cells")
    return Ground(vector, heights, mask)


def build_ground(terrain: Terrain, low_m: tuple[float, float], high_m: tuple[float, float]) -> Ground:
    """The ground of a scenario; `low_m` and `high_m` bound (in x and y) what has to be covered."""
    if terrain.surface is Surface.WATER:
        return flat_ground(height_m=WATER_LEVEL_M, water=True)
    flat = terrain.landform is Landform.FLAT or terrain.height_m == 0.0
    if flat and terrain.surface is not Surface.MIXTURE:
        return flat_ground()
    x0, y0 = (min(low_m[k], terrain.center_enu_m[k] - terrain.radius_m) for k in (0, 1))
    x1, y1 = (max(high_m[k], terrain.center_enu_m[k] + terrain.radius_m) for k in (0, 1))
    cell_m = max(SMALLEST_CELL_M, max(x1 - x0, y1 - y0) / MOST_CELLS)
    x = x0 + cell_m * np.arange(math.ceil((x1 - x0) / cell_m) + 1)
    y = y0 + cell_m * np.arange(math.ceil((y1 - y0) / cell_m) + 1)
    grid_x, grid_y = np.meshgrid(x, y)
    heights = landform_height(terrain, grid_x, grid_y)
    water = np.zeros((len(y) - 1, len(x) - 1), dtype=np.uint8)
    if terrain.surface is Surface.MIXTURE:
        heights, water = _with_water(terrain, heights, grid_x, grid_y)
    return grid_ground(heights, corner_m=(x0, y0), cell_m=cell_m, water=water)


def _with_water(
    terrain: Terrain, heights: FloatArray, x_m: FloatArray, y_m: FloatArray
) -> tuple[FloatArray, NDArray[np.uint8]]:
    """Heights with the water surface in place of what lies below it, and the mask of water cells."""
    if terrain.landform is Landform.FLAT or terrain.height_m == 0.0:
        centre = terrain.center_enu_m
        wet = np.hypot(x_m - centre[0], y_m - centre[1]) <= FLAT_MIXTURE_LAKE_SHARE * terrain.radius_m
    elif terrain.landform is Landform.DEPRESSION:
        level_m = -DEPRESSION_FILL_SHARE * terrain.height_m
        wet = heights <= level_m
        heights = np.maximum(heights, level_m)
    elif terrain.landform is Landform.ELEVATION:
        wet = heights <= ISLAND_SHORE_SHARE * terrain.height_m
    else:
        wet = heights <= 0.0
    cells = wet[:-1, :-1] & wet[1:, :-1] & wet[:-1, 1:] & wet[1:, 1:]
    return heights, cells.astype(np.uint8)
