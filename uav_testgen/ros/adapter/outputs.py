"""What a planner is sent, with the topics, types and frames of its profile."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time as TimeMsg
from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion
from nav_msgs.msg import Odometry, Path
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.time import Time
from rosgraph_msgs.msg import Clock as ClockMsg
from sensor_msgs.msg import CameraInfo, Image, PointCloud2
from std_msgs.msg import Header

from uav_testgen.core.frames import quaternion_wxyz_from_euler
from uav_testgen.graph.planner_messages import PATH, POSE, GoalOut
from uav_testgen.graph.planner_profile import PlannerProfile
from uav_testgen.ros.adapter.fields import field_type, message_class, write
from uav_testgen.ros.adapter.place import OPTICAL_WXYZ, Places, camera_place, quaternion_of
from uav_testgen.ros.convert.cloud import camera_to_msg, cloud_to_msg, message_bytes
from uav_testgen.ros.convert.motion import Motion, odometry_to_msg
from uav_testgen.ros.convert.parts import point_to_msg, vector_to_msg
from uav_testgen.ros.frames_tf import tf_message, transform
from uav_testgen.ros.qos import LATCHED, LOCK_STEP
from uav_testgen.sensing.camera import CameraConfig

_GOAL_QOS = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""Reliable and latched: heard by readers that want either."""
CLOCK_TOPIC = "/clock"


class Outputs:
    """Publishers towards one planner. Times are nanoseconds of the clock the planner reads."""

    def __init__(self, node: Node, profile: PlannerProfile, camera: CameraConfig, where: str) -> None:
        self._profile, self._camera = profile, camera
        self._node = node
        self.places = Places(profile.frames, camera)
        out = profile.to_planner
        self._goal = None if out.goal is None else GoalSender(node, out.goal, profile.frames.world, where)
        self._odometry = _publisher(node, Odometry, out.odometry)
        self._pose = _publisher(node, PoseStamped, out.pose)
        self._camera_pose = _publisher(node, PoseStamped, out.camera_pose)
        self._cloud = _publisher(node, PointCloud2, out.cloud)
        self._depth = _publisher(node, Image, out.depth)
        self._info = node.create_publisher(CameraInfo, out.depth.info, LOCK_STEP) if out.depth else None
        self._clock = (
            node.create_publisher(ClockMsg, CLOCK_TOPIC, LOCK_STEP) if profile.time.mode != "wall" else None
        )
        self._tf: Publisher | None = None
        self._tf_kind: Any = tf_message()
        if out.tf and self._tf_kind is not None:
            self._tf = node.create_publisher(self._tf_kind, "/tf", LOCK_STEP)
            self._tf_static = node.create_publisher(self._tf_kind, "/tf_static", LATCHED)
            self._tf_static.publish(self._tf_kind(transforms=self._fixed_frames()))

    def unread(self) -> list[str]:
        """Topics of the profile that nobody reads."""
        return [
            topic for topic in self._profile.to_planner.topics() if not self._node.count_subscribers(topic)
        ]

    def missed(self) -> list[str]:
        """Unread topics without which no planner can do: the goal, or everything that shows obstacles."""
        out, unread = self._profile.to_planner, self.unread()
        views = [one.topic for one in (out.cloud, out.depth) if one is not None]
        blind = views if views and not set(views) - set(unread) else []
        return [topic for topic in unread if topic in blind or (out.goal and topic == out.goal.topic)]

    @property
    def clock_is_read(self) -> bool:
        """Is there a node that lives by /clock?"""
        return bool(self._node.count_subscribers(CLOCK_TOPIC))

    def clock(self, now_ns: int) -> None:
        """A tick."""
        if self._clock is not None:
            self._clock.publish(ClockMsg(clock=_stamp(now_ns)))

    def goal(self, goal_enu_m: tuple[float, float, float], previous_enu_m: Any, now_ns: int) -> None:
        """Where to go; it looks along the leg."""
        if self._goal is not None:
            way = np.asarray(goal_enu_m)[:2] - np.asarray(previous_enu_m)[:2]
            self._goal.send(goal_enu_m, math.atan2(way[1], way[0]), _stamp(now_ns))

    def motion(self, motion: Motion, now_ns: int) -> None:
        """Odometry, pose and frames."""
        frames = self._profile.frames
        header = Header(stamp=_stamp(now_ns), frame_id=frames.world)
        if self._odometry is not None and self._profile.to_planner.odometry is not None:
            message = odometry_to_msg(motion, header)
            message.child_frame_id = frames.body
            if self._profile.to_planner.odometry.twist_frame == "world":
                message.twist.twist.linear = vector_to_msg(motion.velocity_enu_mps)
            self._odometry.publish(message)
        if self._pose is not None:
            self._pose.publish(_pose(header, motion.position_enu_m, motion.quaternion_wxyz))
        self._place(motion, header)

    def _place(self, motion: Motion, header: Header) -> None:
        if self._tf is not None:
            frames = self._profile.frames
            placed = transform(frames.world, frames.body, motion.position_enu_m, motion.attitude_rad, header)
            self._tf.publish(self._tf_kind(transforms=[placed]))

    def image(
        self, points_enu_m: NDArray[np.float32], depth: Image | None, taken: Motion, now_ns: int
    ) -> None:
        """Camera pose, depth image and cloud of one moment; `taken` is where the vehicle was then."""
        frames, stamp = self._profile.frames, _stamp(now_ns)
        optical = Header(stamp=stamp, frame_id=frames.optical)
        self._place(
            taken, Header(stamp=stamp, frame_id=frames.world)
        )  # whoever looks the image up finds it exactly
        if self._camera_pose is not None:
            place = self.places.optical(taken)
            header = Header(stamp=stamp, frame_id=frames.world)
            origin = tuple(place.origin_enu_m.tolist())
            self._camera_pose.publish(_pose(header, origin, quaternion_of(place.rotation)))
        if self._depth is not None and self._info is not None and depth is not None:
            self._info.publish(camera_to_msg(self._camera, optical))
            self._depth.publish(self._encoded(depth, optical))
        if self._cloud is not None and self._profile.to_planner.cloud is not None:
            name = self._profile.to_planner.cloud.frame
            header = Header(stamp=stamp, frame_id=getattr(frames, name))
            self._cloud.publish(cloud_to_msg(self._seen_from(points_enu_m, name, taken), header))

    def _seen_from(self, points: NDArray[np.float32], frame: str, taken: Motion) -> NDArray[np.float32]:
        place = self.places.named(getattr(self._profile.frames, frame), taken)
        return points if place is None else place.from_world(points.astype(np.float64)).astype(np.float32)

    def _encoded(self, depth: Image, header: Header) -> Image:
        assert self._profile.to_planner.depth is not None
        if self._profile.to_planner.depth.encoding == "32FC1":
            return Image(
                header=header, height=depth.height, width=depth.width, encoding="32FC1", step=depth.step,
                data=depth.data,
            )  # fmt: skip
        metres = np.frombuffer(depth.data, np.float32).reshape(depth.height, depth.width)
        millimetres = np.clip(np.nan_to_num(metres, nan=0.0) * 1000.0, 0, 65535).round().astype(np.uint16)
        return Image(
            header=header, height=depth.height, width=depth.width, encoding="16UC1", step=2 * depth.width,
            data=message_bytes(millimetres),
        )  # fmt: skip

    def _fixed_frames(self) -> list[Any]:
        frames, place = self._profile.frames, camera_place(self._camera)
        camera = transform(frames.body, frames.camera, place.origin_enu_m.tolist(), (0.0, 0.0, 0.0))
        camera.transform.rotation = _quaternion(quaternion_of(place.rotation))
        optical = transform(frames.camera, frames.optical, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        optical.transform.rotation = _quaternion(OPTICAL_WXYZ)
        return [camera, optical]


class GoalSender:
    """The goal as PoseStamped, Path or a type of the planner's own."""

    def __init__(self, node: Node, wanted: GoalOut, world: str, where: str) -> None:
        self._wanted, self._world = wanted, world
        self._kind = message_class(wanted.type, f"{where}: to_planner.goal.type")
        for place in (*_places(wanted), *wanted.constants):
            field_type(self._kind, place, f"{where}: to_planner.goal")
        self._publisher = node.create_publisher(self._kind, wanted.topic, _GOAL_QOS)
        self.message((0.0, 0.0, 0.0), 0.0, TimeMsg())  # what cannot be set is found now

    def send(self, goal_enu_m: tuple[float, float, float], yaw_rad: float, stamp: TimeMsg) -> None:
        """Publish it."""
        self._publisher.publish(self.message(goal_enu_m, yaw_rad, stamp))

    def message(self, goal_enu_m: tuple[float, float, float], yaw_rad: float, stamp: TimeMsg) -> Any:
        """The goal in the planner's type."""
        header = Header(stamp=stamp, frame_id=self._world)
        wxyz = quaternion_wxyz_from_euler(0.0, 0.0, yaw_rad)
        if self._wanted.type == POSE and not self._wanted.fields:
            return _pose(header, goal_enu_m, wxyz)
        if self._wanted.type == PATH and not self._wanted.fields:
            return Path(header=header, poses=[_pose(header, goal_enu_m, wxyz)])
        message = self._kind()
        if hasattr(message, "header"):
            message.header = header
        w, x, y, z = wxyz
        values: dict[str, Any] = {
            "position": tuple(goal_enu_m),
            "x": goal_enu_m[0],
            "y": goal_enu_m[1],
            "z": goal_enu_m[2],
            "yaw": yaw_rad,
            "orientation": (x, y, z, w),
        }
        for name, given in self._wanted.fields.items():
            if isinstance(given, tuple):
                for place, number in zip(given, values[name], strict=True):
                    write(message, place, number)
            else:
                write(message, given, values[name])
        for place, value in self._wanted.constants.items():
            write(message, place, value)
        return message


def _places(wanted: GoalOut) -> list[str]:
    return [
        place
        for given in wanted.fields.values()
        for place in (given if isinstance(given, tuple) else (given,))
    ]


def _publisher(node: Node, kind: Any, wanted: Any) -> Publisher | None:
    return None if wanted is None else node.create_publisher(kind, wanted.topic, LOCK_STEP)


def _stamp(now_ns: int) -> TimeMsg:
    return Time(nanoseconds=max(now_ns, 0)).to_msg()


def _quaternion(wxyz: tuple[float, float, float, float]) -> Quaternion:
    w, x, y, z = wxyz
    return Quaternion(w=w, x=x, y=y, z=z)


def _pose(header: Header, position: Any, wxyz: tuple[float, float, float, float]) -> PoseStamped:
    point: Point = point_to_msg(position)
    return PoseStamped(header=header, pose=Pose(position=point, orientation=_quaternion(wxyz)))
