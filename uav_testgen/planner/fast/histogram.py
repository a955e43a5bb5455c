"""The polar histogram: mean distance of the kept points per 6 degree cell around a centre.

Few of the 1800 cells are hit, so the occupied ones are numbered in order of first touch (entries 1, 2, …)
and kept in short arrays; `grid.slot` maps a cell to its entry, 0 = empty.
"""

from __future__ import annotations

from numba import njit

from uav_testgen.planner.fast.bulk import coarse_cells, exact_coarse_cell
from uav_testgen.planner.fast.grid import FAST_MATH_FREE, ONE, ZERO


@njit(**FAST_MATH_FREE)
def fill_histogram(cloud, n, padded, ox, oy, oz, grid):
    """Number the occupied cells around a centre and find their mean distance; returns how many.

    The grid must be clear. Sums are made in cloud order, as in the original.
    """
    x, y, z = cloud.x, cloud.y, cloud.z
    cell, ranges = grid.cell, grid.range
    slot, cells, total, count, distance = grid.slot, grid.cells, grid.total, grid.count, grid.distance
    coarse_cells(x, y, z, padded, ox, oy, oz, cell, ranges)
    n_cells = 0
    for i in range(n):
        c = cell[i]
        if c < 0:
            c = exact_coarse_cell(x[i] - ox, y[i] - oy, z[i] - oz)
        s = slot[c]
        new = 1 if s == 0 else 0
        n_cells += new
        s = n_cells if new else s
        slot[c] = s
        cells[s] = c
        total[s] += ranges[i]
        count[s] += ONE
    for s in range(1, n_cells + 1):
        distance[s] = total[s] / count[s]
    return n_cells


@njit(**FAST_MATH_FREE)
def clear_histogram(grid, n_cells):
    """Forget the occupied cells."""
    slot, cells, total, count = grid.slot, grid.cells, grid.total, grid.count
    for s in range(1, n_cells + 1):
        slot[cells[s]] = 0
        total[s] = ZERO
        count[s] = ZERO
