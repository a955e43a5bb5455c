"""depth_cloud_node: what the depth cameras see from where the vehicle is.

Subscribes  scenario; flight/step in lock-step, odometry where nobody publishes flight steps
Publishes   camera/depth/points: all cameras together, in the map frame and stamped like the step (or see points_frame);
            when somebody listens, camera/NAME/depth/image (32FC1), camera_info and points of each camera in its optical
            frame, stamped when they were taken (the first camera's image also as camera/depth/image); tf_static
Parameters  system and its parts (`system_params`), renderer, lock_step, points_frame
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message
from rclpy.time import Time
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import Header
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.flight.sample import sample_scenario
from uav_testgen.loop.image_pose import image_time
from uav_testgen.loop.stepwise import make_renderer
from uav_testgen.ros import topics
from uav_testgen.ros.camera_outlets import Taken, camera_outlets
from uav_testgen.ros.convert.cloud import clouds_to_msg, in_optical_frame
from uav_testgen.ros.convert.motion import Motion, check_step, image_motion_from_step, motion_from_msgs
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.frames_tf import FrameBroadcaster, camera_transforms
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.matching import stamp_ns
from uav_testgen.ros.node_configs import DepthCloudConfig
from uav_testgen.ros.params import declare_config
from uav_testgen.ros.qos import LOCK_STEP
from uav_testgen.ros.system_params import declare_system
from uav_testgen.scenario.model import Scenario
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.cloud import DepthSensor
from uav_testgen.sensing.noise import DelayLine

_NO_POINTS = np.zeros((0, 3), np.float32)


class DepthCloudNode(GraphNode):
    """Renders one frame for every step."""

    def __init__(self, **options: Any) -> None:
        super().__init__("depth_cloud_node", **options)
        self.config = declare_config(self, DepthCloudConfig)
        self._rig = declare_system(self).rig
        self._renderer = make_renderer(self.config.renderer)
        self._look_once(DepthSensor.of(sample_scenario(), self._rig, self._renderer))
        self._sensor: DepthSensor | None = None
        self._delays: list[DelayLine[Taken]] = []
        self._frame_number = 0
        self._last: tuple[int, PointCloud2] | None = None
        self._start_ns = -1
        self._cloud = self.create_publisher(PointCloud2, topics.CLOUD, LOCK_STEP)
        self._outlets = camera_outlets(self, self._rig)
        FrameBroadcaster(self).static(camera_transforms(self._rig))
        # In lock-step the flight step says it all; the odometry is then not even decoded.
        odometry = self.guarded(topics.ODOMETRY, self._take_odometry)
        self.create_subscription(Odometry, topics.ODOMETRY, odometry, LOCK_STEP, raw=True)
        if self.config.lock_step:
            step = self.guarded(topics.FLIGHT_STEP, self._take_step)
            self.create_subscription(FlightStep, topics.FLIGHT_STEP, step, LOCK_STEP)
        self.take_part()

    def prepare(self, scenario: Scenario) -> None:
        """A new world; its first image is rendered at once, so that meshes are built before the flight."""
        self._frame_number, self._start_ns, self._last = 0, -1, None
        self._sensor = DepthSensor.of(scenario, self._rig, self._renderer)
        self._delays = [DelayLine(camera.noise.latency_s) for camera in self._rig.cameras]
        self._look_once(self._sensor)

    @staticmethod
    def _look_once(sensor: DepthSensor) -> None:
        sensor.frames(0.0, Pose((0.0, 0.0, 5.0)), 0)

    def _take_step(self, step: FlightStep) -> None:
        check_step(step)
        motion = image_motion_from_step(step)
        if step.flight_id != self.health.flight_id:
            return
        if self._last is not None and self._last[0] == step.step:
            self._cloud.publish(self._last[1])  # asked again: the answer was lost
            return
        taken = step.header.stamp
        if step.image_age > 0.0:
            taken = Time(nanoseconds=max(stamp_ns(step) - round(step.image_age * 1e9), 0)).to_msg()
        seen_s = image_time(step.time, step.image_age)
        self._last = (step.step, self._publish(motion, step.time, seen_s, step.step, step.header, taken))
        self.health.at_step(step.step)

    def _take_odometry(self, data: bytes) -> None:
        """Live, or from a vehicle that knows no flight steps: images at the camera's rate."""
        if self._sensor is None or (self.config.lock_step and self.count_publishers(topics.FLIGHT_STEP) > 0):
            return
        odometry = deserialize_message(data, Odometry)
        motion = motion_from_msgs(odometry)
        now_ns = stamp_ns(odometry)
        if self._start_ns < 0 or now_ns < self._start_ns:
            self._start_ns, self._frame_number = now_ns, 0
        time_s = 1e-9 * (now_ns - self._start_ns)
        if time_s * self._rig.cameras[0].rate_hz >= self._frame_number:
            self._publish(motion, time_s, time_s, self._frame_number, odometry.header, odometry.header.stamp)
            self._frame_number += 1

    def _publish(
        self, motion: Motion, time_s: float, seen_s: float, number: int, header: Header, taken: Any
    ) -> PointCloud2:
        """`seen_s` (`taken` as a stamp) is when the vehicle was where `motion` says; the header is the step's."""
        assert self._sensor is not None
        roll, pitch, yaw = motion.attitude_rad
        pose = Pose(motion.position_enu_m, yaw, pitch, roll)
        frames = self._sensor.frames(seen_s, pose, number)
        arrived = [
            delay.push(time_s, Taken(taken, frame)) for delay, frame in zip(self._delays, frames, strict=True)
        ]
        clouds = [_NO_POINTS if one is None else one.frame.points_enu_m for one in arrived]
        if self.config.points_frame == "optical":
            in_view = [in_optical_frame(points, self._sensor.cameras[0], pose) for points in clouds]
            cloud = clouds_to_msg(in_view, Header(stamp=taken, frame_id=topics.CAMERA_OPTICAL_FRAME))
        else:
            cloud = clouds_to_msg(clouds, Header(stamp=header.stamp, frame_id=topics.MAP_FRAME))
        self._cloud.publish(cloud)
        for outlet, one, camera in zip(self._outlets, arrived, self._sensor.cameras, strict=True):
            if one is not None:
                outlet.publish(one, camera)
        return cloud


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen depth_cloud_node`."""
    return run_nodes([DepthCloudNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
