"""Tells a node that somebody else wrote where to fly: in our frame, and in PX4's own."""

from __future__ import annotations

from geometry_msgs.msg import PointStamped, PoseStamped
from rclpy.node import Node
from std_msgs.msg import Header

from uav_testgen.core.frames import Vector3, position_enu_to_ned
from uav_testgen.ros import topics
from uav_testgen.ros.convert.parts import point_to_msg
from uav_testgen.ros.qos import LATCHED

NED_FRAME = "px4_local_ned"


class GoalPublisher:
    """Latched, and sent again only when the goal changes."""

    def __init__(self, node: Node) -> None:
        self._pose = node.create_publisher(PoseStamped, topics.GOAL, LATCHED)
        self._ned = node.create_publisher(PointStamped, topics.GOAL_NED, LATCHED)
        self._told: Vector3 | None = None

    def forget(self) -> None:
        """The next goal is told, whatever it is."""
        self._told = None

    def tell(self, goal_enu_m: Vector3, goal_px4_enu_m: Vector3, header: Header) -> None:
        """`goal_px4_enu_m`: the goal relative to PX4's origin."""
        if goal_enu_m == self._told:
            return
        self._told = goal_enu_m
        pose = PoseStamped(header=header)
        pose.pose.position = point_to_msg(goal_enu_m)
        pose.pose.orientation.w = 1.0
        self._pose.publish(pose)
        ned = Header(stamp=header.stamp, frame_id=NED_FRAME)
        self._ned.publish(PointStamped(header=ned, point=point_to_msg(position_enu_to_ned(goal_px4_enu_m))))
