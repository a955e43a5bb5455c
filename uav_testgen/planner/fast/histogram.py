"""The polar histogram: mean distance of the kept points per 6 degree cell around a centre."""

from __future__ import annotations

from numba import njit

from uav_testgen.planner.fast.bulk import coarse_cells, exact_coarse_cell
from uav_testgen.planner.fast.grid import FAST_MATH_FREE, ONE, ZERO


@njit(**FAST_MATH_FREE)
def fill_histogram(cloud, n, padded, ox, oy, oz, grid):
    """Fill `grid.distance` around a centre; returns the number of touched cells.

    The grid must be clear. Sums are made in cloud order, as in the original.
    """
    x, y, z = cloud.x, cloud.y, cloud.z
    cell, ranges = grid.cell, grid.range
    distance, count, touched = grid.distance, grid.count, grid.touched
    coarse_cells(x, y, z, padded, ox, oy, oz, cell, ranges)
    n_touched = 0
    for i in range(n):
        c = cell[i]
        if c < 0:
            c = exact_coarse_cell(x[i] - ox, y[i] - oy, z[i] - oz)
        before = count[c]
        touched[n_touched] = c
        n_touched += 1 if before == ZERO else 0
        distance[c] += ranges[i]
        count[c] = before + ONE
    for k in range(n_touched):
        c = touched[k]
        distance[c] = distance[c] / count[c]
    return n_touched


@njit(**FAST_MATH_FREE)
def clear_histogram(grid, n_touched):
    """Make the touched cells zero again."""
    distance, count, touched = grid.distance, grid.count, grid.touched
    for k in range(n_touched):
        distance[touched[k]] = ZERO
        count[touched[k]] = ZERO
