"""Where the goal is, seen from the vehicle, and is there an obstacle in that direction?"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.planner.vfh3d.compiled.grid import (
    COLUMNS,
    F32,
    HALF_TURN,
    ONE,
    QUARTER_TURN,
    STRIDE,
)
from uav_testgen.planner.vfh3d.compiled.polar import (
    direction_angles,
    direction_azimuth,
    norm3,
    polar_index,
    wrap_180,
)

_CELL = F32(6.0)
_NO_POLE_DEG = F32(77.0)
_BORDER = F32(1e-3)  # of a cell: far more than float32 angles can be off


@kernel
def goal_geometry(px, py, pz, goal, line_point):
    """(elevation, azimuth, distance) of the goal and azimuth of the closest point on the track."""
    gx, gy, gz = goal[0] - px, goal[1] - py, goal[2] - pz
    e_goal, z_goal = direction_angles(gx, gy, gz)
    lx, ly = line_point[0] - px, line_point[1] - py
    z_line = z_goal if lx == gx and ly == gy else direction_azimuth(lx, ly)
    return e_goal, z_goal, norm3(gx, gy, gz), z_line


@kernel
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


@inlined
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
