"""One planning cycle as compiled functions: take in points, histogram, closest point, tree, path."""

from __future__ import annotations

import math

from numba import njit

from uav_testgen.planner.fast.bulk import fill_block
from uav_testgen.planner.fast.grid import F32, FAST_MATH_FREE, ZERO
from uav_testgen.planner.fast.histogram import clear_histogram, fill_histogram
from uav_testgen.planner.fast.tree import build_tree, extract_path

_SMALLEST_NORMAL = F32(1.17549435e-38)
_SHORT_TRACK_M = F32(0.001)


@njit(**FAST_MATH_FREE)
def closest_point(px, py, goal, previous, cruise, out):
    """Point of the track line nearest to the vehicle, or the goal while the vehicle is near the line."""
    gx, gy = goal[0] - previous[0], goal[1] - previous[1]
    length = math.sqrt(gx * gx + gy * gy)
    ux, uy = ZERO, ZERO
    if length > ZERO:
        ux, uy = gx / length, gy / length
    along = ux * (px - previous[0]) + uy * (py - previous[1])
    cx = previous[0] + ux * along
    cy = previous[1] + uy * along
    off_x, off_y = px - cx, py - cy
    out[2] = goal[2]
    if math.sqrt(off_x * off_x + off_y * off_y) < cruise or length < _SHORT_TRACK_M:
        out[0], out[1] = goal[0], goal[1]
    else:
        out[0], out[1] = cx, cy


@njit(**FAST_MATH_FREE)
def is_histogram_empty(grid, n_touched):
    """True if no cell holds a distance above the smallest normal number."""
    for k in range(n_touched):
        if grid.distance[grid.touched[k]] > _SMALLEST_NORMAL:
            return False
    return True


@njit(**FAST_MATH_FREE)
def plan_from_cloud(cloud, n, state, goal, line_point, parameters, workspace, trace):
    """Histogram, tree and path for a kept cloud; `state` is (px, py, pz, vx, vy, vz).

    Returns (planned, tree nodes, expansions, path length); the path is in `workspace.path`.
    """
    if n == 0:
        return False, 0, 0, 0
    grid, nodes = workspace.grid, workspace.nodes
    padded = fill_block(cloud.x, cloud.y, cloud.z, n)
    n_touched = fill_histogram(cloud, n, padded, state[0], state[1], state[2], grid)
    if is_histogram_empty(grid, n_touched):
        clear_histogram(grid, n_touched)
        return False, 0, 0, 0
    count, expanded = build_tree(
        cloud, n, padded, n_touched, state[0], state[1], state[2], state[3], state[4], state[5], goal,
        line_point, parameters, grid, nodes, workspace.selection, trace,
    )  # fmt: skip
    return True, count, expanded, extract_path(nodes, count, workspace.path)
