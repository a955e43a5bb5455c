"""The default guide: from a plan of any kind and the newest pose to one complete set-point."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SET_ACCELERATION, SET_POSITION, SET_VELOCITY, SET_YAW, SET_YAW_RATE
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.base import Plan, Pose

LOOK_AHEAD_M: Final = 4.0
"""A path is followed by flying to the point this far along it."""
VELOCITY_HORIZON_S: Final = 1.0
"""A velocity without a position means: be there in this time."""
FACE_BEYOND_M: Final = 0.5
"""A vehicle that is not told where to look looks where it flies, if that is farther than this."""
MAX_PATH_POINTS: Final = 10_000


def setpoint_of(plan: Plan, pose: Pose) -> FloatArray:
    """What a plan demands, a path as the position that leads along it."""
    setpoint = plan.setpoint()
    if plan.path_enu_m is not None:
        setpoint[SET_POSITION : SET_POSITION + 3] = _along(plan.path_enu_m, pose.position_enu_m)
    return setpoint


def complete(setpoint: FloatArray, pose: Pose, goal_enu_m: FloatArray) -> FloatArray:
    """Fill in what vehicles that fly to positions need: velocity and acceleration become a place, silence the goal."""
    if np.isinf(setpoint).any():
        raise PlannerInputError(f"the set-point holds an infinite number: {setpoint.tolist()}")
    full = np.array(setpoint, dtype=np.float64)
    velocity = full[SET_VELOCITY : SET_VELOCITY + 3]
    acceleration = full[SET_ACCELERATION : SET_ACCELERATION + 3]
    for axis in range(3):
        slot = SET_POSITION + axis
        if not math.isnan(full[slot]):
            continue
        if not math.isnan(velocity[axis]):
            full[slot] = pose.position_enu_m[axis] + velocity[axis] * VELOCITY_HORIZON_S
        elif not math.isnan(acceleration[axis]):
            # Alone it says how the speed is to change; with a velocity it is only feed-forward, as for PX4.
            faster = pose.velocity_enu_mps[axis] + 0.5 * acceleration[axis] * VELOCITY_HORIZON_S
            full[slot] = pose.position_enu_m[axis] + faster * VELOCITY_HORIZON_S
    missing = np.isnan(full[SET_POSITION : SET_POSITION + 3])
    if missing.all():
        full[SET_POSITION : SET_POSITION + 3] = goal_enu_m
    else:
        full[SET_POSITION : SET_POSITION + 3][missing] = pose.position_enu_m[missing]
    if math.isnan(full[SET_YAW]):
        full[SET_YAW] = _yaw(full, pose)
    return full


def demand(setpoint: FloatArray, pose: Pose, goal_enu_m: FloatArray, turns: bool = True) -> FloatArray:
    """For vehicles that fly velocities and accelerations, too: only silence is filled in.

    Without any demand the goal is meant and an axis without one is held. Who says nothing about the heading looks
    where it flies; without `turns` the heading is kept, as PX4 does.
    """
    if np.isinf(setpoint).any():
        raise PlannerInputError(f"the set-point holds an infinite number: {setpoint.tolist()}")
    full = np.array(setpoint, dtype=np.float64)
    silent = np.isnan(full[:SET_YAW].reshape(3, 3)).all(axis=0)
    if silent.all():
        full[SET_POSITION : SET_POSITION + 3] = goal_enu_m
    else:
        full[SET_POSITION : SET_POSITION + 3][silent] = pose.position_enu_m[silent]
    if turns and math.isnan(full[SET_YAW]) and math.isnan(full[SET_YAW_RATE]):
        full[SET_YAW] = _yaw(complete(full, pose, goal_enu_m), pose)
    return full


def _yaw(setpoint: FloatArray, pose: Pose) -> float:
    rate = setpoint[SET_YAW_RATE]
    if not math.isnan(rate):
        return float(pose.attitude_rad[2] + rate * VELOCITY_HORIZON_S)
    way = setpoint[SET_POSITION : SET_POSITION + 2] - pose.position_enu_m[:2]
    if math.hypot(way[0], way[1]) < FACE_BEYOND_M:
        return float(pose.attitude_rad[2])
    return math.atan2(way[1], way[0])


def _along(path: object, position: FloatArray) -> FloatArray:
    """The point LOOK_AHEAD_M along the path from where the vehicle is nearest to it."""
    points = np.asarray(path, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or not 1 <= len(points) <= MAX_PATH_POINTS:
        raise PlannerInputError(f"Plan.path_enu_m must have shape (n, 3) with n >= 1, not {points.shape}")
    if not np.isfinite(points).all():
        raise PlannerInputError("Plan.path_enu_m holds numbers that are not finite")
    nearest = int(np.argmin(np.linalg.norm(points - position, axis=1)))
    left_m = LOOK_AHEAD_M
    here = points[nearest]
    for point in points[nearest + 1 :]:
        length_m = float(np.linalg.norm(point - here))
        if length_m >= left_m:
            return np.asarray(here + (point - here) * (left_m / length_m))
        left_m -= length_m
        here = point
    return np.asarray(here)
