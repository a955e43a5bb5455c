"""Logged attitude: roll and pitch out of PX4's quaternion."""

from __future__ import annotations

from typing import Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.ulog.topics import Columns

ATTITUDE: Final = "vehicle_attitude"
QUATERNION: Final = tuple(f"q[{index}]" for index in range(4))


def is_attitude(columns: Columns) -> bool:
    """Are all parts of the quaternion there?"""
    return all(part in columns for part in QUATERNION)


def tilt_rad(columns: Columns) -> tuple[FloatArray, FloatArray]:
    """Roll and pitch of the body (front, right, down) against north, east, down."""
    w, x, y, z = (columns[name] for name in QUATERNION)
    roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    return np.asarray(roll), np.asarray(np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0)))
