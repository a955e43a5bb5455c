"""One step of the closed loop, compiled: sense, plan, guide, move, track. Read this first.

It releases the GIL, depends on nothing but its arguments, and is what a whole flight repeats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uav_testgen.core.body import PITCH, POSITION, ROLL, VELOCITY, YAW, stay_here
from uav_testgen.core.copying import copy_numbers
from uav_testgen.core.kernel import kernel
from uav_testgen.loop.image_pose import IMAGE_PITCH, IMAGE_ROLL, IMAGE_YAW, image_time, keep_pose, pose_before
from uav_testgen.loop.state import DISTANCE, N_KEPT, N_POINTS, PLANNED
from uav_testgen.loop.track import distance_at, track_step
from uav_testgen.planner import guide as guides
from uav_testgen.planner.vfh3d.compiled.attitude import planner_attitude
from uav_testgen.planner.vfh3d.compiled.cycle import closest_point, plan_from_cloud, remember
from uav_testgen.planner.vfh3d.compiled.memory import add_cloud, add_memory, clear_fine
from uav_testgen.sensing.cloud import see
from uav_testgen.vehicle import base as vehicles
from uav_testgen.vehicle.mission import FLYING, STARTS_INSIDE, STOPPED, begin, set_goal
from uav_testgen.world.motion import place_obstacles
from uav_testgen.world.wind import wind_at

start_guide, guide, plans_in = guides.start, guides.guide, guides.plans_in
start_vehicle, advance = vehicles.start, vehicles.advance


@kernel
def start(setup: Any, scratch: Any, state: Any, log: Any) -> int:
    """Everything as it is before the first step; says whether the flight can begin."""
    clock = state.clock[0]
    clock.step = clock.cycle = clock.n_memory = clock.path_length = clock.waiting_length = clock.stop = 0
    clock.planned_at_s = clock.path_time_s = clock.waiting_time_s = 0.0
    begin(setup.mission, state.progress)
    start_vehicle(setup.vehicle, state.vehicle, state.body)
    start_guide(setup.guide, state.guide)
    stay_here(state.body, state.setpoint)
    distance_m = distance_at(setup.obstacles, setup.moving, scratch.placed, state.body, 0.0)
    copy_numbers(state.body, log.track[0])
    log.record[0, DISTANCE] = distance_m
    clock.code = STARTS_INSIDE if distance_m == 0.0 else FLYING
    return int(clock.code)


@kernel
def step(setup: Any, scratch: Any, state: Any, log: Any) -> int:
    """One step; FLYING means go on."""
    clock, body = state.clock[0], state.body
    moments, mission, workspace = setup.moments, setup.mission, scratch.workspace
    number = clock.step
    t_s = number * moments.dt_s
    phase = state.progress[0].phase
    goal, previous = scratch.goal, scratch.previous
    set_goal(mission, state.progress, goal, previous)
    motion = scratch.motion32
    for axis in range(3):
        motion[axis] = body[POSITION + axis]
        motion[3 + axis] = body[VELOCITY + axis]
        scratch.goal32[axis], scratch.previous32[axis] = goal[axis], previous[axis]
    # sense
    n, n_touched, n_points = 0, 0, 0
    pose = scratch.pose
    pose_before(state.poses, clock.cycle, moments.image_cycles, body, pose)
    if setup.moving and moments.image_age_s > 0.0:
        place_obstacles(setup.obstacles, image_time(t_s, moments.image_age_s), scratch.placed)
    for k in range(len(setup.cameras)):
        camera, ring = setup.cameras[k], state.cameras[k]
        slot = number % (camera.delay + 1)
        ring.counts[slot] = see(
            scratch.placed, setup.ground, camera.camera, camera.noise, setup.seed, number, k, pose[:3],
            pose[IMAGE_ROLL], pose[IMAGE_PITCH], pose[IMAGE_YAW], camera.scratch, camera.depth,
            ring.points[slot],
        )  # fmt: skip
        if number < camera.delay:
            continue
        slot = (number - camera.delay) % (camera.delay + 1)
        count = ring.counts[slot]
        n_points += count
        n, n_touched = add_cloud(
            ring.points[slot][:count], motion[0], motion[1], motion[2], setup.parameters,
            workspace.fine_count, workspace.fine_touched, n_touched, workspace.chunk, workspace.fresh, n,
            scratch.no_indices, 0,
        )  # fmt: skip
    # plan
    yaw, pitch = planner_attitude(body[ROLL], body[PITCH], body[YAW])
    n, n_touched = add_memory(
        workspace.memory, clock.n_memory, motion[0], motion[1], motion[2], yaw, pitch, setup.views,
        np.float32(t_s - clock.planned_at_s), setup.parameters, workspace.fine_count, workspace.fine_touched,
        n_touched, workspace.chunk, workspace.fresh, n, scratch.no_indices,
    )  # fmt: skip
    clear_fine(workspace.fine_count, workspace.fine_touched, n_touched)
    planned = False
    if plans_in(setup.guide, phase):
        closest_point(
            motion[0], motion[1], scratch.goal32, scratch.previous32, setup.parameters.cruise,
            scratch.line_point,
        )  # fmt: skip
        planned, _, _, length = plan_from_cloud(
            workspace.fresh, n, motion, scratch.goal32, scratch.line_point, setup.parameters, workspace,
            scratch.no_trace,
        )  # fmt: skip
        if planned:
            clock.path_length = length
            clock.path_time_s = t_s
    remember(workspace, n)
    clock.n_memory = n
    clock.planned_at_s = t_s
    log.record[number, N_POINTS], log.record[number, N_KEPT] = n_points, n
    log.record[number, PLANNED] = 1.0 if planned else 0.0
    # guide and move
    scratch.wind[0], scratch.wind[1], scratch.wind[2] = wind_at(setup.wind, setup.seed, t_s)
    cycle_s = moments.dt_s / moments.cycles
    for cycle in range(moments.cycles):
        if cycle == moments.lead:
            path, path_length, path_time_s = state.path, clock.path_length, clock.path_time_s
            if moments.is_late:
                path, path_length = state.waiting_path, clock.waiting_length
                path_time_s = clock.waiting_time_s
            guide(
                setup.guide, state.guide, body, phase, goal, planned, path, path_length, path_time_s,
                t_s + cycle * cycle_s, state.setpoint,
            )  # fmt: skip
        advance(
            setup.vehicle, state.vehicle, body, phase, previous, goal, state.setpoint, scratch.wind, cycle_s
        )
        clock.cycle += 1
        keep_pose(state.poses, clock.cycle, body)
    if moments.is_late:
        for corner in range(clock.path_length):
            copy_numbers(state.path[corner], state.waiting_path[corner])
        clock.waiting_length, clock.waiting_time_s = clock.path_length, clock.path_time_s
    # track
    clock.step = number + 1
    t_s = clock.step * moments.dt_s
    copy_numbers(body, log.track[clock.step])
    distance_m = distance_at(setup.obstacles, setup.moving, scratch.placed, body, t_s)
    log.record[clock.step, DISTANCE] = distance_m
    clock.code, reached = track_step(mission, state.progress, setup.ground, body, distance_m, t_s)
    if 0 <= reached < log.waypoint_steps.shape[0]:
        log.waypoint_steps[reached] = clock.step
    if clock.code == FLYING and clock.stop != 0:
        clock.code = STOPPED
    return int(clock.code)
