"""When the image was taken that the planner works with in this step, and where the vehicle was then.

In the real node a cloud waits for the planner while newer ones are dropped. It is placed where the vehicle
was, and shows moving obstacles where they were, but the planner forgets what lies in the view of where the
vehicle is.
"""

from __future__ import annotations

from typing import Any

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import PITCH, POSITION, ROLL, YAW
from uav_testgen.core.copying import copy_numbers
from uav_testgen.core.kernel import kernel

# Columns of a pose: position, then
IMAGE_ROLL, IMAGE_PITCH, IMAGE_YAW = 3, 4, 5
POSE_SIZE = 6
KEPT = 16
"""Poses kept, one per cycle of the vehicle: the oldest image (0.3 s) and the present."""


@kernel
def pose_now(body: Any, pose: Any) -> None:
    """The pose of the body."""
    for axis in range(3):
        pose[axis] = body[POSITION + axis]
    pose[IMAGE_ROLL], pose[IMAGE_PITCH], pose[IMAGE_YAW] = body[ROLL], body[PITCH], body[YAW]


@kernel
def image_time(t_s: float, image_age_s: float) -> float:
    """When the image of the step at time t was taken; before the flight nothing has moved."""
    return max(t_s - image_age_s, 0.0)


@kernel
def keep_pose(poses: FloatArray, cycle: int, body: Any) -> None:
    """Write down the pose after the vehicle's cycle number `cycle`."""
    pose_now(body, poses[cycle % KEPT])


@kernel
def pose_before(poses: FloatArray, cycle: int, back: int, body: Any, pose: Any) -> None:
    """The pose `back` cycles before cycle number `cycle`; the present one as long as there is no other."""
    if back == 0 or cycle <= back:
        pose_now(body, pose)
    else:
        copy_numbers(poses[(cycle - back) % KEPT], pose)
