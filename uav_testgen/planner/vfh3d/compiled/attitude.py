"""From Euler angles to what the planner computes of them: yaw and pitch of a float32 quaternion."""

from __future__ import annotations

import numpy as np

from uav_testgen.core.body import quaternion_of
from uav_testgen.core.kernel import kernel
from uav_testgen.planner.vfh3d.compiled.polar import attitude_deg


@kernel
def planner_attitude(roll_rad: float, pitch_rad: float, yaw_rad: float) -> tuple[float, float]:
    """(yaw, pitch) in degrees as the planner computes them from the float32 quaternion."""
    w, x, y, z = quaternion_of(roll_rad, pitch_rad, yaw_rad)
    yaw_deg, pitch_deg = attitude_deg(np.float32(w), np.float32(x), np.float32(y), np.float32(z))
    return yaw_deg, pitch_deg
