"""Where the vehicle and its camera are, and what a frame of the planner means in ENU."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.core.frames import quaternion_wxyz_from_euler
from uav_testgen.graph.planner_profile import Frames
from uav_testgen.loop.cameras import OPTICAL_AXES
from uav_testgen.ros.convert.motion import Motion
from uav_testgen.sensing.camera import CameraConfig
from uav_testgen.sensing.rotation import rotation_from_euler

OPTICAL_WXYZ = quaternion_wxyz_from_euler(-0.5 * math.pi, 0.0, -0.5 * math.pi)


class Place(NamedTuple):
    """A frame in the world: `point in the world = rotation @ point + origin`."""

    rotation: FloatArray
    origin_enu_m: FloatArray

    def within(self, inner: Place) -> Place:
        """A frame given in this one, in the world."""
        return Place(self.rotation @ inner.rotation, self.rotation @ inner.origin_enu_m + self.origin_enu_m)

    def to_world(self, points: FloatArray) -> FloatArray:
        """(n, 3) points of this frame in ENU."""
        return np.asarray(points @ self.rotation.T + self.origin_enu_m)

    def from_world(self, points: FloatArray) -> FloatArray:
        """(n, 3) points in ENU in this frame."""
        return np.asarray((points - self.origin_enu_m) @ self.rotation)


def body_place(motion: Motion) -> Place:
    """The vehicle's own axes."""
    rotation = np.empty((3, 3))
    rotation_from_euler(*motion.attitude_rad, rotation)
    return Place(rotation, np.array(motion.position_enu_m))


def camera_place(camera: CameraConfig) -> Place:
    """The camera's axes in the vehicle's, where the drone believes it to be: its clouds are made with that."""
    mount = camera.assumed_mount or camera.mount
    return Place(mount.rotation(), mount.translation_m())


class Places:
    """Every frame of a profile, for a motion of the vehicle."""

    def __init__(self, frames: Frames, camera: CameraConfig) -> None:
        self.frames = frames
        self._camera = camera_place(camera)
        self._optical = Place(OPTICAL_AXES, np.zeros(3))

    def camera(self, motion: Motion) -> Place:
        """Camera axes, x forward."""
        return body_place(motion).within(self._camera)

    def optical(self, motion: Motion) -> Place:
        """Optical axes, z forward."""
        return self.camera(motion).within(self._optical)

    def named(self, frame_id: str, motion: Motion) -> Place | None:
        """The frame of a message; None for the world. PlannerInputError for one that nobody knows."""
        name, frames = frame_id.lstrip("/"), self.frames
        if name in ("", frames.world.lstrip("/")):
            return None
        if name == frames.body.lstrip("/"):
            return body_place(motion)
        if name == frames.camera.lstrip("/"):
            return self.camera(motion)
        if name == frames.optical.lstrip("/"):
            return self.optical(motion)
        known = ", ".join((frames.world, frames.body, frames.camera, frames.optical))
        raise PlannerInputError(
            f"frame '{frame_id[:100]}' is none of the profile's ({known}): see its frames"
        )


def heading_turned(vector: FloatArray, yaw_rad: float) -> FloatArray:
    """A velocity in body axes in ENU: forward and left along the heading, up is up however the vehicle tilts."""
    cosine, sine = math.cos(yaw_rad), math.sin(yaw_rad)
    return np.array([cosine * vector[0] - sine * vector[1], sine * vector[0] + cosine * vector[1], vector[2]])


def quaternion_of(rotation: FloatArray) -> tuple[float, float, float, float]:
    """(w, x, y, z) of a rotation matrix."""
    trace = float(np.trace(rotation))
    candidates = np.array([trace, rotation[0, 0], rotation[1, 1], rotation[2, 2]])
    largest = int(np.argmax(candidates))
    q = np.empty(4)
    if largest == 0:
        q[0] = 1.0 + trace
        q[1:] = (
            rotation[2, 1] - rotation[1, 2],
            rotation[0, 2] - rotation[2, 0],
            rotation[1, 0] - rotation[0, 1],
        )
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        q[0] = rotation[k, j] - rotation[j, k]
        q[1 + i] = 1.0 + 2.0 * rotation[i, i] - trace
        q[1 + j] = rotation[j, i] + rotation[i, j]
        q[1 + k] = rotation[k, i] + rotation[i, k]
    w, x, y, z = (q / np.linalg.norm(q)).tolist()
    return (w, x, y, z)
