"""The topics of each camera, as the driver of a depth camera offers them: image, CameraInfo, cloud."""

from __future__ import annotations

from typing import Any, NamedTuple

from rclpy.node import Node
from rclpy.publisher import Publisher
from sensor_msgs.msg import CameraInfo, Image, PointCloud2
from std_msgs.msg import Header

from uav_testgen.ros import topics
from uav_testgen.ros.convert.cloud import camera_to_msg, depth_to_msg, optical_cloud_to_msg
from uav_testgen.ros.graph_node import wanted
from uav_testgen.ros.qos import SENSOR
from uav_testgen.sensing.base import DepthFrame
from uav_testgen.sensing.camera import CameraConfig, CameraRig, PackedCamera


class Taken(NamedTuple):
    """A frame and the time at which it was taken, which it keeps however late it arrives."""

    stamp: Any
    frame: DepthFrame


class CameraOutlet:
    """Publishers of one camera. Nothing is made that nobody listens to."""

    def __init__(self, node: Node, camera: CameraConfig, index: int) -> None:
        self._camera = camera
        _, self._frame = topics.camera_frames(camera.name, index)

        def names(what: str, plain: str) -> list[str]:
            own = topics.camera_topic(camera.name, what)
            return [own, plain] if index == 0 else [own]

        self._images = [
            node.create_publisher(Image, name, SENSOR) for name in names("image", topics.DEPTH_IMAGE)
        ]
        self._infos = [
            node.create_publisher(CameraInfo, name, SENSOR)
            for name in names("camera_info", topics.CAMERA_INFO)
        ]
        self._points = node.create_publisher(PointCloud2, topics.camera_topic(camera.name, "points"), SENSOR)

    def publish(self, taken: Taken, packed: PackedCamera) -> None:
        """What the camera saw, stamped when it saw it, in its optical frame."""
        header = Header(stamp=taken.stamp, frame_id=self._frame)
        for image in heard(self._images):
            image.publish(depth_to_msg(taken.frame.depth_m, header))
        for info in heard(self._infos):
            info.publish(camera_to_msg(self._camera, header))
        for points in heard([self._points]):
            points.publish(optical_cloud_to_msg(taken.frame.depth_m, packed, header))


def heard(publishers: list[Publisher]) -> list[Publisher]:
    """Those somebody listens to."""
    return [publisher for publisher in publishers if wanted(publisher)]


def camera_outlets(node: Node, rig: CameraRig) -> list[CameraOutlet]:
    """One for each camera of the rig."""
    return [CameraOutlet(node, camera, index) for index, camera in enumerate(rig.cameras)]
