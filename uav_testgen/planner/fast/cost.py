"""Costs of the direction cells: obstacle term, the other terms, sub-sampling near the poles, smoothing.

Functions work on one row at a time, so that the search for the cheapest cells computes only the rows that
can win. A full matrix is the same functions over all rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from uav_testgen.planner.fast.grid import (
    BLOCKS,
    CELLS,
    COLUMN_BLOCK,
    COLUMN_DEG_PADDED,
    COLUMNS,
    F32,
    FAST_MATH_FREE,
    FIRST_DENSE_ROW,
    FULL_TURN,
    HALF,
    HALF_TURN,
    INFINITY,
    INLINED,
    LAST_DENSE_ROW,
    LEFT,
    ONE,
    PADDED,
    PITCH,
    QUARTER_TURN,
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
from uav_testgen.planner.fast.polar import direction_angles, direction_azimuth, norm3, polar_index, wrap_180

_CELL = F32(6.0)
_OBSTACLE_SCALE = F32(5000.0)
_NEAR_GOAL = F32(5.0)
_NO_POLE_DEG = F32(77.0)
_BORDER = F32(1e-3)  # of a cell: far more than float32 angles can be off
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
DEFAULT_RADIUS = 7
"""Smoothing radius of the default margin of 40 degrees; the kernels for it are written out."""
DEFAULT_KERNEL = (np.arange(1, DEFAULT_RADIUS + 2) / (DEFAULT_RADIUS + 1)).astype(np.float32)
"""The rising half of its weights: 1/8, 2/8 … 1."""
MAX_RADIUS = 15
COLUMN_WINDOW = np.array(
    [
        [
            sum({1 << (c % COLUMNS) for c in range(b * COLUMN_BLOCK - r, (b + 1) * COLUMN_BLOCK + r)})
            for b in range(BLOCKS)
        ]
        for r in range(MAX_RADIUS + 1)
    ],
    np.int64,
)
"""[radius, block] -> bits of the columns whose obstacles reach into the block."""
MARGIN = STRIDE
"""Floats left of column 0 in the vertically smoothed row; the largest radius (15) fits on both sides."""
TERMS = 144
"""Where the terms of a sum stand in that row's buffer, behind its columns."""


@njit(**FAST_MATH_FREE)
def _goal_window(e_goal, z_goal):
    """The 5 x 11 cells around the goal direction as bits of rows and of columns; (0, 0) near a pole."""
    if not abs(e_goal) < _NO_POLE_DEG:
        return 0, 0
    row = e_goal / _CELL + QUARTER_TURN / _CELL
    column = z_goal / _CELL + HALF_TURN / _CELL
    off_row = row - np.floor(row)
    off_column = column - np.floor(column)
    far_from_border = min(off_row, off_column) > _BORDER and max(off_row, off_column) < ONE - _BORDER
    if far_from_border:
        rows = 31 << (int(row) - 2)
        shift = (int(column) + COLUMNS - 5) % COLUMNS
        columns = (2047 << shift) | (2047 >> (COLUMNS - shift)) if shift > 49 else 2047 << shift
        return rows, columns & ((1 << COLUMNS) - 1)
    rows = 0
    for j in range(-2, 3):
        rows |= 1 << int(np.floor((e_goal + _CELL * np.float32(j)) / _CELL + QUARTER_TURN / _CELL))
    columns = 0
    for i in range(-5, 6):
        index = int(np.floor(wrap_180(z_goal + _CELL * np.float32(i)) / _CELL + HALF_TURN / _CELL))
        columns |= 1 << min(max(index, 0), COLUMNS - 1)
    return rows, columns


@njit(**INLINED)
def is_facing_goal(grid, n_cells, e_goal, z_goal, min_range, max_range):
    """Is there an obstacle in the window of 5 x 11 cells around the goal direction?"""
    distance, cells = grid.distance, grid.cells
    rows, columns = _goal_window(e_goal, z_goal)
    if rows != 0:
        facing = 0
        for s in range(n_cells):
            c = cells[s]
            inside = (rows >> (c >> 6)) & (columns >> (c & 63)) & 1
            facing |= inside if (distance[s] > min_range) & (distance[s] < max_range) else 0
        return facing != 0
    for j in range(-2, 3):
        for i in range(-5, 6):
            row, column = polar_index(e_goal + _CELL * np.float32(j), z_goal + _CELL * np.float32(i), 6)
            for s in range(n_cells):
                is_there = cells[s] == row * STRIDE + column
                if is_there and distance[s] > min_range and distance[s] < max_range:
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


@njit(**FAST_MATH_FREE)
def pitch_cost(e, e_goal, goal_distance, pitch_weight):
    """Cost of the elevation difference to the goal; grows without bound close to the goal."""
    cost = pitch_weight * (e - e_goal) * (e - e_goal)
    if goal_distance < _NEAR_GOAL:
        scale = 0.2 * np.float64(goal_distance)
        cost = np.float32(np.float64(cost) / (scale * scale))
    return cost


@njit(**INLINED)
def pitch_costs(e_goal, goal_distance, pitch_weight, costs):
    """Pitch cost of every row into the array of cost rows."""
    if goal_distance < _NEAR_GOAL:
        for row in range(ROWS):
            costs[U64(PITCH) + U64(row)] = pitch_cost(ROW_DEG[row], e_goal, goal_distance, pitch_weight)
    else:
        for row in range(ROWS):
            off = ROW_DEG[row] - e_goal
            costs[U64(PITCH) + U64(row)] = pitch_weight * off * off


@njit(**FAST_MATH_FREE)
def other_row(row, vx, vy, vz, speed, velocity_weight, yaw_cost, line_cost, pitch, out):
    """Costs other than the obstacle term, at every column of a row, before sub-sampling."""
    for block in range(BLOCKS):
        other_block(row, block, vx, vy, vz, speed, velocity_weight, yaw_cost, line_cost, pitch, out)


@njit(**FAST_MATH_FREE)
def other_block(row, block, vx, vy, vz, speed, velocity_weight, yaw_cost, line_cost, pitch, out):
    """The same for 16 columns."""
    first = U64(block * COLUMN_BLOCK)
    for k in range(COLUMN_BLOCK):
        c = first + U64(k)
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


@njit(**INLINED)
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


@njit(**FAST_MATH_FREE)
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


@njit(**FAST_MATH_FREE)
def _twin_offset(column):
    """Where the copy of a column stands relative to it; 0 for columns without a copy."""
    offset = COLUMNS if column < PADDED - LEFT - COLUMNS else 0
    return -COLUMNS if column >= COLUMNS - LEFT else offset


@njit(**INLINED)
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


@njit(**FAST_MATH_FREE)
def _lane_sum(buffer, n):
    """Sum of the terms at the end of a row buffer.

    The order is that of the original's reduction: four lanes, two accumulators, then the rest.
    """
    in_lanes = n // 4 * 4
    if in_lanes == 0:
        total = buffer[TERMS + 0]
        for i in range(1, n):
            total += buffer[TERMS + i]
        return total
    groups = in_lanes // 4
    paired = groups // 2 * 2
    total = ZERO
    lanes = (ZERO, ZERO, ZERO, ZERO)
    for lane in range(4):
        value = buffer[TERMS + lane]
        if paired:
            for group in range(2, paired, 2):
                value += buffer[TERMS + 4 * group + lane]
            second = buffer[TERMS + 4 + lane]
            for group in range(3, paired, 2):
                second += buffer[TERMS + 4 * group + lane]
            value += second
            for group in range(paired, groups):
                value += buffer[TERMS + 4 * group + lane]
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
        total += buffer[TERMS + i]
    return total


@njit(**INLINED)
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
    if first >= 0 and last < ROWS:
        reached = ((1 << (2 * radius + 1)) - 1) << first
    else:
        reached = 0
        for i in range(2 * radius + 1):
            source = first + i
            source = -1 - source if source < 0 else (2 * ROWS - 1 - source if source >= ROWS else source)
            reached |= 1 << source
    if not rows & reached:
        return False
    if radius == DEFAULT_RADIUS and first >= 0 and last < ROWS:
        _vertical_15(obstacle, U64(first * PADDED + LEFT), STRIDE, kernel, out, U64(MARGIN))
    else:
        _vertical_any(obstacle, first, kernel, radius, out)
    for k in range(radius):
        out[MARGIN - 1 - k] = out[MARGIN + COLUMNS - 1 - k]
        out[MARGIN + COLUMNS + k] = out[MARGIN + k]
    return True


@njit(**INLINED)
def _vertical_15(d, source, width, k, out, target):
    """Vertical pass of the default kernel where no pole is near; rows are 96 floats apart."""
    k0, k1, k2, k3, k4, k5, k6, k7 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
    for i in range(width):
        c = source + U64(i)
        out[target + U64(i)] = _sum_15(
            k0 * d[c], k1 * d[c + U64(96)], k2 * d[c + U64(192)], k3 * d[c + U64(288)], k4 * d[c + U64(384)],
            k5 * d[c + U64(480)], k6 * d[c + U64(576)], k7 * d[c + U64(672)], k6 * d[c + U64(768)],
            k5 * d[c + U64(864)], k4 * d[c + U64(960)], k3 * d[c + U64(1056)], k2 * d[c + U64(1152)],
            k1 * d[c + U64(1248)], k0 * d[c + U64(1344)],
        )  # fmt: skip


@njit(**FAST_MATH_FREE)
def _vertical_any(obstacle, first, kernel, radius, out):
    """Vertical pass of any kernel at any row."""
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
            out[TERMS + i] = kernel[i] * obstacle[source * PADDED + LEFT + column]
        out[MARGIN + c] = _lane_sum(out, 2 * radius + 1)


@njit(**FAST_MATH_FREE)
def smooth_horizontally(vertical, kernel, radius, out):
    """Horizontal pass over one row."""
    for block in range(BLOCKS):
        smooth_block(vertical, kernel, radius, block, out)


@njit(**FAST_MATH_FREE)
def smooth_block(vertical, kernel, radius, block, out):
    """Horizontal pass over 16 columns of a row."""
    first = block * COLUMN_BLOCK
    if radius == DEFAULT_RADIUS:
        _horizontal_15(vertical, U64(MARGIN - DEFAULT_RADIUS + first), kernel, out, U64(first))
        return
    for c in range(first, first + COLUMN_BLOCK):
        for i in range(2 * radius + 1):
            vertical[TERMS + i] = kernel[i] * vertical[MARGIN - radius + c + i]
        out[c] = _lane_sum(vertical, 2 * radius + 1)


@njit(**INLINED)
def _horizontal_15(v, source, k, out, target):
    """Horizontal pass of the default kernel over 16 columns."""
    k0, k1, k2, k3, k4, k5, k6, k7 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
    for i in range(COLUMN_BLOCK):
        c = source + U64(i)
        out[target + U64(i)] = _sum_15(
            k0 * v[c], k1 * v[c + U64(1)], k2 * v[c + U64(2)], k3 * v[c + U64(3)], k4 * v[c + U64(4)],
            k5 * v[c + U64(5)], k6 * v[c + U64(6)], k7 * v[c + U64(7)], k6 * v[c + U64(8)],
            k5 * v[c + U64(9)], k4 * v[c + U64(10)], k3 * v[c + U64(11)], k2 * v[c + U64(12)],
            k1 * v[c + U64(13)], k0 * v[c + U64(14)],
        )  # fmt: skip


@njit(**INLINED)
def smooth_near(obstacle, first, vertical, out, target):
    """Both passes of the default kernel for 16 columns away from the poles.

    `first` is the place of the first column in the lowest row that is reached. The vertical pass makes 32
    columns, the horizontal one reads 30 of them.
    """
    _vertical_15(obstacle, first - U64(8), 32, DEFAULT_KERNEL, vertical, U64(0))
    _horizontal_15(vertical, U64(1), DEFAULT_KERNEL, out, target)


@njit(**FAST_MATH_FREE)
def goal_geometry(px, py, pz, goal, line_point):
    """(elevation, azimuth, distance) of the goal and azimuth of the closest point on the track."""
    gx, gy, gz = goal[0] - px, goal[1] - py, goal[2] - pz
    e_goal, z_goal = direction_angles(gx, gy, gz)
    lx, ly = line_point[0] - px, line_point[1] - py
    z_line = z_goal if lx == gx and ly == gy else direction_azimuth(lx, ly)
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
