"""The obstacle term of the direction cells, computed for the occupied ones only.

Rows near the poles are sub-sampled: cells between the evaluated columns lie on straight lines. The grid of
costs repeats its first and last columns, so that smoothing needs no cyclic index.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.planner.vfh3d.compiled.grid import (
    CELLS,
    COLUMNS,
    F32,
    LEFT,
    ONE,
    PADDED,
    ROWS,
    SAMPLING_STEP,
    STRIDE,
    U64,
    ZERO,
)

_OBSTACLE_SCALE = F32(5000.0)
_SPARSE_ROWS = sum(1 << row for row in range(ROWS) if SAMPLING_STEP[row] > 1)


def _places() -> tuple[Any, Any, Any]:
    """Place of each stored cell in the obstacle grid, that of its copy (if any), and is it evaluated?"""
    row, column = np.divmod(np.arange(CELLS), STRIDE)
    place = row * PADDED + LEFT + column
    twin = np.where(column < PADDED - LEFT - COLUMNS, place + COLUMNS, place)
    twin = np.where(column >= COLUMNS - LEFT, place - COLUMNS, twin)
    is_sampled = (column % SAMPLING_STEP[row] == 0) & (column < COLUMNS)
    return place.astype(np.uint16), twin.astype(np.uint16), is_sampled.astype(np.uint8)


_PLACE, _TWIN, _IS_SAMPLED = _places()


@kernel
def obstacle_cost(distance, weight):
    """Sigmoid of the distance: near 10000 when close, half at `weight`, 0 for an empty cell."""
    if not distance > ZERO:
        return ZERO
    delta = weight - distance
    return _OBSTACLE_SCALE * (ONE + delta / math.sqrt(ONE + delta * delta))


@inlined
def fill_obstacle_costs(grid, n_cells, weight):
    """Obstacle cost of the occupied cells, sub-sampled near the poles; returns rows and columns as bits."""
    distance, cost, cells, obstacle = grid.distance, grid.cost, grid.cells, grid.obstacle
    for s in range((n_cells + 31) // 32 * 32):  # whole SIMD blocks; what is beyond the end is not used
        delta = weight - distance[s]
        value = _OBSTACLE_SCALE * (ONE + delta / math.sqrt(ONE + delta * delta))
        cost[s] = value if distance[s] > ZERO else ZERO
    row_bits, column_bits = U64(0), U64(0)
    for s in range(U64(n_cells)):
        c = U64(cells[s])
        sampled = U64(_IS_SAMPLED[c])
        value = cost[s] if sampled else ZERO
        obstacle[U64(_PLACE[c])] = value
        obstacle[U64(_TWIN[c])] = value
        row_bits |= sampled << (c >> U64(6))
        column_bits |= sampled << (c & U64(63))
    rows, columns = np.int64(row_bits), np.int64(column_bits)
    if rows & _SPARSE_ROWS:
        for row in range(ROWS):
            if rows & _SPARSE_ROWS & (1 << row):
                columns |= _spread_row(row, obstacle)
    return rows, columns


@kernel
def _spread_row(row, obstacle):
    """`interpolate_row` for obstacle costs, which are mostly zero; returns the filled columns as bits."""
    step = SAMPLING_STEP[row]
    first = row * PADDED + LEFT
    filled = 0
    last = 0
    while last < COLUMNS:
        following = last + step
        at_end = following >= COLUMNS
        width = COLUMNS - last if at_end else step
        a = obstacle[first + last]
        b = obstacle[first + (0 if at_end else following)]
        if a != ZERO or b != ZERO:
            for i in range(1, width):
                column = last + i
                value = a + (b - a) / np.float32(width) * np.float32(i)
                obstacle[first + column] = value
                obstacle[first + column + _twin_offset(column)] = value
                filled |= 1 << column
        last = following
    return filled


@kernel
def _twin_offset(column):
    """Where the copy of a column stands relative to it; 0 for columns without a copy."""
    offset = COLUMNS if column < PADDED - LEFT - COLUMNS else 0
    return -COLUMNS if column >= COLUMNS - LEFT else offset


@inlined
def clear_obstacle_costs(grid, n_cells, rows):
    """Make the obstacle costs zero again."""
    obstacle, cells = grid.obstacle, grid.cells
    for s in range(U64(n_cells)):
        c = U64(cells[s])
        obstacle[U64(_PLACE[c])] = ZERO
        obstacle[U64(_TWIN[c])] = ZERO
    if rows & _SPARSE_ROWS:
        for row in range(ROWS):
            if rows & _SPARSE_ROWS & (1 << row):
                obstacle[row * PADDED : (row + 1) * PADDED] = ZERO
