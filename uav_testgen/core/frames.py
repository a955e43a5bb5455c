"""Frames of reference, as pairs of pure functions.

The core knows one frame: ENU (x east, y north, z up), metres, radians, seconds, yaw counter-clockwise
from +x. Two other frames touch us at the border:

* PX4's NED (x north, y east, z down; yaw clockwise from north);
* Aerialist's test frame (x north, y east, z up; rotation counter-clockwise in its own x-y plane,
  which is clockwise seen from above).
"""

from __future__ import annotations

import math

Vector3 = tuple[float, float, float]


def wrap_pi(angle_rad: float) -> float:
    """Wrap an angle into [-pi, pi)."""
    return angle_rad - 2.0 * math.pi * math.floor(angle_rad / (2.0 * math.pi) + 0.5)


def position_enu_to_ned(position_enu: Vector3) -> Vector3:
    """East-north-up to north-east-down; its own inverse up to the name."""
    east, north, up = position_enu
    return (north, east, -up)


def position_ned_to_enu(position_ned: Vector3) -> Vector3:
    """North-east-down to east-north-up."""
    north, east, down = position_ned
    return (east, north, -down)


def yaw_enu_to_ned(yaw_enu_rad: float) -> float:
    """Heading counter-clockwise from east to heading clockwise from north."""
    return wrap_pi(0.5 * math.pi - yaw_enu_rad)


def position_enu_to_test(position_enu: Vector3) -> Vector3:
    """ENU to Aerialist's test frame: x and y change places, z stays up."""
    east, north, up = position_enu
    return (north, east, up)


def position_test_to_enu(position_test: Vector3) -> Vector3:
    """Aerialist's test frame to ENU."""
    x_north, y_east, up = position_test
    return (y_east, x_north, up)


def quaternion_wxyz_from_euler(
    roll_rad: float, pitch_rad: float, yaw_rad: float
) -> tuple[float, float, float, float]:
    """Body to world rotation Rz(yaw) Ry(pitch) Rx(roll); positive pitch is nose down in FLU axes."""
    cr, sr = math.cos(0.5 * roll_rad), math.sin(0.5 * roll_rad)
    cp, sp = math.cos(0.5 * pitch_rad), math.sin(0.5 * pitch_rad)
    cy, sy = math.cos(0.5 * yaw_rad), math.sin(0.5 * yaw_rad)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


def euler_from_quaternion_wxyz(
    quaternion_wxyz: tuple[float, float, float, float],
) -> tuple[float, float, float]:
    """(roll, pitch, yaw) of a unit quaternion; pitch is limited to +-pi/2 at the singularity."""
    w, x, y, z = quaternion_wxyz
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    sine = max(-1.0, min(1.0, 2.0 * (w * y - z * x)))
    pitch = math.asin(sine)
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return (roll, pitch, yaw)
