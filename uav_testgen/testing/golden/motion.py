"""The motion rule of the closed-loop vectors, independent of the vehicle models."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from uav_testgen.testing.golden.records import FloatArray

SPEED_MPS: Final = 3.0
YAW_RATE_RADPS: Final = math.radians(13.5)
STEP_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Moved:
    """State after one step."""

    position_m: FloatArray
    yaw_rad: float
    velocity_mps: FloatArray
    yaw_error_rad: float
    fraction: float


def wrap_pi(angle_rad: float) -> float:
    """Angle in [-pi, pi)."""
    return angle_rad - 2 * math.pi * math.floor(angle_rad / (2 * math.pi) + 0.5)


def move_towards(target_m: FloatArray, position_m: FloatArray, yaw_rad: float) -> Moved:
    """One step: full speed when the target is nearly ahead, slower the more the vehicle has to turn."""
    offset = target_m - position_m
    yaw_error = wrap_pi(math.atan2(offset[1], offset[0]) - yaw_rad)
    threshold = YAW_RATE_RADPS / 3
    fraction = 1.0 if abs(yaw_error) < threshold else threshold / abs(yaw_error)
    distance = float(np.linalg.norm(offset))
    length = min(SPEED_MPS * STEP_S * fraction, distance)
    position = position_m + offset * (length / distance) if distance > 0 else position_m
    turn = max(-YAW_RATE_RADPS * STEP_S, min(YAW_RATE_RADPS * STEP_S, yaw_error))
    return Moved(position, wrap_pi(yaw_rad + turn), (position - position_m) / STEP_S, yaw_error, fraction)
