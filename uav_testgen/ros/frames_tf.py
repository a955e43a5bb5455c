"""Frames of the graph: map -> base_link -> camera_link -> camera_optical, the last two for each camera.

The tree is what the drone itself would say: a camera stands where the system under test believes it to be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from geometry_msgs.msg import Quaternion as QuaternionMsg
from geometry_msgs.msg import Transform, TransformStamped
from rclpy.node import Node
from std_msgs.msg import Header

from uav_testgen.core.frames import quaternion_wxyz_from_euler
from uav_testgen.ros import topics
from uav_testgen.ros.convert.motion import Motion
from uav_testgen.ros.convert.parts import vector_to_msg
from uav_testgen.ros.qos import LATCHED, LOCK_STEP
from uav_testgen.ros.tf_tree import Quaternion, quaternion_of_matrix
from uav_testgen.sensing.camera import CameraRig, believed_mount

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

    def base(self, motion: Motion, header: Header, earlier: Sequence[TransformStamped] = ()) -> None:
        """Where the vehicle is, and perhaps where it was, if anybody wants to know."""
        if self._message is None:
            return
        if self._moving is None:
            self._moving = self._node.create_publisher(self._message, topics.TF, LOCK_STEP)
        if self._moving.get_subscription_count() > 0:
            pose = base_transform(motion.position_enu_m, motion.attitude_rad, header)
            self._moving.publish(self._message(transforms=[*earlier, pose]))


def base_transform(
    position_enu_m: Sequence[float], attitude_rad: tuple[float, float, float], header: Header
) -> TransformStamped:
    """The vehicle in the map at the time of a header."""
    return transform(topics.MAP_FRAME, topics.BASE_FRAME, position_enu_m, attitude_rad, header)


def transform(
    parent: str,
    child: str,
    translation_m: Sequence[float],
    rpy_rad: tuple[float, float, float],
    header: Header | None = None,
) -> TransformStamped:
    """Pose of a frame in its parent."""
    return _transform(parent, child, translation_m, quaternion_wxyz_from_euler(*rpy_rad), header)


def _transform(
    parent: str,
    child: str,
    translation_m: Sequence[float],
    quaternion_wxyz: Quaternion,
    header: Header | None = None,
) -> TransformStamped:
    w, x, y, z = quaternion_wxyz
    stamped = Header(stamp=header.stamp, frame_id=parent) if header else Header(frame_id=parent)
    turned = QuaternionMsg(w=w, x=x, y=y, z=z)
    pose = Transform(translation=vector_to_msg(translation_m), rotation=turned)
    return TransformStamped(header=stamped, child_frame_id=child, transform=pose)


def camera_transforms(rig: CameraRig) -> list[TransformStamped]:
    """Each camera on the vehicle, and its optical axes."""
    found = []
    for index, camera in enumerate(rig.cameras):
        mount = believed_mount(camera)
        frame, optical = topics.camera_frames(camera.name, index)
        turned = quaternion_of_matrix(mount.rotation())
        found += [
            _transform(topics.BASE_FRAME, frame, mount.translation_m().tolist(), turned),
            transform(frame, optical, (0.0, 0.0, 0.0), _OPTICAL_RPY),
        ]
    return found


def tf_message() -> Any:
    """The class of tf messages; None where it is not installed."""
    try:
        from tf2_msgs.msg import TFMessage
    except ImportError:
        return None
    return TFMessage
