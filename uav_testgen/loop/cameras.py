"""The cameras of a rig as planners are told about them: where the planner believes them to be, never the scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.planner.camera import Camera
from uav_testgen.sensing.camera import CameraRig, believed_mount, camera_pose
from uav_testgen.sensing.frame_names import camera_frames
from uav_testgen.sensing.rotation import rotation_from_euler

OPTICAL_AXES: FloatArray = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Right, down and forward in the camera's own axes: x forward, y left, z up."""


class ImagePose(NamedTuple):
    """Where the vehicle was when an image was taken."""

    t_s: float
    position_enu_m: FloatArray
    body_to_enu: FloatArray


def image_pose_at(
    t_s: float, position_enu_m: FloatArray | Sequence[float], attitude_rad: FloatArray | Sequence[float]
) -> ImagePose:
    """From roll, pitch and yaw."""
    rotation = np.empty((3, 3))
    rotation_from_euler(attitude_rad[0], attitude_rad[1], attitude_rad[2], rotation)
    return ImagePose(t_s, np.array(position_enu_m, dtype=np.float64), rotation)


def cameras_seen(rig: CameraRig, taken: Sequence[ImagePose]) -> tuple[Camera, ...]:
    """Every camera of the rig; `taken` has the pose of the vehicle at the moment of each one's image."""
    found = []
    for index, (camera, pose) in enumerate(zip(rig.cameras, taken, strict=True)):
        mount, pinhole = believed_mount(camera), camera.pinhole
        origin, rotation = np.empty(3), np.empty((3, 3))
        camera_pose(
            pose.position_enu_m, pose.body_to_enu, mount.translation_m(), mount.rotation(), origin, rotation
        )
        found.append(
            Camera(
                name=camera.name,
                frame_id=camera_frames(camera.name, index)[1],
                width=camera.width,
                height=camera.height,
                fx=pinhole.fx,
                fy=pinhole.fy,
                cx=pinhole.cx,
                cy=pinhole.cy,
                near_m=camera.near_m,
                far_m=camera.far_m,
                t_s=pose.t_s,
                position_enu_m=origin,
                optical_to_enu=rotation @ OPTICAL_AXES,
            )
        )
    return tuple(found)


def optical_frames(rig: CameraRig) -> tuple[str, ...]:
    """The names of the cameras' optical frames, in the order of the rig."""
    return tuple(camera_frames(camera.name, index)[1] for index, camera in enumerate(rig.cameras))
