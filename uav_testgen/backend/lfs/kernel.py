"""One flight as one compiled function: sense, plan, move, until it is over.

It releases the GIL, allocates nothing per step that grows, and depends on nothing but its arguments.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from uav_testgen.backend.lfs.attitude import planner_attitude
from uav_testgen.backend.lfs.vehicles import image_pose, move, needs_plan
from uav_testgen.planner.vfh3d.compiled.cycle import closest_point, plan_from_cloud, remember
from uav_testgen.planner.vfh3d.compiled.memory import add_cloud, add_memory, clear_fine
from uav_testgen.sensing.cloud import see
from uav_testgen.vehicle.base import LEG, PITCH, POSITION, ROLL, VELOCITY, YAW
from uav_testgen.vehicle.image_pose import IMAGE_PITCH, IMAGE_ROLL, IMAGE_YAW, POSE_SIZE
from uav_testgen.vehicle.mission import (
    FLYING,
    HIT_GROUND,
    HIT_OBSTACLE,
    PHASE,
    STARTS_INSIDE,
    TIME_UP,
    after_step,
    begin,
    set_goal,
)
from uav_testgen.world.distance import point_distance
from uav_testgen.world.ground import height_at
from uav_testgen.world.motion import place_obstacles

# Columns of the record kept per step.
N_POINTS, N_KEPT, PLANNED, DISTANCE = range(4)
RECORD_SIZE = 4


@njit(cache=True, nogil=True, error_model="numpy")
def least_distance(placed: Any, body: Any) -> float:
    """Distance to the nearest obstacle, infinite without obstacles."""
    least = np.inf
    for k in range(placed.shape[0]):
        d = point_distance(placed[k], body[POSITION], body[POSITION + 1], body[POSITION + 2], False)
        least = d if d < least else least
    return least


@njit(cache=True, nogil=True, error_model="numpy")
def is_below_ground(ground: Any, body: Any) -> bool:
    """Is the vehicle under the surface? False where there is no ground."""
    height = height_at(ground.vector, ground.heights, body[POSITION], body[POSITION + 1])
    return bool(body[POSITION + 2] < height)


@njit(cache=True, nogil=True, error_model="numpy")
def collision_code(distance_m: float, ground: Any, body: Any, phase: int) -> int:
    """What the vehicle ran into, if anything; near the ground only a leg counts as a crash."""
    if distance_m == 0.0:
        return HIT_OBSTACLE
    if phase == LEG and is_below_ground(ground, body):
        return HIT_GROUND
    return FLYING


@njit(cache=True, nogil=True, error_model="numpy")
def fly_kernel(
    obstacles: Any,
    moving: bool,
    ground: Any,
    rig: Any,
    parameters: Any,
    fovs: Any,
    workspace: Any,
    mission: Any,
    mission_state: Any,
    vehicle: Any,
    body: Any,
    dt_s: float,
    seed: int,
    track: NDArray[np.float64],
    record: NDArray[np.float64],
    waypoint_steps: NDArray[np.int64],
) -> tuple[int, int]:
    """Fly until something ends the flight; returns (steps flown, why).

    `track[k]` is the body before step k, `record[k]` what was seen and planned in it; the last row of
    the track is where the flight ended. `waypoint_steps[i]` is the step that reached route point i.
    """
    capacity = track.shape[0]
    placed = obstacles.copy()
    goal, previous = np.zeros(3), np.zeros(3)
    goal32, previous32 = np.zeros(3, np.float32), np.zeros(3, np.float32)
    line_point = np.zeros(3, np.float32)
    state = np.zeros(6, np.float32)
    no_trace = np.zeros((0, 0, 2), np.float32)
    no_indices = np.zeros(0, np.int64)
    seen_from = np.zeros(POSE_SIZE)
    n_memory = 0
    path_length = 0
    path_time_s = 0.0
    last_t_s = 0.0
    begin(mission, mission_state)
    if moving:
        place_obstacles(obstacles, 0.0, placed)
    distance = least_distance(placed, body)
    track[0] = body
    record[0, DISTANCE] = distance
    if distance == 0.0:
        return 0, STARTS_INSIDE
    step = 0
    while True:
        t_s = step * dt_s
        phase = mission_state.counters[PHASE]
        set_goal(mission, mission_state, goal, previous)
        for axis in range(3):
            state[axis] = body[POSITION + axis]
            state[3 + axis] = body[VELOCITY + axis]
            goal32[axis], previous32[axis] = goal[axis], previous[axis]
        # sense
        n, n_touched, n_points = 0, 0, 0
        image_pose(vehicle, body, seen_from)
        for k in range(len(rig)):
            run = rig[k]
            slot = step % (run.delay + 1)
            run.counts[slot] = see(
                placed, ground, run.camera, run.noise, seed, step, k, seen_from[:3], seen_from[IMAGE_ROLL],
                seen_from[IMAGE_PITCH], seen_from[IMAGE_YAW], run.depth, run.points[slot],
            )  # fmt: skip
            if step < run.delay:
                continue
            slot = (step - run.delay) % (run.delay + 1)
            count = run.counts[slot]
            n_points += count
            n, n_touched = add_cloud(
                run.points[slot][:count], state[0], state[1], state[2], parameters, workspace.fine_count,
                workspace.fine_touched, n_touched, workspace.chunk, workspace.fresh, n, no_indices, 0,
            )  # fmt: skip
        # plan
        yaw, pitch = planner_attitude(body[ROLL], body[PITCH], body[YAW])
        n, n_touched = add_memory(
            workspace.memory, n_memory, state[0], state[1], state[2], yaw, pitch, fovs,
            np.float32(t_s - last_t_s), parameters, workspace.fine_count, workspace.fine_touched, n_touched,
            workspace.chunk, workspace.fresh, n, no_indices,
        )  # fmt: skip
        clear_fine(workspace.fine_count, workspace.fine_touched, n_touched)
        planned = False
        if needs_plan(vehicle, phase):
            closest_point(state[0], state[1], goal32, previous32, parameters.cruise, line_point)
            planned, _, _, length = plan_from_cloud(
                workspace.fresh, n, state, goal32, line_point, parameters, workspace, no_trace
            )
            if planned:
                path_length = length
                path_time_s = t_s
        remember(workspace, n)
        n_memory = n
        last_t_s = t_s
        record[step, N_POINTS], record[step, N_KEPT] = n_points, n
        record[step, PLANNED] = 1.0 if planned else 0.0
        # move
        move(
            vehicle, body, phase, goal, previous, planned, workspace.path, path_length, path_time_s, t_s,
            dt_s, fovs,
        )  # fmt: skip
        step += 1
        t_s = step * dt_s
        track[step] = body
        before = mission_state.counters[1]
        code = after_step(mission, mission_state, body, t_s)
        if code == FLYING and mission_state.counters[1] > before and before < waypoint_steps.shape[0]:
            waypoint_steps[before] = step
        if moving:
            place_obstacles(obstacles, t_s, placed)
        distance = least_distance(placed, body)
        record[step, DISTANCE] = distance
        if code != FLYING:
            return step, code
        code = collision_code(distance, ground, body, phase)
        if code != FLYING:
            return step, code
        if t_s >= mission.time_limit_s - 1e-9 or step + 1 >= capacity:
            return step, TIME_UP
