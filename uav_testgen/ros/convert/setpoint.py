"""A set-point, the vector of `core.body`, to a message and back."""

from __future__ import annotations

import math

import numpy as np
from std_msgs.msg import Header
from uav_testgen_msgs.msg import Setpoint

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import (
    SET_ACCELERATION,
    SET_POSITION,
    SET_VELOCITY,
    SET_YAW,
    SET_YAW_RATE,
    SETPOINT_SIZE,
)
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.base import Pose
from uav_testgen.planner.follow import complete
from uav_testgen.ros.convert.motion import MAX_DISTANCE_M, MAX_SPEED_MPS
from uav_testgen.ros.convert.parts import point_to_msg, vector_to_msg, xyz_from_msg

MAX_ACCELERATION_MPS2 = 500.0
MAX_ANGLE_RAD = 1000.0


def setpoint_to_msg(setpoint: FloatArray, header: Header) -> Setpoint:
    """Set-point to message."""
    return Setpoint(
        header=header,
        position=point_to_msg(setpoint[SET_POSITION : SET_POSITION + 3]),
        velocity=vector_to_msg(setpoint[SET_VELOCITY : SET_VELOCITY + 3]),
        acceleration=vector_to_msg(setpoint[SET_ACCELERATION : SET_ACCELERATION + 3]),
        yaw=float(setpoint[SET_YAW]),
        yaw_rate=float(setpoint[SET_YAW_RATE]),
    )


def setpoint_from_msg(message: Setpoint) -> FloatArray:
    """Message to set-point; PlannerInputError names the field that no vehicle can fly."""
    setpoint = np.full(SETPOINT_SIZE, np.nan)
    for name, slot, limit in (
        ("position", SET_POSITION, MAX_DISTANCE_M),
        ("velocity", SET_VELOCITY, MAX_SPEED_MPS),
        ("acceleration", SET_ACCELERATION, MAX_ACCELERATION_MPS2),
    ):
        setpoint[slot : slot + 3] = _within(xyz_from_msg(getattr(message, name)), name, limit)
    setpoint[SET_YAW] = _within((message.yaw,), "yaw", MAX_ANGLE_RAD)[0]
    setpoint[SET_YAW_RATE] = _within((message.yaw_rate,), "yaw_rate", MAX_ANGLE_RAD)[0]
    return setpoint


def with_position(setpoint: FloatArray, pose: Pose, goal_enu_m: FloatArray) -> FloatArray:
    """A set-point for vehicles that fly to positions; one that names its position and no turn is left as it is."""
    turns = math.isnan(setpoint[SET_YAW]) and not math.isnan(setpoint[SET_YAW_RATE])
    if np.isfinite(setpoint[SET_POSITION : SET_POSITION + 3]).all() and not turns:
        return setpoint
    return complete(setpoint, pose, goal_enu_m)


def _within(numbers: tuple[float, ...], name: str, limit: float) -> tuple[float, ...]:
    """NaN is no demand; anything else must be possible."""
    if not all(math.isnan(number) or abs(number) <= limit for number in numbers):
        raise PlannerInputError(f"{name} {numbers} is infinite or beyond {limit:g}")
    return numbers
