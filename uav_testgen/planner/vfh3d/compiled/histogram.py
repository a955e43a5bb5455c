"""The polar histogram: mean distance of the kept points per 6 degree cell around a centre.

Few of the 1800 cells are hit, so the occupied ones are listed in order of first touch, with their mean
distance beside them; the full grids used for summing are zero again when the function returns.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.kernel import inlined
from uav_testgen.planner.vfh3d.compiled.bulk import coarse_cells, exact_coarse_cell
from uav_testgen.planner.vfh3d.compiled.grid import ONE, U64, ZERO


@inlined
def fill_histogram(cloud, n, padded, ox, oy, oz, grid):
    """List the occupied cells around a centre and their mean distances; returns how many.

    Sums are made in cloud order, as in the original.
    """
    x, y, z = cloud.x, cloud.y, cloud.z
    cell, ranges = grid.cell, grid.range
    cells, sums, distance = grid.cells, grid.sums, grid.distance
    coarse_cells(x, y, z, padded, ox, oy, oz, cell, ranges)
    n_cells = U64(0)
    for i in range(n):
        c = cell[i]
        if c < 0:
            c = exact_coarse_cell(x[i] - ox, y[i] - oy, z[i] - oz)
        place = U64(c) << U64(1)
        hits = sums[place + U64(1)]
        cells[n_cells] = c
        n_cells += U64(1) if hits == ZERO else U64(0)
        sums[place] += ranges[i]
        sums[place + U64(1)] = hits + ONE
    for k in range(n_cells):
        place = U64(cells[k]) << U64(1)
        distance[k] = sums[place] / sums[place + U64(1)]
        sums[place], sums[place + U64(1)] = ZERO, ZERO
    return np.int64(n_cells)
