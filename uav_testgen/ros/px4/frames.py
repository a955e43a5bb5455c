"""PX4's NED world and FRD body to our ENU world and FLU body, and back. Pure functions."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SET_YAW, SET_YAW_RATE
from uav_testgen.core.frames import (
    Vector3,
    euler_from_quaternion_wxyz,
    position_enu_to_ned,
    position_ned_to_enu,
    yaw_enu_to_ned,
)

Quaternion = tuple[float, float, float, float]

FRAME_NED: Final = 1
VELOCITY_BODY_FRD: Final = 3
_HALF: Final = math.sqrt(0.5)
_NED_IN_ENU: Final = (0.0, _HALF, _HALF, 0.0)
_FLU_IN_FRD: Final = (0.0, 1.0, 0.0, 0.0)


class Estimate(NamedTuple):
    """One sample of PX4's odometry in ENU, still relative to PX4's own origin."""

    position_enu_m: Vector3
    velocity_enu_mps: Vector3
    attitude_rad: Vector3
    """Roll, pitch, yaw in ENU and FLU, applied as Rz Ry Rx."""


def estimate_from_odometry(
    position: Vector3, velocity: Vector3, quaternion: Quaternion, pose_frame: int, velocity_frame: int
) -> Estimate | None:
    """Odometry in our frames; None if it is not usable: not finite, or in a frame without north."""
    numbers = (*position, *velocity, *quaternion)
    if not all(math.isfinite(number) for number in numbers) or pose_frame != FRAME_NED:
        return None
    norm = math.sqrt(sum(part * part for part in quaternion))
    if not 0.9 < norm < 1.1:
        return None
    w, x, y, z = (part / norm for part in quaternion)
    if velocity_frame == VELOCITY_BODY_FRD:
        velocity_ned = rotate(velocity, (w, x, y, z))
    elif velocity_frame == FRAME_NED:
        velocity_ned = velocity
    else:
        return None
    attitude = multiply(multiply(_NED_IN_ENU, (w, x, y, z)), _FLU_IN_FRD)
    return Estimate(
        position_ned_to_enu(position),
        position_ned_to_enu(velocity_ned),
        euler_from_quaternion_wxyz(attitude),
    )


class NedSetpoint(NamedTuple):
    """PX4's TrajectorySetpoint without its stamps; NaN is no demand."""

    position: Vector3
    velocity: Vector3
    acceleration: Vector3
    yaw: float
    yawspeed: float


def setpoint_to_ned(setpoint_enu: FloatArray) -> NedSetpoint:
    """A set-point (the vector of `core.body`) in PX4's frame; what is not demanded stays NaN."""
    position, velocity, acceleration = (
        position_enu_to_ned((float(east), float(north), float(up)))
        for east, north, up in np.reshape(setpoint_enu[:SET_YAW], (3, 3))
    )
    yaw, rate = float(setpoint_enu[SET_YAW]), float(setpoint_enu[SET_YAW_RATE])
    return NedSetpoint(
        position, velocity, acceleration, yaw_enu_to_ned(yaw) if math.isfinite(yaw) else math.nan, -rate
    )


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Hamilton product of two quaternions (w, x, y, z)."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def rotate(vector: Vector3, quaternion: Quaternion) -> Vector3:
    """The vector turned by a unit quaternion."""
    w, x, y, z = quaternion
    _, rx, ry, rz = multiply(multiply(quaternion, (0.0, *vector)), (w, -x, -y, -z))
    return (rx, ry, rz)
