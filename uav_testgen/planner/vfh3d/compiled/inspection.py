"""Inner results of a cycle for traces and messages: dense histogram, cost matrices, obstacle distances."""

from __future__ import annotations

from uav_testgen.core.kernel import kernel
from uav_testgen.planner.vfh3d.compiled.bulk import fill_block
from uav_testgen.planner.vfh3d.compiled.cost import azimuth_costs, fill_cost_matrix, other_row, pitch_cost
from uav_testgen.planner.vfh3d.compiled.goal import goal_geometry, is_facing_goal
from uav_testgen.planner.vfh3d.compiled.grid import (
    COLUMN_DEG,
    COLUMNS,
    F32,
    NAN,
    ONE,
    ROW_DEG,
    ROWS,
    STRIDE,
    ZERO,
)
from uav_testgen.planner.vfh3d.compiled.histogram import fill_histogram
from uav_testgen.planner.vfh3d.compiled.obstacle_cost import (
    clear_obstacle_costs,
    fill_obstacle_costs,
    obstacle_cost,
)
from uav_testgen.planner.vfh3d.compiled.polar import (
    body_angles,
    direction_angles,
    norm3,
    polar_index,
    polar_to_cartesian,
    wrap_polar,
)
from uav_testgen.planner.vfh3d.compiled.view import inside_any

_LEVEL_DEG = F32(10.0)
_HEIGHT_M = ONE
_NOTHING_M = F32(0.01)
_HALF_CELL_DEG = F32(3.0)


@kernel
def dense_histogram(cloud, n, px, py, pz, grid, out):
    """The histogram around a centre as a (30, 60) array."""
    out[:] = ZERO
    if n == 0:
        return
    padded = fill_block(cloud.x, cloud.y, cloud.z, n)
    n_cells = fill_histogram(cloud, n, padded, px, py, pz, grid)
    for s in range(n_cells):
        c = grid.cells[s]
        out[c // STRIDE, c % STRIDE] = grid.distance[s]


@kernel
def compress_histogram(histogram, px, py, pz, out):
    """Nearest obstacle per column among the cells at flight height; 0 = none."""
    low, _ = polar_index(-_LEVEL_DEG, ZERO, 6)
    high, _ = polar_index(_LEVEL_DEG, ZERO, 6)
    out[:] = ZERO
    for row in range(low, high + 1):
        for column in range(COLUMNS):
            d = histogram[row, column]
            if not d > ZERO:
                continue
            _, _, z = polar_to_cartesian(ROW_DEG[row], COLUMN_DEG[column], d, px, py, pz)
            if abs(z - pz) < _HEIGHT_M and (out[column] == ZERO or d < out[column]):
                out[column] = d


@kernel
def column_in_view(fovs, column, px, py, pz, yaw):
    """Does a field of view reach the centre of a column (a little above the horizon)?"""
    x, y, z = polar_to_cartesian(ROW_DEG[15], COLUMN_DEG[column], ONE, px, py, pz)
    e, a = direction_angles(x - px, y - py, z - pz)
    e, a = body_angles(e, a)
    e_right, a_right = wrap_polar(e, a - yaw + _HALF_CELL_DEG)
    e_left, a_left = wrap_polar(e, a - yaw - _HALF_CELL_DEG)
    return inside_any(fovs, e_right, a_right) or inside_any(fovs, e_left, a_left)


@kernel
def obstacle_distances(compressed, fovs, px, py, pz, yaw, min_range, max_range, out):
    """60 ranges clockwise from north; NaN outside the view, max + 1 cm where nothing is near."""
    for i in range(COLUMNS):
        column = (i + COLUMNS // 2) % COLUMNS
        out[i] = NAN
        if column_in_view(fovs, column, px, py, pz, yaw):
            d = compressed[column]
            out[i] = d if d > min_range else max_range + _NOTHING_M


@kernel
def cost_matrices(cloud, n, state, goal, line_point, parameters, workspace, raw_obstacle, raw_other, final):
    """Costs at the vehicle: raw terms at every cell and the final matrix, each (30, 60); tells `facing`."""
    grid = workspace.grid
    px, py, pz, vx, vy, vz = state[0], state[1], state[2], state[3], state[4], state[5]
    padded = fill_block(cloud.x, cloud.y, cloud.z, n)
    n_cells = fill_histogram(cloud, n, padded, px, py, pz, grid)
    e_goal, z_goal, goal_distance, z_line = goal_geometry(px, py, pz, goal, line_point)
    facing = is_facing_goal(grid, n_cells, e_goal, z_goal, parameters.min_range, parameters.max_range)
    azimuth_costs(
        z_goal, z_line, facing, parameters.yaw_weight, grid.yaw_cost, grid.line_cost, grid.azimuth_least
    )
    speed = norm3(vx, vy, vz)
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
        for column in range(COLUMNS):
            raw_other[row, column] = grid.other[column]
            raw_obstacle[row, column] = ZERO
    for s in range(n_cells):
        raw_obstacle[grid.cells[s] // STRIDE, grid.cells[s] % STRIDE] = obstacle_cost(
            grid.distance[s], parameters.obstacle_weight
        )
    rows, _ = fill_obstacle_costs(grid, n_cells, parameters.obstacle_weight)
    matrix = workspace.selection.matrix
    fill_cost_matrix(grid, rows, vx, vy, vz, speed, e_goal, goal_distance, parameters, matrix)
    for row in range(ROWS):
        for column in range(COLUMNS):
            final[row, column] = matrix[row * STRIDE + column]
    clear_obstacle_costs(grid, n_cells, rows)
    return facing
