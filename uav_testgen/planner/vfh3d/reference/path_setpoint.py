"""Where on the planned path the vehicle should be by now."""

from __future__ import annotations

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import Float32Array
from uav_testgen.planner.vfh3d.reference import polar


def setpoint_from_path(
    path: Float32Array, path_time_s: float, now_s: float, velocity_mps: float, initial: Float32Array
) -> tuple[bool, Float32Array]:
    """(valid, setpoint): walk along the path, end of it first in the array, by its age times the velocity.

    The walk starts at the first tree node, not at the vehicle. When the path is used up the setpoint is an
    extrapolation of the last segment and not valid. Fewer than two points leave ``initial``.
    """
    count = len(path)
    if count < 2:
        return False, initial
    if count == 2:
        return True, path[0]
    left_m = F32(F32(now_s - path_time_s) * F32(velocity_mps))
    index = count - 2
    while True:
        segment = path[index - 1] - path[index]
        length_m = polar.norm(segment)
        with np.errstate(divide="ignore", invalid="ignore"):  # a segment of no length
            setpoint = np.asarray(path[index] + (left_m / length_m) * segment, F32)
        if not left_m > length_m or index == 1:
            return bool(left_m < length_m), setpoint
        left_m = F32(left_m - length_m)
        index -= 1
