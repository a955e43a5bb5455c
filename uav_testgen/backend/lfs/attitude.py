"""From Euler angles to what the planner receives: a float32 quaternion and its yaw and pitch."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from uav_testgen.planner.vfh3d.compiled.polar import attitude_deg


@njit(cache=True, nogil=True, error_model="numpy")
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


@njit(cache=True, nogil=True, error_model="numpy")
def planner_attitude(roll_rad: float, pitch_rad: float, yaw_rad: float) -> tuple[float, float]:
    """(yaw, pitch) in degrees as the planner computes them from the float32 quaternion."""
    w, x, y, z = quaternion_of(roll_rad, pitch_rad, yaw_rad)
    yaw_deg, pitch_deg = attitude_deg(np.float32(w), np.float32(x), np.float32(y), np.float32(z))
    return yaw_deg, pitch_deg
