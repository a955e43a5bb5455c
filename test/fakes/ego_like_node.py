"""A stand-in with EGO-Planner's topics, wall timers and kind of answer; no line of it is EGO-Planner's.

A 10 ms timer sends commands along a straight trajectory, a 50 ms timer plans it anew around what it sees. Velocities in
the odometry are read in world axes. quadrotor_msgs is not on the package index, so commands travel in a message of the
same shape as PositionCommand (position, velocity, acceleration, yaw and its rate).
"""

import math

import numpy as np
import rclpy
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, Image, PointCloud2
from uav_testgen_msgs.msg import Setpoint

SPEED_MPS = 2.0
CLEAR_M = 4.0


class EgoLike(Node):
    def __init__(self):
        super().__init__("drone_0_ego_planner_node")
        self.goal = self.here = self.start = None
        self.points, self.images, self.poses = np.zeros((0, 3)), [], []
        self.velocity, self.began_s = np.zeros(3), 0.0
        self.command = self.create_publisher(Setpoint, "/drone_0_planning/pos_cmd", 50)
        self.create_subscription(PoseStamped, "/move_base_simple/goal", self.on_goal, 1)
        self.create_subscription(Odometry, "/drone_0_visual_slam/odom", self.on_odometry, 1)
        self.create_subscription(PointCloud2, "/drone_0_pcl_render_node/cloud", self.on_cloud, 10)
        self.create_subscription(
            PoseStamped, "/drone_0_pcl_render_node/camera_pose", lambda m: self.poses.append(m), 10
        )
        self.create_subscription(
            Image, "/drone_0_pcl_render_node/depth", lambda m: self.images.append(m.header.stamp), 10
        )
        self.create_subscription(CameraInfo, "/drone_0_pcl_render_node/camera_info", lambda m: None, 10)
        self.create_timer(0.01, self.send)
        self.create_timer(0.05, self.replan)

    def now_s(self):
        return self.get_clock().now().nanoseconds * 1e-9

    def on_goal(self, goal):
        self.goal = np.array([goal.pose.position.x, goal.pose.position.y, goal.pose.position.z])

    def on_odometry(self, odometry):
        assert odometry.header.frame_id == "world"
        age_s = self.now_s() - odometry.header.stamp.sec - 1e-9 * odometry.header.stamp.nanosec
        assert abs(age_s) < 5.0, f"odometry is {age_s} s old: not on the wall's clock"
        position = odometry.pose.pose.position
        self.here = np.array([position.x, position.y, position.z])

    def on_cloud(self, cloud):
        self.points = np.frombuffer(cloud.data, np.float32).reshape(-1, 3).astype(float)

    def replan(self):
        if self.goal is None or self.here is None:
            return
        way = self.goal - self.here
        length_m = float(np.linalg.norm(way))
        near = self.points[np.linalg.norm(self.points - self.here, axis=1) < CLEAR_M + 4.0]
        if len(near) and length_m > 1.0:  # to the side on which there is less
            side = np.array([-way[1], way[0], 0.0]) / length_m
            way = way / length_m + math.copysign(1.5, -float(np.mean((near - self.here) @ side))) * side
            length_m = float(np.linalg.norm(way))
        self.start, self.began_s = self.here, self.now_s()
        self.velocity = way / max(length_m, 1e-6) * min(SPEED_MPS, length_m)

    def send(self):
        if self.start is None or not self.images or not self.poses:
            return
        assert any(pose.header.stamp == self.images[-1] for pose in self.poses[-3:]), "image without its pose"
        position = self.start + self.velocity * (self.now_s() - self.began_s)
        command = Setpoint(yaw=math.atan2(self.velocity[1], self.velocity[0]))
        command.header.stamp, command.header.frame_id = self.get_clock().now().to_msg(), "world"
        for field, vector in ((command.position, position), (command.velocity, self.velocity)):
            field.x, field.y, field.z = (float(number) for number in vector)
        self.command.publish(command)


rclpy.init()
rclpy.spin(EgoLike())
