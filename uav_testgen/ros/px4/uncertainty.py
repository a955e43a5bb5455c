"""Angular rate and variances of PX4's odometry in our axes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

from uav_testgen.core.frames import Vector3
from uav_testgen.ros.convert.motion import Variances
from uav_testgen.ros.px4.frames import VELOCITY_BODY_FRD

UNKNOWN: Final = 1e6
"""For what PX4 does not state: so unsure that no filter leans on it."""
_GYRO_RAD2PS2: Final = 1e-4
"""PX4's odometry carries no variance of the rates; this is an ordinary gyroscope."""


def rates_of(odometry: Any) -> Vector3:
    """About forward, left and up; zero where PX4 states none."""
    forward, right, down = (float(rate) for rate in odometry.angular_velocity)
    if not all(math.isfinite(rate) for rate in (forward, right, down)):
        return (0.0, 0.0, 0.0)
    return (forward, -right, -down)


def variances_of(odometry: Any) -> Variances:
    """Per axis. Variances have no sign, so changing frames only changes their order."""
    north, east, down = _known(odometry.position_variance)
    speed = _known(odometry.velocity_variance)
    if int(odometry.velocity_frame) != VELOCITY_BODY_FRD:
        speed = (max(speed),) * 3  # given along north, east, down; the body may stand at any angle to them
    return Variances((east, north, down), _known(odometry.orientation_variance), speed, (_GYRO_RAD2PS2,) * 3)


def _known(values: Iterable[float]) -> Vector3:
    first, second, third = (
        float(value) if math.isfinite(value) and value > 0.0 else UNKNOWN for value in values
    )
    return (first, second, third)
