"""Costs of the direction cells: obstacle term, the other terms, sub-sampling near the poles, smoothing.

Functions work on one row at a time, so that the search for the cheapest cells computes only the rows that
can win. A full matrix is the same functions over all rows.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from uav_testgen.planner.fast.grid import (
    COLUMN_DEG_PADDED,
    COLUMNS,
    F32,
    FAST_MATH_FREE,
    FIRST_DENSE_ROW,
    FULL_TURN,
    HALF,
    HALF_TURN,
    INFINITY,
    LAST_DENSE_ROW,
    ONE,
    QUARTER_TURN,
    ROW_DEG,
    ROWS,
    SAMPLING_STEP,
    STRIDE,
    UNIT_X,
    UNIT_Y,
    UNIT_Z,
    ZERO,
)
from uav_testgen.planner.fast.polar import direction_angles, norm3, polar_index, wrap_180

_CELL = F32(6.0)
_OBSTACLE_SCALE = F32(5000.0)
_NEAR_GOAL = F32(5.0)
DEFAULT_RADIUS = 7
"""Smoothing radius of the default margin of 40 degrees; the kernels for it are written out."""
MAX_RADIUS = 15
MARGIN = STRIDE
"""Floats left of column 0 in the vertically smoothed row; the largest radius (15) fits on both sides."""


@njit(**FAST_MATH_FREE)
def is_facing_goal(distance, e_goal, z_goal, min_range, max_range):
    """Is there an obstacle in the window of 5 x 11 cells around the goal direction?"""
    simple = abs(e_goal) < F32(77.0)
    for j in range(-2, 3):
        e = e_goal + _CELL * np.float32(j)
        row = 0
        if simple:  # no pole in the window: the row does not depend on the azimuth
            row = int(np.floor(e / _CELL + QUARTER_TURN / _CELL))
        for i in range(-5, 6):
            z = z_goal + _CELL * np.float32(i)
            if simple:
                column = int(np.floor(wrap_180(z) / _CELL + HALF_TURN / _CELL))
                column = min(max(column, 0), COLUMNS - 1)
            else:
                row, column = polar_index(e, z, 6)
            d = distance[row * STRIDE + column]
            if d > min_range and d < max_range:
                return True
    return False


@njit(**FAST_MATH_FREE)
def obstacle_cost(distance, weight):
    """Sigmoid of the distance: near 10000 when close, half at `weight`, 0 for an empty cell."""
    if not distance > ZERO:
        return ZERO
    delta = weight - distance
    return _OBSTACLE_SCALE * (ONE + delta / math.sqrt(ONE + delta * delta))


@njit(**FAST_MATH_FREE)
def azimuth_costs(z_goal, z_line, facing, yaw_weight, yaw_cost, line_cost):
    """Yaw and line cost of every column; the padding columns are infinite."""
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


@njit(**FAST_MATH_FREE)
def pitch_cost(e, e_goal, goal_distance, pitch_weight):
    """Cost of the elevation difference to the goal; grows without bound close to the goal."""
    cost = pitch_weight * (e - e_goal) * (e - e_goal)
    if goal_distance < _NEAR_GOAL:
        scale = 0.2 * np.float64(goal_distance)
        cost = np.float32(np.float64(cost) / (scale * scale))
    return cost


@njit(**FAST_MATH_FREE)
def other_row(row, vx, vy, vz, speed, velocity_weight, yaw_cost, line_cost, pitch, out):
    """Costs other than the obstacle term, at every column of a row, before sub-sampling."""
    for c in range(STRIDE):
        dot = UNIT_X[row, c] * vx + (UNIT_Y[row, c] * vy + UNIT_Z[row, c] * vz)
        out[c] = velocity_weight * (speed - dot) + yaw_cost[c] + line_cost[c] + pitch


@njit(**FAST_MATH_FREE)
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


@njit(**FAST_MATH_FREE)
def fill_obstacle_costs(grid, n_touched, weight):
    """Obstacle cost of the touched cells, sub-sampled near the poles; returns the occupied rows as bits."""
    distance, obstacle, touched = grid.distance, grid.obstacle, grid.touched
    rows = 0
    for k in range(n_touched):
        c = touched[k]
        obstacle[c] = obstacle_cost(distance[c], weight)
        rows |= 1 << (c // STRIDE)
    for row in range(ROWS):
        if (row < FIRST_DENSE_ROW or row > LAST_DENSE_ROW) and rows & (1 << row):
            interpolate_row(row, obstacle, row * STRIDE)
    return rows


@njit(**FAST_MATH_FREE)
def clear_obstacle_costs(grid, n_touched, rows):
    """Make the obstacle costs zero again."""
    obstacle, touched = grid.obstacle, grid.touched
    for k in range(n_touched):
        obstacle[touched[k]] = ZERO
    for row in range(ROWS):
        if (row < FIRST_DENSE_ROW or row > LAST_DENSE_ROW) and rows & (1 << row):
            for c in range(STRIDE):
                obstacle[row * STRIDE + c] = ZERO


@njit(**FAST_MATH_FREE)
def _lane_sum(terms, n):
    """Sum in the order of the original's reduction: four lanes, two accumulators, then the rest."""
    in_lanes = n // 4 * 4
    if in_lanes == 0:
        total = terms[0]
        for i in range(1, n):
            total += terms[i]
        return total
    groups = in_lanes // 4
    paired = groups // 2 * 2
    total = ZERO
    lanes = (ZERO, ZERO, ZERO, ZERO)
    for lane in range(4):
        value = terms[lane]
        if paired:
            for group in range(2, paired, 2):
                value += terms[4 * group + lane]
            second = terms[4 + lane]
            for group in range(3, paired, 2):
                second += terms[4 * group + lane]
            value += second
            for group in range(paired, groups):
                value += terms[4 * group + lane]
        if lane == 0:
            lanes = (value, ZERO, ZERO, ZERO)
        elif lane == 1:
            lanes = (lanes[0], value, ZERO, ZERO)
        elif lane == 2:
            lanes = (lanes[0], lanes[1], value, ZERO)
        else:
            lanes = (lanes[0], lanes[1], lanes[2], value)
    total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    for i in range(in_lanes, n):
        total += terms[i]
    return total


@njit(**FAST_MATH_FREE)
def _sum_15(t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14):
    """`_lane_sum` of 15 terms, written out so that it stays in registers."""
    even = ((t0 + t4) + t8) + ((t2 + t6) + t10)
    odd = ((t1 + t5) + t9) + ((t3 + t7) + t11)
    return ((even + odd) + t12) + t13 + t14


@njit(**FAST_MATH_FREE)
def smooth_vertically(obstacle, rows, row, kernel, radius, out):
    """One row of the vertical pass with `radius` cyclic columns on both sides; False if all is zero.

    Beyond a pole the mirrored row is read half a turn away.
    """
    first = row - radius
    last = row + radius
    reached = 0
    for i in range(2 * radius + 1):
        source = first + i
        source = -1 - source if source < 0 else (2 * ROWS - 1 - source if source >= ROWS else source)
        reached |= 1 << source
    if not rows & reached:
        return False
    if radius == DEFAULT_RADIUS and first >= 0 and last < ROWS:
        _vertical_15(obstacle, first * STRIDE, kernel, out)
    else:
        _vertical_any(obstacle, first, kernel, radius, out)
    for k in range(radius):
        out[MARGIN - 1 - k] = out[MARGIN + COLUMNS - 1 - k]
        out[MARGIN + COLUMNS + k] = out[MARGIN + k]
    return True


@njit(**FAST_MATH_FREE)
def _vertical_15(d, base, k, out):
    """Vertical pass of the default kernel where no pole is near."""
    k0, k1, k2, k3, k4, k5, k6, k7 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
    for c in range(STRIDE):
        b = base + c
        out[MARGIN + c] = _sum_15(
            k0 * d[b], k1 * d[b + 64], k2 * d[b + 128], k3 * d[b + 192], k4 * d[b + 256], k5 * d[b + 320],
            k6 * d[b + 384], k7 * d[b + 448], k6 * d[b + 512], k5 * d[b + 576], k4 * d[b + 640],
            k3 * d[b + 704], k2 * d[b + 768], k1 * d[b + 832], k0 * d[b + 896],
        )  # fmt: skip


@njit(**FAST_MATH_FREE)
def _vertical_any(obstacle, first, kernel, radius, out):
    """Vertical pass of any kernel at any row."""
    terms = np.empty(2 * MAX_RADIUS + 1, np.float32)
    for c in range(COLUMNS):
        for i in range(2 * radius + 1):
            source = first + i
            column = c
            if source < 0:
                source = -1 - source
                column = (c + COLUMNS // 2) % COLUMNS
            elif source >= ROWS:
                source = 2 * ROWS - 1 - source
                column = (c + COLUMNS // 2) % COLUMNS
            terms[i] = kernel[i] * obstacle[source * STRIDE + column]
        out[MARGIN + c] = _lane_sum(terms, 2 * radius + 1)


@njit(**FAST_MATH_FREE)
def smooth_horizontally(vertical, kernel, radius, out):
    """Horizontal pass over one row."""
    if radius == DEFAULT_RADIUS:
        _horizontal_15(vertical, kernel, out)
        return
    terms = np.empty(2 * MAX_RADIUS + 1, np.float32)
    for c in range(COLUMNS):
        for i in range(2 * radius + 1):
            terms[i] = kernel[i] * vertical[MARGIN - radius + c + i]
        out[c] = _lane_sum(terms, 2 * radius + 1)


@njit(**FAST_MATH_FREE)
def _horizontal_15(v, k, out):
    """Horizontal pass of the default kernel."""
    k0, k1, k2, k3, k4, k5, k6, k7 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
    for c in range(STRIDE):
        m = MARGIN - DEFAULT_RADIUS + c
        out[c] = _sum_15(
            k0 * v[m], k1 * v[m + 1], k2 * v[m + 2], k3 * v[m + 3], k4 * v[m + 4], k5 * v[m + 5],
            k6 * v[m + 6], k7 * v[m + 7], k6 * v[m + 8], k5 * v[m + 9], k4 * v[m + 10], k3 * v[m + 11],
            k2 * v[m + 12], k1 * v[m + 13], k0 * v[m + 14],
        )  # fmt: skip


@njit(**FAST_MATH_FREE)
def goal_geometry(px, py, pz, goal, line_point):
    """(elevation, azimuth, distance) of the goal and azimuth of the closest point on the track."""
    gx, gy, gz = goal[0] - px, goal[1] - py, goal[2] - pz
    e_goal, z_goal = direction_angles(gx, gy, gz)
    _, z_line = direction_angles(line_point[0] - px, line_point[1] - py, line_point[2] - pz)
    return e_goal, z_goal, norm3(gx, gy, gz), z_line


@njit(**FAST_MATH_FREE)
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
