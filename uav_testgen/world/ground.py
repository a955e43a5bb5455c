"""Rays against the ground: a flat plane, or a height field walked cell by cell.

Each grid cell is two triangles split along the diagonal from its south-west to its north-east corner.
Along a ray the height above one triangle's plane is linear, so a hit is where it changes from above
to below; the depth comes from the plane itself and does not depend on how the walk got there.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.world.layout import (
    FLAT_GROUND,
    GRID_CELL,
    GRID_GROUND,
    GRID_X,
    GRID_Y,
    GROUND_KIND,
    GROUND_WATER,
    GROUND_Z,
)

MaskArray = NDArray[np.uint8]


@kernel
def height_at(ground: FloatArray, heights: FloatArray, x: float, y: float) -> float:
    """Height of the ground below a point; NaN where there is none."""
    if ground[GROUND_KIND] == FLAT_GROUND:
        return float(ground[GROUND_Z])
    if ground[GROUND_KIND] != GRID_GROUND:
        return math.nan
    u = (x - ground[GRID_X]) / ground[GRID_CELL]
    v = (y - ground[GRID_Y]) / ground[GRID_CELL]
    rows, columns = heights.shape
    if not (u >= 0.0 and v >= 0.0 and u <= columns - 1 and v <= rows - 1):
        return math.nan
    i = min(int(u), columns - 2)
    j = min(int(v), rows - 2)
    base, slope_u, slope_v = triangle_plane(heights, j, i, u - i >= v - j)
    return float(base + slope_u * u + slope_v * v)


@inlined
def triangle_plane(heights: FloatArray, j: int, i: int, south_east: bool) -> tuple[float, float, float]:
    """Plane z = base + slope_u·u + slope_v·v (u, v in cells) of one triangle of cell (row j, column i)."""
    z00, z11 = heights[j, i], heights[j + 1, i + 1]
    if south_east:
        z10 = heights[j, i + 1]
        slope_u, slope_v = z10 - z00, z11 - z10
    else:
        z01 = heights[j + 1, i]
        slope_u, slope_v = z11 - z01, z01 - z00
    return z00 - slope_u * i - slope_v * j, slope_u, slope_v


@kernel
def triangle_entry(
    ground: FloatArray,
    heights: FloatArray,
    j: int,
    i: int,
    south_east: bool,
    ray: tuple[float, float, float, float, float, float],
) -> float:
    """Depth at which a ray passes one triangle's plane from above; +inf if it does not come from above."""
    cell = ground[GRID_CELL]
    base, slope_u, slope_v = triangle_plane(heights, j, i, south_east)
    u, v = (ray[0] - ground[GRID_X]) / cell, (ray[1] - ground[GRID_Y]) / cell
    above = ray[2] - (base + slope_u * u + slope_v * v)
    rate = ray[5] - (slope_u * (ray[3] / cell) + slope_v * (ray[4] / cell))
    return -above / rate if rate < 0.0 else math.inf


@kernel
def _clip(low: float, high: float, offset: float, direction: float, limit: float) -> tuple[float, float]:
    """Cut the depth interval to 0 <= offset + depth·direction <= limit."""
    if direction == 0.0:
        return (low, high) if 0.0 <= offset <= limit else (math.inf, -math.inf)
    a, b = -offset / direction, (limit - offset) / direction
    return max(low, min(a, b)), min(high, max(a, b))


@kernel
def grid_entry(
    ground: FloatArray,
    heights: FloatArray,
    ray: tuple[float, float, float, float, float, float],
    near_m: float,
    far_m: float,
) -> tuple[float, int, int]:
    """First depth in [near, far] at which a ray meets the height field from above; cell row and column."""
    cell = ground[GRID_CELL]
    rows, columns = heights.shape
    u0, v0 = (ray[0] - ground[GRID_X]) / cell, (ray[1] - ground[GRID_Y]) / cell
    du, dv = ray[3] / cell, ray[4] / cell
    start, end = _clip(near_m, far_m, u0, du, columns - 1.0)
    start, end = _clip(start, end, v0, dv, rows - 1.0)
    # Above the highest point of the grid there is nothing to meet; most rays of a high flight end here.
    above = ray[2] - ground[GROUND_Z]
    if above > 0.0:
        if not ray[5] < 0.0:
            return math.inf, -1, -1
        start = max(start, above / -ray[5] - 1e-6)
    if not start <= end:
        return math.inf, -1, -1
    i = min(max(math.floor(u0 + start * du), 0), columns - 2)
    j = min(max(math.floor(v0 + start * dv), 0), rows - 2)
    step_i, step_j = (1 if du > 0.0 else -1), (1 if dv > 0.0 else -1)
    slack = 1e-9 * (1.0 + end)  # an interval end and a plane depth are rounded independently
    at = start
    for _ in range(rows + columns + 4):
        edge_u = (i + (1 if du > 0.0 else 0) - u0) / du if du != 0.0 else math.inf
        edge_v = (j + (1 if dv > 0.0 else 0) - v0) / dv if dv != 0.0 else math.inf
        leave = min(min(edge_u, edge_v), end)
        # The diagonal u - i = v - j may split the way through this cell into two triangles.
        twist = du - dv
        diagonal = ((v0 - j) - (u0 - i)) / twist if twist != 0.0 else math.inf
        middle = diagonal if at < diagonal < leave else leave
        for part in range(2):
            low = at if part == 0 else middle
            high = middle if part == 0 else leave
            if part == 1 and not low < high:
                break
            centre = 0.5 * (low + high)
            south_east = (u0 + centre * du) - i >= (v0 + centre * dv) - j
            depth = triangle_entry(ground, heights, j, i, south_east, ray)
            if low - slack <= depth <= high + slack and near_m <= depth <= far_m:
                return depth, j, i
        if not leave < end:
            return math.inf, -1, -1
        at = leave
        if edge_u <= edge_v:
            i += step_i
        else:
            j += step_j
        if i < 0 or j < 0 or i > columns - 2 or j > rows - 2:
            return math.inf, -1, -1
    return math.inf, -1, -1


@kernel
def ground_entry(
    ground: FloatArray,
    heights: FloatArray,
    water: MaskArray,
    ray: tuple[float, float, float, float, float, float],
    near_m: float,
    far_m: float,
) -> tuple[float, bool]:
    """Depth of the ground along a ray in [near, far] (+inf if none), and whether it is water there."""
    if ground[GROUND_KIND] == FLAT_GROUND:
        depth = (ground[GROUND_Z] - ray[2]) / ray[5] if ray[5] < 0.0 else math.inf
        return (depth if near_m <= depth <= far_m else math.inf), ground[GROUND_WATER] != 0.0
    if ground[GROUND_KIND] == GRID_GROUND:
        depth, j, i = grid_entry(ground, heights, ray, near_m, far_m)
        return depth, j >= 0 and water[j, i] != 0
    return math.inf, False
