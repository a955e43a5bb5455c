"""PX4's NED world and FRD body to our ENU world and FLU body, and back. Pure functions."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

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


def setpoint_to_ned(position_enu_m: Vector3, yaw_enu_rad: float) -> tuple[Vector3, float]:
    """Position and heading of a setpoint; a heading that is not demanded stays NaN."""
    yaw = yaw_enu_to_ned(yaw_enu_rad) if math.isfinite(yaw_enu_rad) else math.nan
    return position_enu_to_ned(position_enu_m), yaw


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
