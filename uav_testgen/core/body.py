"""The state of a vehicle's body as one float64 vector, and the phases of a mission.

Everybody in the loop agrees on these: what a vehicle moves, what a guide looks at, what a tracker records.
Positions and velocities are ENU; attitude is roll, pitch, yaw, applied as Rz·Ry·Rx.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel

POSITION: Final = 0
VELOCITY: Final = 3
ROLL: Final = 6
PITCH: Final = 7
YAW: Final = 8
BODY_SIZE: Final = 9

TAKEOFF: Final = 0
LEG: Final = 1
LAND: Final = 2

# A set-point is a vector with the meaning of PX4's TrajectorySetpoint, in ENU: NaN means "no demand".
SET_POSITION: Final = 0
SET_VELOCITY: Final = 3
SET_ACCELERATION: Final = 6
SET_YAW: Final = 9
SET_YAW_RATE: Final = 10
SETPOINT_SIZE: Final = 11


def body_at(position_enu_m: tuple[float, float, float], yaw_rad: float) -> FloatArray:
    """A body at rest and level."""
    body = np.zeros(BODY_SIZE)
    body[POSITION : POSITION + 3] = position_enu_m
    body[YAW] = yaw_rad
    return body


@kernel
def stay_here(body: Any, setpoint: Any) -> None:
    """Write the set-point that asks for the body's present place and heading."""
    setpoint[:] = math.nan
    for axis in range(3):
        setpoint[SET_POSITION + axis] = body[POSITION + axis]
    setpoint[SET_YAW] = body[YAW]


@kernel
def wrap_pi(angle_rad: float) -> float:
    """Angle in [-pi, pi)."""
    return angle_rad - 2.0 * math.pi * math.floor(angle_rad / (2.0 * math.pi) + 0.5)


@kernel
def quaternion_of(roll_rad: float, pitch_rad: float, yaw_rad: float) -> tuple[float, float, float, float]:
    """(w, x, y, z) of Rz(yaw)·Ry(pitch)·Rx(roll); exactly (cos, 0, 0, sin) of half the yaw when level."""
    cr, sr = math.cos(0.5 * roll_rad), math.sin(0.5 * roll_rad)
    cp, sp = math.cos(0.5 * pitch_rad), math.sin(0.5 * pitch_rad)
    cy, sy = math.cos(0.5 * yaw_rad), math.sin(0.5 * yaw_rad)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )
