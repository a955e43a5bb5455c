"""The cheapest cells of the cost matrix.

`exact_selection` is the original's scan with a binary heap, including what it does with equal costs.
`search` finds the same cells without computing the whole matrix: rows are visited outwards from the goal's
elevation, and a row whose pitch cost alone exceeds the worst cell kept so far ends the visit on its side.
It keeps one cell more than wanted; without two equal costs among them the answer is unique, and with two
equal ones the full matrix is made and the exact selection decides.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from uav_testgen.planner.fast.cost import (
    fill_cost_matrix,
    interpolate_row,
    other_row,
    pitch_cost,
    smooth_horizontally,
    smooth_vertically,
)
from uav_testgen.planner.fast.grid import (
    COLUMNS,
    F32,
    FAST_MATH_FREE,
    FIRST_DENSE_ROW,
    INFINITY,
    LAST_DENSE_ROW,
    ROW_DEG,
    ROWS,
    STRIDE,
)

# The velocity term |v| - u·v can round to slightly less than zero; a row is given up only when its pitch
# cost exceeds the bound by more than that.
_SLACK = F32(1.0)
_RELATIVE_SLACK = F32(0.99999)


@njit(**FAST_MATH_FREE)
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


@njit(**FAST_MATH_FREE)
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


@njit(**FAST_MATH_FREE)
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


@njit(**FAST_MATH_FREE)
def search(grid, rows, vx, vy, vz, speed, e_goal, goal_distance, parameters, selection):
    """The cheapest cells, ascending in `selection`; returns how many."""
    wanted = parameters.children
    if wanted <= 0:
        return 0
    cost, cell = selection.cost, selection.cell
    other, smoothed = grid.other, grid.smoothed
    for k in range(wanted + 1):
        cost[k] = INFINITY
        cell[k] = -1
    worst = INFINITY
    up = int(np.floor((e_goal + F32(90.0)) / F32(6.0)))
    up = min(max(up, 0), ROWS)
    down = up - 1
    up_pitch = INFINITY
    down_pitch = INFINITY
    if up < ROWS:
        up_pitch = pitch_cost(ROW_DEG[up], e_goal, goal_distance, parameters.pitch_weight)
    if down >= 0:
        down_pitch = pitch_cost(ROW_DEG[down], e_goal, goal_distance, parameters.pitch_weight)
    while up < ROWS or down >= 0:
        if down < 0 or (up < ROWS and up_pitch <= down_pitch):
            row = up
            pitch = up_pitch
            up += 1
            if up < ROWS:
                up_pitch = pitch_cost(ROW_DEG[up], e_goal, goal_distance, parameters.pitch_weight)
        else:
            row = down
            pitch = down_pitch
            down -= 1
            if down >= 0:
                down_pitch = pitch_cost(ROW_DEG[down], e_goal, goal_distance, parameters.pitch_weight)
        if pitch * _RELATIVE_SLACK - _SLACK > worst:
            break  # the nearer of the two sides: the other one is dearer still
        other_row(
            row, vx, vy, vz, speed, parameters.velocity_weight, grid.yaw_cost, grid.line_cost, pitch, other
        )
        if row < FIRST_DENSE_ROW or row > LAST_DENSE_ROW:
            interpolate_row(row, other, 0)
        promising = 0
        for c in range(COLUMNS):
            promising += 1 if other[c] < worst else 0
        if promising == 0:
            continue
        if smooth_vertically(grid.obstacle, rows, row, parameters.kernel, parameters.radius, grid.vertical):
            smooth_horizontally(grid.vertical, parameters.kernel, parameters.radius, smoothed)
            for c in range(STRIDE):
                other[c] += smoothed[c]
        for c in range(COLUMNS):
            value = other[c]
            if value < worst:
                k = wanted
                while k > 0 and value < cost[k - 1]:
                    cost[k] = cost[k - 1]
                    cell[k] = cell[k - 1]
                    k -= 1
                cost[k] = value
                cell[k] = row * STRIDE + c
                worst = cost[wanted]
    unique = cost[wanted - 1] < INFINITY
    for k in range(wanted):
        unique = unique and cost[k] < cost[k + 1]
    if unique:
        return wanted
    fill_cost_matrix(grid, rows, vx, vy, vz, speed, e_goal, goal_distance, parameters, selection.matrix)
    return exact_selection(selection.matrix, wanted, cost, cell)
