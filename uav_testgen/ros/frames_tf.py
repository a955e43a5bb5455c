"""Frames for viewers: map -> base_link -> camera_link -> camera_optical."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from geometry_msgs.msg import Quaternion, Transform, TransformStamped
from rclpy.node import Node
from std_msgs.msg import Header

from uav_testgen.core.frames import quaternion_wxyz_from_euler
from uav_testgen.ros import topics
from uav_testgen.ros.convert.motion import Motion
from uav_testgen.ros.convert.parts import vector_to_msg
from uav_testgen.ros.qos import LATCHED, LOCK_STEP
from uav_testgen.sensing.camera import CameraConfig

_OPTICAL_RPY = (-0.5 * math.pi, 0.0, -0.5 * math.pi)


class FrameBroadcaster:
    """Sends transforms; where tf2_msgs is not installed it does nothing, because nobody could listen."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._message: Any = tf_message()
        self._moving: Any = None

    def static(self, transforms: Sequence[TransformStamped]) -> None:
        """Announce transforms that never change; the publisher stays alive for late joiners."""
        if self._message is not None:
            publisher = self._node.create_publisher(self._message, topics.TF_STATIC, LATCHED)
            publisher.publish(self._message(transforms=list(transforms)))

    def base(self, motion: Motion, header: Header) -> None:
        """Where the vehicle is, if anybody wants to know."""
        if self._message is None:
            return
        if self._moving is None:
            self._moving = self._node.create_publisher(self._message, topics.TF, LOCK_STEP)
        if self._moving.get_subscription_count() > 0:
            pose = transform(
                topics.MAP_FRAME, topics.BASE_FRAME, motion.position_enu_m, motion.attitude_rad, header
            )
            self._moving.publish(self._message(transforms=[pose]))


def transform(
    parent: str,
    child: str,
    translation_m: Sequence[float],
    rpy_rad: tuple[float, float, float],
    header: Header | None = None,
) -> TransformStamped:
    """Pose of a frame in its parent."""
    w, x, y, z = quaternion_wxyz_from_euler(*rpy_rad)
    stamped = Header(stamp=header.stamp, frame_id=parent) if header else Header(frame_id=parent)
    pose = Transform(translation=vector_to_msg(translation_m), rotation=Quaternion(w=w, x=x, y=y, z=z))
    return TransformStamped(header=stamped, child_frame_id=child, transform=pose)


def camera_transforms(camera: CameraConfig) -> list[TransformStamped]:
    """The camera on the vehicle, and its optical axes."""
    mount = camera.mount
    rpy = (mount.roll_rad, mount.pitch_rad, mount.yaw_rad)
    return [
        transform(topics.BASE_FRAME, topics.CAMERA_FRAME, mount.translation_m().tolist(), rpy),
        transform(topics.CAMERA_FRAME, topics.CAMERA_OPTICAL_FRAME, (0.0, 0.0, 0.0), _OPTICAL_RPY),
    ]


def tf_message() -> Any:
    """The class of tf messages; None where it is not installed."""
    try:
        from tf2_msgs.msg import TFMessage
    except ImportError:
        return None
    return TFMessage
