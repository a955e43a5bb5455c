"""Where the vehicle was when the image was taken that the planner works with now.

In the real node a cloud waits for the planner while newer ones are dropped. It is placed where the vehicle
was, but the planner forgets what lies in the view of where the vehicle is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from uav_testgen.vehicle.base import PITCH, POSITION, ROLL, YAW
from uav_testgen.vehicle.px4.state import PITCH as STATE_PITCH
from uav_testgen.vehicle.px4.state import POS
from uav_testgen.vehicle.px4.state import ROLL as STATE_ROLL
from uav_testgen.vehicle.px4.state import YAW as STATE_YAW

# Columns of a pose: position, then
IMAGE_ROLL, IMAGE_PITCH, IMAGE_YAW = 3, 4, 5
POSE_SIZE = 6
KEPT = 16
"""Poses kept, one per cycle of the autopilot: the oldest image (0.3 s) and the present."""

Poses = NDArray[np.float64]


@njit(cache=True, nogil=True, error_model="numpy")
def pose_now(body: Any, pose: Any) -> None:
    """The pose of the body."""
    for axis in range(3):
        pose[axis] = body[POSITION + axis]
    pose[IMAGE_ROLL], pose[IMAGE_PITCH], pose[IMAGE_YAW] = body[ROLL], body[PITCH], body[YAW]


@njit(cache=True, nogil=True, error_model="numpy")
def keep_pose(poses: Poses, cycle: int, state: Any) -> None:
    """Write down the autopilot's pose after its cycle number `cycle`."""
    row = poses[cycle % KEPT]
    for axis in range(3):
        row[axis] = state[POS + axis]
    row[IMAGE_ROLL], row[IMAGE_PITCH] = state[STATE_ROLL], state[STATE_PITCH]
    row[IMAGE_YAW] = state[STATE_YAW]


@njit(cache=True, nogil=True, error_model="numpy")
def pose_before(poses: Poses, cycle: int, back: int, body: Any, pose: Any) -> None:
    """The pose `back` cycles before cycle number `cycle`; the present one as long as there is no other."""
    if back == 0 or cycle <= back:
        pose_now(body, pose)
    else:
        pose[:] = poses[(cycle - back) % KEPT]
