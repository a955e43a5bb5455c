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
        yaw_cost[c] = goal_weight * (m * m)
        m = COLUMN_DEG_PADDED[c] - z_line
        m = m - FULL_TURN if m >= HALF_TURN else m
        m = m + FULL_TURN if m < -HALF_TURN else m
        line_cost[c] = line_weight * (m * m)
    for c in range(COLUMNS, STRIDE):
        yaw_cost[c] = INFINITY


@njit(**FAST_MATH_FREE)
def pitch_cost(e, e_goal, goal_distance, pitch_weight):
    """Cost of the elevation difference to the goal; grows without bound close to the goal."""
    cost = pitch_weight * ((e - e_goal) * (e - e_goal))
    if goal_distance < _NEAR_GOAL:
        scale = 0.2 * np.float64(goal_distance)
        cost = np.float32(np.float64(cost) / (scale * scale))
    return cost


@njit(**FAST_MATH_FREE)
def other_row(row, vx, vy, vz, speed, velocity_weight, yaw_cost, line_cost, pitch, out):
    """Costs other than the obstacle term, at every column of a row, before sub-sampling."""
    base = row * STRIDE
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
            values[offset + last + i] = a + np.float32(i) * (b - a) / np.float32(width)
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
def smooth_vertically(obstacle, rows, row, kernel, radius, out):
    """One row of the vertical pass with `radius` cyclic columns on both sides; False if all is zero.

    Beyond a pole the mirrored row is read half a turn away. Empty rows add exactly nothing, so they are
    skipped without changing the sum.
    """
    found = False
    for i in range(2 * radius + 1):
        source = row + i - radius
        turned = False
        if source < 0:
            source = -1 - source
            turned = True
        elif source >= ROWS:
            source = 2 * ROWS - 1 - source
            turned = True
        if not rows & (1 << source):
            continue
        if not found:
            for c in range(STRIDE):
                out[MARGIN + c] = ZERO
            found = True
        weight = kernel[i]
        base = source * STRIDE
        if turned:
            for c in range(COLUMNS // 2):
                out[MARGIN + c] += weight * obstacle[base + c + COLUMNS // 2]
                out[MARGIN + c + COLUMNS // 2] += weight * obstacle[base + c]
        else:
            for c in range(STRIDE):
                out[MARGIN + c] += weight * obstacle[base + c]
    if found:
        for k in range(radius):
            out[MARGIN - 1 - k] = out[MARGIN + COLUMNS - 1 - k]
            out[MARGIN + COLUMNS + k] = out[MARGIN + k]
    return found


@njit(**FAST_MATH_FREE)
def smooth_horizontally(vertical, kernel, radius, out):
    """Horizontal pass over one row."""
    if radius == 7:
        _smooth_15(vertical, kernel, out)
        return
    for c in range(STRIDE):
        out[c] = ZERO
    for i in range(2 * radius + 1):
        weight = kernel[i]
        for c in range(COLUMNS):
            out[c] += weight * vertical[MARGIN - radius + c + i]


@njit(**FAST_MATH_FREE)
def _smooth_15(v, k, out):
    """The default kernel of 15 taps written out, so that the sum stays in registers; same order of adding."""
    k0, k1, k2, k3, k4, k5, k6, k7 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
    for c in range(STRIDE):
        m = MARGIN - 7 + c
        s = k0 * v[m]
        s += k1 * v[m + 1]
        s += k2 * v[m + 2]
        s += k3 * v[m + 3]
        s += k4 * v[m + 4]
        s += k5 * v[m + 5]
        s += k6 * v[m + 6]
        s += k7 * v[m + 7]
        s += k6 * v[m + 8]
        s += k5 * v[m + 9]
        s += k4 * v[m + 10]
        s += k3 * v[m + 11]
        s += k2 * v[m + 12]
        s += k1 * v[m + 13]
        s += k0 * v[m + 14]
        out[c] = s


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
            row, vx, vy, vz, speed, parameters.velocity_weight, grid.yaw_cost, grid.line_cost, pitch, grid.other
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
