"""One planning cycle as compiled functions: take in points, histogram, closest point, tree, path."""

from __future__ import annotations

import math

from uav_testgen.core.kernel import kernel
from uav_testgen.planner.vfh3d.compiled.bulk import fill_block
from uav_testgen.planner.vfh3d.compiled.grid import F32, ZERO
from uav_testgen.planner.vfh3d.compiled.histogram import fill_histogram
from uav_testgen.planner.vfh3d.compiled.memory import add_cloud, add_memory, clear_fine
from uav_testgen.planner.vfh3d.compiled.tree import build_tree, extract_path

_SMALLEST_NORMAL = F32(1.17549435e-38)
_SHORT_TRACK_M = F32(0.001)


@kernel
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


@kernel
def is_histogram_empty(grid, n_cells):
    """True if no cell holds a distance above the smallest normal number."""
    filled = 0
    for s in range(n_cells):
        filled += 1 if grid.distance[s] > _SMALLEST_NORMAL else 0
    return filled == 0


@kernel
def plan_from_cloud(cloud, n, state, goal, line_point, parameters, workspace, trace):
    """Histogram, tree and path for a kept cloud; `state` is (px, py, pz, vx, vy, vz).

    Returns (planned, tree nodes, expansions, path length); the path is in `workspace.path`.
    """
    if n == 0:
        return False, 0, 0, 0
    grid, nodes = workspace.grid, workspace.nodes
    padded = fill_block(cloud.x, cloud.y, cloud.z, n)
    n_cells = fill_histogram(cloud, n, padded, state[0], state[1], state[2], grid)
    if is_histogram_empty(grid, n_cells):
        return False, 0, 0, 0
    count, expanded = build_tree(
        cloud, n, padded, n_cells, state[0], state[1], state[2], state[3], state[4], state[5], goal,
        line_point, parameters, grid, nodes, workspace.selection, trace,
    )  # fmt: skip
    return True, count, expanded, extract_path(nodes, count, workspace.path)


@kernel
def remember(workspace, n):
    """The kept cloud becomes the memory of the next cycle."""
    fresh, memory = workspace.fresh, workspace.memory
    for i in range(n):
        memory.x[i], memory.y[i], memory.z[i] = fresh.x[i], fresh.y[i], fresh.z[i]
        memory.age[i] = fresh.age[i]


@kernel
def take_in(
    points, n_memory, px, py, pz, yaw, pitch, fovs, elapsed, parameters, workspace, kept_new, kept_memory
):
    """Thin the new points, add the remembered ones; returns (new points, all points) in `workspace.fresh`."""
    count, touched = workspace.fine_count, workspace.fine_touched
    n_new, n_touched = add_cloud(
        points, px, py, pz, parameters, count, touched, 0, workspace.chunk, workspace.fresh, 0, kept_new, 0
    )
    n, n_touched = add_memory(
        workspace.memory, n_memory, px, py, pz, yaw, pitch, fovs, elapsed, parameters, count, touched,
        n_touched, workspace.chunk, workspace.fresh, n_new, kept_memory,
    )  # fmt: skip
    clear_fine(count, touched, n_touched)
    return n_new, n


@kernel
def planning_cycle(
    points,
    n_memory,
    state,
    yaw,
    pitch,
    fovs,
    elapsed,
    goal,
    previous,
    parameters,
    workspace,
    line_point,
    trace,
    kept_new,
    kept_memory,
):
    """One whole cycle; returns (new points, kept points, planned, tree nodes, expansions, path length)."""
    n_new, n = take_in(
        points, n_memory, state[0], state[1], state[2], yaw, pitch, fovs, elapsed, parameters, workspace,
        kept_new, kept_memory,
    )  # fmt: skip
    closest_point(state[0], state[1], goal, previous, parameters.cruise, line_point)
    planned, nodes, expanded, length = plan_from_cloud(
        workspace.fresh, n, state, goal, line_point, parameters, workspace, trace
    )
    remember(workspace, n)
    return n_new, n, planned, nodes, expanded, length
