"""The look-ahead tree (A*-like) over the cheapest directions, and the path through it."""

from __future__ import annotations

from typing import Any

import numpy as np

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.planner.vfh3d.compiled.candidates import search
from uav_testgen.planner.vfh3d.compiled.cost import azimuth_costs
from uav_testgen.planner.vfh3d.compiled.goal import goal_geometry, is_facing_goal
from uav_testgen.planner.vfh3d.compiled.grid import (
    COS_E,
    COS_Z,
    F32,
    INFINITY,
    SIN_E,
    SIN_Z,
    STRIDE,
    TWO,
    U64,
    ZERO,
)
from uav_testgen.planner.vfh3d.compiled.histogram import fill_histogram
from uav_testgen.planner.vfh3d.compiled.obstacle_cost import clear_obstacle_costs, fill_obstacle_costs
from uav_testgen.planner.vfh3d.compiled.polar import norm3
from uav_testgen.planner.vfh3d.compiled.workspace import NODE_BLOCK, OCCUPIED_BITS


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
_REACH_M = F32(0.25)  # more than a duplicate's offset can differ, rounding included
_BIT_MASK = U64(OCCUPIED_BITS - 1)
_Y_FACTOR = U64(89)  # spread the cubes of a tree over the bits; any numbers give the same tree
_Z_FACTOR = U64(89 * 97)
_INFINITY_BITS = INFINITY.view(np.int32)


@inlined
def best_directions(grid, n_cells, px, py, pz, vx, vy, vz, goal, line_point, parameters, selection):
    """Cheapest directions at a node from its histogram; clears the obstacle costs it made."""
    e_goal, z_goal, goal_distance, z_line = goal_geometry(px, py, pz, goal, line_point)
    facing = is_facing_goal(grid, n_cells, e_goal, z_goal, parameters.min_range, parameters.max_range)
    azimuth_costs(
        z_goal, z_line, facing, parameters.yaw_weight, grid.yaw_cost, grid.line_cost, grid.azimuth_least
    )
    rows, columns = fill_obstacle_costs(grid, n_cells, parameters.obstacle_weight)
    speed = norm3(vx, vy, vz)
    found = search(grid, rows, columns, vx, vy, vz, speed, e_goal, goal_distance, parameters, selection)
    clear_obstacle_costs(grid, n_cells, rows)
    return found


@inlined
def _cube(offset):
    """Number of the half-metre interval that an offset from the vehicle lies in."""
    return U64(np.int64(np.floor(offset * TWO)))


@inlined
def _mark(occupied, dx, dy, dz):
    """Remember that there is a node in the cube of an offset."""
    bit = (_cube(dx) + _cube(dy) * _Y_FACTOR + _cube(dz) * _Z_FACTOR) & _BIT_MASK
    occupied[bit >> U64(6)] |= U64(1) << (bit & U64(63))


@inlined
def _may_be_near(occupied, dx, dy, dz):
    """Can a node be closer than 0.2 m to an offset? Looks at the up to eight cubes around it."""
    x0, x1 = _cube(dx - _REACH_M), _cube(dx + _REACH_M)
    y0, y1 = _cube(dy - _REACH_M) * _Y_FACTOR, _cube(dy + _REACH_M) * _Y_FACTOR
    z0, z1 = _cube(dz - _REACH_M) * _Z_FACTOR, _cube(dz + _REACH_M) * _Z_FACTOR
    found = U64(0)
    for yz in (y0 + z0, y1 + z0, y0 + z1, y1 + z1):
        for x in (x0, x1):
            bit = (x + yz) & _BIT_MASK
            found |= occupied[bit >> U64(6)] >> (bit & U64(63))
    return found & U64(1) != U64(0)


@kernel
def _is_duplicate(nodes, count, x, y, z):
    """Is a node closer than 0.2 m? Looks at the youngest nodes first."""
    end = (count + NODE_BLOCK - 1) // NODE_BLOCK * NODE_BLOCK
    while end > 0:
        hits = np.int32(0)
        for i in range(end - NODE_BLOCK, end):
            k = U64(i)
            dx, dy, dz = nodes.x[k] - x, nodes.y[k] - y, nodes.z[k] - z
            is_near = dx * dx + (dy * dy + dz * dz) < _DUPLICATE_SQUARED
            hits = np.int32(hits | (np.int32(1) if is_near else np.int32(0)))
        if hits != 0:
            return True
        end -= NODE_BLOCK
    return False


@kernel
def _next_origin(nodes, count):
    """The cheapest node that may be expanded, -1 if none; the lowest index wins ties."""
    least = _INFINITY_BITS
    for i in range((count + NODE_BLOCK - 1) // NODE_BLOCK * NODE_BLOCK):
        least = min(least, nodes.key_bits[i])
    if least == _INFINITY_BITS:
        return -1
    if least >= 0:
        best = U64(0)
        while nodes.key_bits[best] != least:
            best += U64(1)
        return np.int64(best)
    best = -1  # negative numbers are ordered the other way round: compare the costs themselves
    cheapest = INFINITY
    for i in range(count):
        if nodes.key[i] < cheapest:
            cheapest = nodes.key[i]
            best = i
    return best


@kernel
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
    nodes.key[:] = INFINITY
    nodes.x[1:] = INFINITY
    occupied = nodes.occupied
    occupied[:] = U64(0)
    _mark(occupied, ZERO, ZERO, ZERO)
    count = 1
    origin = 0
    expanded = 0
    step = parameters.node_distance
    while expanded < parameters.expansions:
        x, y, z = nodes.x[origin], nodes.y[origin], nodes.z[origin]
        if expanded > 0:
            n_cells = fill_histogram(cloud, n, padded, x, y, z, grid)
        found = best_directions(
            grid, n_cells, x, y, z, nodes.vx[origin], nodes.vy[origin], nodes.vz[origin], goal, line_point,
            parameters, selection,
        )  # fmt: skip
        for k in range(found):
            if expanded < trace.shape[0]:
                trace[expanded, k, 0] = selection.cost[k]
                trace[expanded, k, 1] = np.float32(selection.cell[k])
            cell = U64(selection.cell[k])
            row, column = cell >> U64(6), cell & U64(STRIDE - 1)
            nx = x + step * COS_E[row] * SIN_Z[column]
            ny = y + step * COS_E[row] * COS_Z[column]
            nz = z + step * SIN_E[row]
            dx, dy, dz = nx - px, ny - py, nz - pz
            if _may_be_near(occupied, dx, dy, dz) and _is_duplicate(nodes, count, nx, ny, nz):
                continue
            _mark(occupied, dx, dy, dz)
            h = norm3(goal[0] - nx, goal[1] - ny, goal[2] - nz) * parameters.heuristic_weight
            nodes.x[count], nodes.y[count], nodes.z[count] = nx, ny, nz
            nodes.vx[count], nodes.vy[count], nodes.vz[count] = nx - x, ny - y, nz - z
            nodes.heuristic[count] = h
            total = nodes.total[origin] - nodes.heuristic[origin] + selection.cost[k] + h
            nodes.total[count] = total
            in_reach = norm3(dx, dy, dz) < parameters.max_range
            nodes.key[count] = total if in_reach else INFINITY
            nodes.parent[count] = origin
            nodes.depth[count] = nodes.depth[origin] + 1
            nodes.closed[count] = 0
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


@kernel
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
