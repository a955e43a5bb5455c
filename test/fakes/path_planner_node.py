"""A planner as users write one: rclpy only, a nav_msgs/Path for every cloud once a goal is known.

`python path_planner_node.py FILE`: the file says how it misbehaves in this flight (or `well`).
"""

import math
import os
import sys
import time
from pathlib import Path as File

import rclpy
from geometry_msgs.msg import PoseArray, PoseStamped
from nav_msgs.msg import Path
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import PointCloud2
from std_srvs.srv import Trigger

BEHAVIOUR = File(sys.argv[1]).read_text().strip() if len(sys.argv) > 1 else "well"


class PathPlanner(Node):
    def __init__(self):
        super().__init__("path_planner")
        self.goal, self.answers = None, 0
        kind = PoseArray if BEHAVIOUR == "wrong_type" else Path
        self.path = self.create_publisher(
            kind, "/path", qos_profile_sensor_data if BEHAVIOUR == "lossy" else 10
        )
        self.create_service(Trigger, "/path_planner/reset", self.on_reset)
        self.create_subscription(PoseStamped, "/goal_pose", self.on_goal, 10)
        self.create_subscription(PointCloud2, "/camera/depth/points", self.on_cloud, 10)

    def on_reset(self, request, response):
        self.goal, self.answers, response.success = None, 0, True
        with File(sys.argv[1] + ".resets").open("a") as told:
            told.write("reset\n")
        return response

    def on_goal(self, goal):
        self.goal = goal

    def on_cloud(self, cloud):
        if self.goal is None or BEHAVIOUR == "silent":
            return
        self.answers += 1
        if BEHAVIOUR == "dies" and self.answers == 3:
            print("I am gone", flush=True)
            os._exit(7)
        if BEHAVIOUR == "falls_silent" and self.answers > 3:
            return
        if BEHAVIOUR == "slow":
            time.sleep(0.4)
        path = Path()
        path.header.stamp = cloud.header.stamp
        path.header.frame_id = "somewhere" if BEHAVIOUR == "wrong_frame" else self.goal.header.frame_id
        path.poses = [self.goal]
        if BEHAVIOUR == "nan":
            self.goal.pose.position.y = math.nan
        self.path.publish(path)


rclpy.init()
rclpy.spin(PathPlanner())
