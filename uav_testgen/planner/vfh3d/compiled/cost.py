"""Costs of the direction cells other than the obstacle term, and the matrix of all terms.

Functions work on one row at a time, so that the search for the cheapest cells computes only the rows that
can win. A full matrix is the same functions over all rows.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.planner.vfh3d.compiled.grid import (
    BLOCKS,
    COLUMN_BLOCK,
    COLUMN_DEG_PADDED,
    COLUMNS,
    F32,
    FIRST_DENSE_ROW,
    FULL_TURN,
    HALF,
    HALF_TURN,
    INFINITY,
    LAST_DENSE_ROW,
    ONE,
    PITCH,
    ROW_DEG,
    ROWS,
    SAMPLING_STEP,
    STRIDE,
    U64,
    UNIT_X,
    UNIT_Y,
    UNIT_Z,
    ZERO,
)
from uav_testgen.planner.vfh3d.compiled.smoothing import smooth_horizontally, smooth_vertically

_NEAR_GOAL = F32(5.0)


@kernel
def azimuth_costs(z_goal, z_line, facing, yaw_weight, yaw_cost, line_cost, least):
    """Yaw and line cost of every column (padding columns are infinite), and the least sum per block."""
    w = ZERO if facing else HALF
    goal_weight = (ONE - w) * yaw_weight
    line_weight = w * yaw_weight
    for c in range(STRIDE):
        # |difference| < 360, so the C-style remainder of the original is the identity
        m = COLUMN_DEG_PADDED[c] - z_goal
        m = m - FULL_TURN if m >= HALF_TURN else m
        m = m + FULL_TURN if m < -HALF_TURN else m
        yaw_cost[c] = goal_weight * m * m
        m = COLUMN_DEG_PADDED[c] - z_line
        m = m - FULL_TURN if m >= HALF_TURN else m
        m = m + FULL_TURN if m < -HALF_TURN else m
        line_cost[c] = line_weight * m * m
    for c in range(COLUMNS, STRIDE):
        yaw_cost[c] = INFINITY
    for block in range(BLOCKS):
        smallest = INFINITY
        for c in range(COLUMN_BLOCK):
            value = yaw_cost[block * COLUMN_BLOCK + c] + line_cost[block * COLUMN_BLOCK + c]
            smallest = value if value < smallest else smallest
        least[block] = smallest


@kernel
def pitch_cost(e, e_goal, goal_distance, pitch_weight):
    """Cost of the elevation difference to the goal; grows without bound close to the goal."""
    cost = pitch_weight * (e - e_goal) * (e - e_goal)
    if goal_distance < _NEAR_GOAL:
        scale = 0.2 * np.float64(goal_distance)
        cost = np.float32(np.float64(cost) / (scale * scale))
    return cost


@inlined
def pitch_costs(e_goal, goal_distance, pitch_weight, costs):
    """Pitch cost of every row into the array of cost rows."""
    if goal_distance < _NEAR_GOAL:
        for row in range(ROWS):
            costs[U64(PITCH) + U64(row)] = pitch_cost(ROW_DEG[row], e_goal, goal_distance, pitch_weight)
    else:
        for row in range(ROWS):
            off = ROW_DEG[row] - e_goal
            costs[U64(PITCH) + U64(row)] = pitch_weight * off * off


@kernel
def other_row(row, vx, vy, vz, speed, velocity_weight, yaw_cost, line_cost, pitch, out):
    """Costs other than the obstacle term, at every column of a row, before sub-sampling."""
    for block in range(BLOCKS):
        other_block(row, block, vx, vy, vz, speed, velocity_weight, yaw_cost, line_cost, pitch, out)


@kernel
def other_block(row, block, vx, vy, vz, speed, velocity_weight, yaw_cost, line_cost, pitch, out):
    """The same for 16 columns."""
    first = U64(block * COLUMN_BLOCK)
    for k in range(COLUMN_BLOCK):
        c = first + U64(k)
        dot = UNIT_X[row, c] * vx + (UNIT_Y[row, c] * vy + UNIT_Z[row, c] * vz)
        out[c] = velocity_weight * (speed - dot) + yaw_cost[c] + line_cost[c] + pitch


@kernel
def interpolate_row(row, values, offset):
    """Replace the columns between the evaluated ones by straight lines (rows near the poles)."""
    step = SAMPLING_STEP[row]
    last = 0
    while last < COLUMNS:
        following = last + step
        at_end = following >= COLUMNS
        width = COLUMNS - last if at_end else step
        a = values[offset + last]
        b = values[offset + (0 if at_end else following)]
        for i in range(1, width):
            values[offset + last + i] = a + (b - a) / np.float32(width) * np.float32(i)
        last = following


@kernel
def fill_cost_matrix(grid, rows, vx, vy, vz, speed, e_goal, goal_distance, parameters, matrix):
    """The whole final matrix (30 rows of 64); `grid` holds obstacle costs and azimuth costs."""
    radius, kernel = parameters.radius, parameters.kernel
    for row in range(ROWS):
        pitch = pitch_cost(ROW_DEG[row], e_goal, goal_distance, parameters.pitch_weight)
        other_row(
            row,
            vx,
            vy,
            vz,
            speed,
            parameters.velocity_weight,
            grid.yaw_cost,
            grid.line_cost,
            pitch,
            grid.other,
        )
        if row < FIRST_DENSE_ROW or row > LAST_DENSE_ROW:
            interpolate_row(row, grid.other, 0)
        if smooth_vertically(grid.obstacle, rows, row, kernel, radius, grid.vertical):
            smooth_horizontally(grid.vertical, kernel, radius, grid.smoothed)
            for c in range(STRIDE):
                matrix[row * STRIDE + c] = grid.other[c] + grid.smoothed[c]
        else:
            for c in range(STRIDE):
                matrix[row * STRIDE + c] = grid.other[c]
