"""Where the vehicle was when the images were taken that a step is planned with, for the cameras of an observation.

In lock-step the flight step states it. Beside a live vehicle clouds come with their own stamps, and the odometry of the
last seconds says where it was then.
"""

from __future__ import annotations

from collections.abc import Callable

from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.loop.cameras import ImagePose, cameras_seen, image_pose_at
from uav_testgen.loop.image_pose import image_time
from uav_testgen.planner.camera import Camera
from uav_testgen.ros import topics
from uav_testgen.ros.convert.motion import Motion, image_motion_from_step, motion_from_step
from uav_testgen.ros.matching import stamp_ns
from uav_testgen.ros.tf_tree import TransformTree
from uav_testgen.sensing.camera import CameraRig
from uav_testgen.sensing.noise import DelayLine


class ImagePoses:
    """Through one flight after the other."""

    def __init__(self, rig: CameraRig) -> None:
        self._rig = rig
        self.clear()

    def clear(self) -> None:
        """A new flight."""
        self._delays: list[DelayLine[ImagePose]] = [
            DelayLine(camera.noise.latency_s) for camera in self._rig.cameras
        ]
        self._flown = TransformTree()

    def keep(self, stamp: int, motion: Motion) -> None:
        """Remember an odometry; only needed where clouds have stamps of their own."""
        self._flown.insert(
            topics.MAP_FRAME, topics.BASE_FRAME, stamp, motion.position_enu_m, motion.quaternion_wxyz
        )

    def cameras(self, step: FlightStep, cloud_ns: int | None) -> Callable[[], tuple[Camera, ...]]:
        """Makes the cameras of a step; `cloud_ns` is the stamp of its cloud, None in lock-step."""
        taken = self._stated(step) if cloud_ns is None else None
        rig = self._rig

        def make() -> tuple[Camera, ...]:
            return cameras_seen(rig, taken if taken is not None else self._looked_up(step, cloud_ns or 0))

        return make

    def _stated(self, step: FlightStep) -> list[ImagePose]:
        """As the step says, held back like the clouds on their way to the planner."""
        motion = image_motion_from_step(step)
        here = image_pose_at(
            image_time(step.time, step.image_age), motion.position_enu_m, motion.attitude_rad
        )
        arrived = [delay.push(step.time, here) for delay in self._delays]
        return [here if pose is None else pose for pose in arrived]

    def _looked_up(self, step: FlightStep, cloud_ns: int) -> list[ImagePose]:
        return [
            self._at(step, cloud_ns - round(camera.noise.latency_s * 1e9)) for camera in self._rig.cameras
        ]

    def _at(self, step: FlightStep, taken_ns: int) -> ImagePose:
        t_s = step.time + 1e-9 * (taken_ns - stamp_ns(step))
        try:
            placed = self._flown.lookup(topics.MAP_FRAME, topics.BASE_FRAME, taken_ns)
        except (
            PlannerInputError
        ):  # newer than the newest odometry, or on another clock: the step is the best guess
            motion = motion_from_step(step)
            return image_pose_at(step.time, motion.position_enu_m, motion.attitude_rad)
        return ImagePose(t_s, placed.translation_m, placed.rotation)
