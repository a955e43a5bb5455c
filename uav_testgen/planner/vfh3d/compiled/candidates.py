"""The cheapest cells of the cost matrix.

`exact_selection` is the original's scan with a binary heap, including what it does with equal costs.
`search` finds the same cells without computing the whole matrix: rows are visited outwards from the goal's
elevation until the pitch cost alone exceeds a bound that enough cells are known to stay below.
It keeps one cell more than wanted; without two equal costs among them the answer is unique, and with two
equal ones the full matrix is made and the exact selection decides.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.planner.vfh3d.compiled.cost import fill_cost_matrix, interpolate_row, other_row, pitch_costs
from uav_testgen.planner.vfh3d.compiled.grid import (
    BLOCKS,
    CELLS,
    COLUMN_BLOCK,
    COLUMNS,
    F32,
    FIRST_DENSE_ROW,
    INFINITY,
    LAST_DENSE_ROW,
    LEAST,
    LEFT,
    LINE,
    OTHER,
    PADDED,
    PITCH,
    ROW_DEG,
    ROWS,
    SMOOTHED,
    STRIDE,
    U64,
    UNITS,
    YAW,
)
from uav_testgen.planner.vfh3d.compiled.smoothing import (
    COLUMN_WINDOW,
    DEFAULT_RADIUS,
    smooth_block,
    smooth_near,
    smooth_vertically,
)

# The velocity term |v| - u·v can round to slightly less than zero; a row is given up only when its pitch
# cost exceeds the bound by more than that.
_SLACK = F32(1.0)
_RELATIVE_SLACK = F32(0.99999)
_GUESS_FACTOR = F32(1.1)
_GUESS_MARGIN = F32(200.0)
_WIDER = F32(2.0)
_WIDEST = F32(1e7)


@kernel
def _sift_up(cost, cell, hole, new_cost, new_cell):
    """Place an element, moving cheaper parents down (strict comparison)."""
    while hole > 0:
        parent = (hole - 1) // 2
        if not cost[parent] < new_cost:
            break
        cost[hole] = cost[parent]
        cell[hole] = cell[parent]
        hole = parent
    cost[hole] = new_cost
    cell[hole] = new_cell


@kernel
def _pop(cost, cell, size):
    """Move the dearest element to position size - 1, as the C++ library does."""
    last = size - 1
    top_cost, top_cell = cost[0], cell[0]
    moved_cost, moved_cell = cost[last], cell[last]
    hole = 0
    while 2 * hole + 2 < last:
        child = 2 * hole + 2
        if cost[child] < cost[child - 1]:
            child -= 1
        cost[hole] = cost[child]
        cell[hole] = cell[child]
        hole = child
    if 2 * hole + 1 < last:
        child = 2 * hole + 1
        cost[hole] = cost[child]
        cell[hole] = cell[child]
        hole = child
    if last > 0:
        _sift_up(cost, cell, hole, moved_cost, moved_cell)
    cost[last] = top_cost
    cell[last] = top_cell


@kernel
def exact_selection(matrix, wanted, cost, cell):
    """The `wanted` cheapest cells of a full matrix, ascending; returns how many there are."""
    size = 0
    if wanted <= 0:
        return 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            c = row * STRIDE + column
            value = matrix[c]
            if size < wanted:
                _sift_up(cost, cell, size, value, c)
                size += 1
            elif value < cost[0]:
                # push first, then drop the dearest: the heap briefly holds one more
                _sift_up(cost, cell, size, value, c)
                _pop(cost, cell, size + 1)
    for left in range(size, 0, -1):
        _pop(cost, cell, left)  # dearest to the back: ascending at the end
    return size


@inlined
def _price_block(
    costs, obstacle, width, unit, first, place, vx, vy, vz, speed, velocity_weight, pitch, bound
):
    """Other costs of 16 columns of a dense row; tells whether one of them may stay below the bound.

    The smoothed obstacle cost of a cell is not less than the cell's own, because no term of the sum is
    negative and the middle one has weight 1 (both but for rounding, hence the slack). `unit` is the row's
    place in the tables, `place` that of the first column in the obstacle grid.
    """
    promising = np.int32(0)
    limit = bound + _SLACK
    for k in range(width):
        c = first + U64(k)
        u = unit + c
        dot = UNITS[u] * vx + (UNITS[u + U64(CELLS)] * vy + UNITS[u + U64(2 * CELLS)] * vz)
        value = velocity_weight * (speed - dot) + costs[c + U64(YAW)] + costs[c + U64(LINE)] + pitch
        costs[c + U64(OTHER)] = value
        is_below = value + obstacle[place + U64(k)] * _RELATIVE_SLACK < limit
        promising = np.int32(promising | (np.int32(1) if is_below else np.int32(0)))
    return promising != 0


@inlined
def _add_smoothed(costs, width, first, bound):
    """Add the smoothed obstacle costs of 16 columns; tells whether one stays below the bound."""
    below = np.int32(0)
    for k in range(width):
        c = first + U64(k)
        value = costs[c + U64(OTHER)] + costs[c + U64(SMOOTHED)]
        costs[c + U64(OTHER)] = value
        below = np.int32(below | (np.int32(1) if value < bound else np.int32(0)))
    return below != 0


@inlined
def _collect(grid, rows, columns, vx, vy, vz, speed, e_goal, parameters, bound, found):
    """All cells cheaper than `bound` into `found`, in no particular order; returns how many.

    Rows are visited outwards from the goal's elevation until their pitch cost alone exceeds the bound.
    Obstacle costs are smoothed only for blocks of columns whose other costs leave room for a winner.
    """
    costs, obstacle, width = grid.costs, grid.obstacle, grid.width
    cost, cell = found.cost, found.cell
    kernel, radius = parameters.kernel, parameters.radius
    velocity_weight = parameters.velocity_weight
    n = U64(0)
    up = int(np.floor((e_goal + F32(90.0)) / F32(6.0)))
    up = min(max(up, 0), ROWS)
    down = up - 1
    while up < ROWS or down >= 0:
        rising = down < 0
        if up < ROWS and down >= 0:
            rising = ROW_DEG[U64(up)] - e_goal <= e_goal - ROW_DEG[U64(down)]
        row = up if rising else down
        up += 1 if rising else 0
        down -= 0 if rising else 1
        pitch = costs[U64(PITCH) + U64(row)]
        if pitch * _RELATIVE_SLACK - _SLACK > bound:
            break  # the nearer of the two sides: the other one is dearer still
        is_sparse = row < FIRST_DENSE_ROW or row > LAST_DENSE_ROW
        if is_sparse:
            other_row(
                row, vx, vy, vz, speed, velocity_weight, grid.yaw_cost, grid.line_cost, pitch, grid.other
            )
            interpolate_row(row, grid.other, 0)
        is_near_pole = radius != DEFAULT_RADIUS or row < radius or row >= ROWS - radius
        is_smoothed = False
        has_obstacles = True
        if not is_near_pole:
            has_obstacles = (rows >> (row - radius)) & 0x7FFF != 0
        unit = U64(row * STRIDE)
        for block in range(BLOCKS):
            first = U64(block * COLUMN_BLOCK)
            if not is_sparse:
                if (pitch + costs[U64(LEAST) + U64(block)]) * _RELATIVE_SLACK - _SLACK > bound:
                    continue
                if not _price_block(
                    costs, obstacle, width, unit, first, U64(row * PADDED + LEFT + block * COLUMN_BLOCK),
                    vx, vy, vz, speed, velocity_weight, pitch, bound,
                ):  # fmt: skip
                    continue
            if has_obstacles and columns & COLUMN_WINDOW[radius, block]:
                if is_near_pole:
                    if not is_smoothed:
                        has_obstacles = smooth_vertically(obstacle, rows, row, kernel, radius, grid.vertical)
                        is_smoothed = True
                    if has_obstacles:
                        smooth_block(grid.vertical, kernel, radius, block, grid.smoothed)
                else:
                    lowest = (row - DEFAULT_RADIUS) * PADDED + LEFT + block * COLUMN_BLOCK
                    smooth_near(obstacle, U64(lowest), grid.vertical, costs, U64(SMOOTHED) + first)
                if has_obstacles and not _add_smoothed(costs, width, first, bound):
                    continue
            number = np.int32(row * STRIDE + block * COLUMN_BLOCK)
            for k in range(COLUMN_BLOCK):  # the columns of padding cost infinity
                value = costs[first + U64(OTHER) + U64(k)]
                cost[n] = value
                cell[n] = number + np.int32(k)
                n += U64(1) if value < bound else U64(0)
    return np.int64(n)


@inlined
def search(grid, rows, columns, vx, vy, vz, speed, e_goal, goal_distance, parameters, selection):
    """The cheapest cells, ascending in `selection`; returns how many.

    Starts from a guess of the bound (what the last node needed and some more) and repeats with a wider one
    if too few cells are below it: the guess decides the speed, never the answer.
    """
    wanted = parameters.children
    if wanted <= 0:
        return 0
    cost, cell, found = selection.cost, selection.cell, selection.found
    pitch_costs(e_goal, goal_distance, parameters.pitch_weight, grid.costs)
    bound = selection.guess[0] * _GUESS_FACTOR + _GUESS_MARGIN
    n = 0
    while True:
        n = _collect(grid, rows, columns, vx, vy, vz, speed, e_goal, parameters, bound, found)
        if n > wanted or not bound < INFINITY:
            break
        bound = bound * _WIDER if bound < _WIDEST else INFINITY
    last = U64(wanted)
    for k in range(last + U64(1)):
        cost[k] = INFINITY
        cell[k] = -1
    for i in range(U64(n)):
        value = found.cost[i]
        if value < cost[last]:
            k = last
            while k > U64(0) and value < cost[k - U64(1)]:
                cost[k] = cost[k - U64(1)]
                cell[k] = cell[k - U64(1)]
                k -= U64(1)
            cost[k] = value
            cell[k] = found.cell[i]
    selection.guess[0] = cost[wanted] if cost[wanted] < _WIDEST else _WIDEST
    unique = cost[wanted - 1] < INFINITY
    for k in range(wanted):
        unique = unique and cost[k] < cost[k + 1]
    if unique:
        return wanted
    fill_cost_matrix(grid, rows, vx, vy, vz, speed, e_goal, goal_distance, parameters, selection.matrix)
    return exact_selection(selection.matrix, wanted, cost, cell)
