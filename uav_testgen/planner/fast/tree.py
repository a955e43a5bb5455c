"""The look-ahead tree (A*-like) over the cheapest directions, and the path through it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from uav_testgen.planner.fast.candidates import search
from uav_testgen.planner.fast.cost import (
    azimuth_costs,
    clear_obstacle_costs,
    fill_obstacle_costs,
    goal_geometry,
    is_facing_goal,
)
from uav_testgen.planner.fast.grid import (
    COS_E,
    COS_Z,
    F32,
    FAST_MATH_FREE,
    INFINITY,
    INLINED,
    ONE,
    SIN_E,
    SIN_Z,
    STRIDE,
    ZERO,
)
from uav_testgen.planner.fast.histogram import fill_histogram
from uav_testgen.planner.fast.polar import norm3
from uav_testgen.planner.fast.workspace import NODE_BLOCK


def _first_square_with_root(root: np.float32) -> Any:
    """The smallest float32 whose float32 square root is not below `root`."""
    square = F32(root * root)
    while np.sqrt(square) >= root:
        square = np.nextafter(square, ZERO)
    while np.sqrt(square) < root:
        square = np.nextafter(square, INFINITY)
    return square


_DUPLICATE_M = F32(0.2)
# sqrt(x) < 0.2 and x < this are the same in float32: the root grows with its argument.
_DUPLICATE_SQUARED = _first_square_with_root(_DUPLICATE_M)
_ROUNDING_M = F32(0.05)  # far more than float32 positions within 10 km can be off


@njit(**INLINED)
def best_directions(grid, n_cells, px, py, pz, vx, vy, vz, goal, line_point, parameters, selection):
    """Cheapest directions at a node from its histogram; clears the obstacle costs it made."""
    e_goal, z_goal, goal_distance, z_line = goal_geometry(px, py, pz, goal, line_point)
    facing = is_facing_goal(
        grid, n_cells, e_goal, z_goal, parameters.min_range, parameters.max_range
    )
    azimuth_costs(
        z_goal, z_line, facing, parameters.yaw_weight, grid.yaw_cost, grid.line_cost, grid.azimuth_least
    )
    rows, columns = fill_obstacle_costs(grid, n_cells, parameters.obstacle_weight)
    speed = norm3(vx, vy, vz)
    found = search(
        grid, rows, columns, vx, vy, vz, speed, e_goal, goal_distance, parameters, selection
    )
    clear_obstacle_costs(grid, n_cells, rows)
    return found


@njit(**FAST_MATH_FREE)
def _list_near(nodes, count, x, y, z, low, high, near):
    """Copy the nodes whose squared distance lies between two bounds into `near`; returns how many."""
    n = 0
    for i in range(count):
        dx, dy, dz = nodes.x[i] - x, nodes.y[i] - y, nodes.z[i] - z
        squared = dx * dx + (dy * dy + dz * dz)
        near.x[n], near.y[n], near.z[n] = nodes.x[i], nodes.y[i], nodes.z[i]
        n += 1 if (squared > low) & (squared < high) else 0
    for k in range(n, n + NODE_BLOCK):  # the rest of the last block is nowhere
        near.x[k] = INFINITY
    return n


@njit(**FAST_MATH_FREE)
def _is_duplicate(near, n, x, y, z):
    """Is one of the listed nodes closer than 0.2 m?"""
    hits = np.int32(0)
    for i in range((n + NODE_BLOCK - 1) // NODE_BLOCK * NODE_BLOCK):
        dx, dy, dz = near.x[i] - x, near.y[i] - y, near.z[i] - z
        hits += np.int32(1) if dx * dx + (dy * dy + dz * dz) < _DUPLICATE_SQUARED else np.int32(0)
    return hits != 0


@njit(**FAST_MATH_FREE)
def _next_origin(nodes, count):
    """The cheapest node that may be expanded, -1 if none; the lowest index wins ties."""
    best = -1
    cheapest = INFINITY
    for i in range(count):
        if nodes.key[i] < cheapest:
            cheapest = nodes.key[i]
            best = i
    return best


@njit(**FAST_MATH_FREE)
def build_tree(
    cloud,
    n,
    padded,
    n_cells,
    px,
    py,
    pz,
    vx,
    vy,
    vz,
    goal,
    line_point,
    parameters,
    grid,
    nodes,
    selection,
    trace,
):
    """Build the tree from a vehicle state; returns (nodes, expansions).

    `grid` holds the histogram around the vehicle with `n_cells` cells; it is clear afterwards. `trace`
    (expansions, children, 3) receives the candidates of each expansion if it has room.
    """
    h = norm3(goal[0] - px, goal[1] - py, goal[2] - pz) * parameters.heuristic_weight
    nodes.x[0], nodes.y[0], nodes.z[0] = px, py, pz
    nodes.vx[0], nodes.vy[0], nodes.vz[0] = vx, vy, vz
    nodes.total[0] = nodes.heuristic[0] = h
    nodes.parent[0] = nodes.depth[0] = nodes.closed[0] = 0
    nodes.key[0] = INFINITY
    count = 1
    origin = 0
    expanded = 0
    step = parameters.node_distance
    near = nodes.near
    while expanded < parameters.expansions:
        x, y, z = nodes.x[origin], nodes.y[origin], nodes.z[origin]
        if expanded > 0:
            n_cells = fill_histogram(cloud, n, padded, x, y, z, grid)
        found = best_directions(
            grid, n_cells, x, y, z, nodes.vx[origin], nodes.vy[origin], nodes.vz[origin], goal, line_point,
            parameters, selection,
        )  # fmt: skip
        # A child lies one step from the origin: only nodes about that far can be its duplicates.
        inner = step - _DUPLICATE_M - _ROUNDING_M
        outer = step + _DUPLICATE_M + _ROUNDING_M
        low = inner * inner if inner > ZERO else -ONE
        n_near = _list_near(nodes, count, x, y, z, low, outer * outer, near)
        for k in range(found):
            if expanded < trace.shape[0]:
                trace[expanded, k, 0] = selection.cost[k]
                trace[expanded, k, 1] = np.float32(selection.cell[k])
            cell = selection.cell[k]
            row, column = cell // STRIDE, cell % STRIDE
            nx = x + step * COS_E[row] * SIN_Z[column]
            ny = y + step * COS_E[row] * COS_Z[column]
            nz = z + step * SIN_E[row]
            if _is_duplicate(near, n_near, nx, ny, nz):
                continue
            h = norm3(goal[0] - nx, goal[1] - ny, goal[2] - nz) * parameters.heuristic_weight
            nodes.x[count], nodes.y[count], nodes.z[count] = nx, ny, nz
            nodes.vx[count], nodes.vy[count], nodes.vz[count] = nx - x, ny - y, nz - z
            nodes.heuristic[count] = h
            total = nodes.total[origin] - nodes.heuristic[origin] + selection.cost[k] + h
            nodes.total[count] = total
            in_reach = norm3(nx - px, ny - py, nz - pz) < parameters.max_range
            nodes.key[count] = total if in_reach else INFINITY
            nodes.parent[count] = origin
            nodes.depth[count] = nodes.depth[origin] + 1
            nodes.closed[count] = 0
            near.x[n_near], near.y[n_near], near.z[n_near] = nx, ny, nz
            n_near += 1
            if n_near % NODE_BLOCK == 0:
                for i in range(n_near, n_near + NODE_BLOCK):
                    near.x[i] = INFINITY
            count += 1
        if found == 0:
            nodes.total[origin] = INFINITY
        nodes.closed[origin] = 1
        nodes.key[origin] = INFINITY
        nodes.order[expanded] = origin
        expanded += 1
        origin = _next_origin(nodes, count)
        if origin < 0:
            break
    return count, expanded


@njit(**FAST_MATH_FREE)
def extract_path(nodes, count, path):
    """Positions from the deepest open node (first created wins) up to the vehicle; returns how many."""
    end = 0
    deepest = 0
    for i in range(count):
        if nodes.closed[i] == 0 and nodes.depth[i] > deepest:
            deepest = nodes.depth[i]
            end = i
    length = 0
    node = end
    while True:
        path[length, 0], path[length, 1], path[length, 2] = nodes.x[node], nodes.y[node], nodes.z[node]
        length += 1
        if node == 0:
            return length
        node = nodes.parent[node]
