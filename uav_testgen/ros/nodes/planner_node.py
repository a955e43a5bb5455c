"""planner_node: the system's planner and its guide. Knows the cloud, the pose and a goal, never the scene.

Subscribes  camera/depth/points in map or in any frame of the tf tree (tf and tf_static are heard when one comes),
            odometry, flight/step (scenario: a new flight begins, its speed and seed)
Publishes   planner/setpoint, stamped like the odometry and the cloud it answers; planner/path, planner/tree,
            planner/status and planner/cost (32FC1, 30 x 60) when somebody listens
Parameters  system and its parts (`system_params`), implementation, lock_step, max_age_s; values of 3DVFH*
            under `planner.`, `autopilot.` and `timing.`
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
from nav_msgs.msg import Odometry, Path
from sensor_msgs.msg import Image, PointCloud2
from std_msgs.msg import Header, String
from uav_testgen_msgs.msg import FlightCommand, FlightStep, NodeStatus, PlannerStatus, Setpoint
from visualization_msgs.msg import MarkerArray

from uav_testgen.flight.model import Ending
from uav_testgen.loop.planner_of import fault_of
from uav_testgen.loop.planner_watch import PlannerHangs, PlannerIsLate
from uav_testgen.loop.stepwise import MOST_TRACEBACK
from uav_testgen.planner.camera import Camera
from uav_testgen.planner.vfh3d.planner import details_of
from uav_testgen.ros import topics
from uav_testgen.ros.convert.cloud import clouds_from_msg, depth_to_msg
from uav_testgen.ros.convert.motion import (
    Motion,
    check_step,
    motion_from_msgs,
    path_to_msg,
    with_exact_attitude,
)
from uav_testgen.ros.convert.setpoint import setpoint_to_msg
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.graph_node import GraphNode, wanted
from uav_testgen.ros.image_poses import ImagePoses
from uav_testgen.ros.live_params import LiveParameters
from uav_testgen.ros.matching import StampMatcher, stamp_ns
from uav_testgen.ros.node_settings import planner_settings
from uav_testgen.ros.planner_fault import stop_reason
from uav_testgen.ros.planner_steps import PlannerSteps, SeenClouds, StepAnswer, path_of
from uav_testgen.ros.qos import DISPLAY, LATCHED, LOCK_STEP, SENSOR
from uav_testgen.ros.tf_listener import TfListener
from uav_testgen.ros.tf_tree import Placed
from uav_testgen.ros.visuals.planner_status import status_msg
from uav_testgen.ros.visuals.tree import tree_markers
from uav_testgen.scenario.model import Scenario

_INPUTS = (topics.ODOMETRY, topics.FLIGHT_STEP, topics.CLOUD)


class PlannerNode(GraphNode):
    """Answers every step with a setpoint."""

    def __init__(self, **options: Any) -> None:
        super().__init__("planner_node", **options)
        self.reconfigure()
        self._steps.warm_up()
        self._newest: dict[str, tuple[float, Any]] = {}
        self._tf = TfListener(self)
        self._last: tuple[int, Setpoint] | None = None
        self._setpoint = self.create_publisher(Setpoint, topics.SETPOINT, LOCK_STEP)
        self._is_ours = self._steps.system.planner.is_shipped
        if not self._is_ours:  # it may end its flight
            self._command = self.create_publisher(FlightCommand, topics.FLIGHT_COMMAND, LOCK_STEP)
            self._report = self.create_publisher(String, topics.PLANNER_REPORT, LATCHED)
        self._status = self.create_publisher(PlannerStatus, topics.PLANNER_STATUS, DISPLAY)
        self._path = self.create_publisher(Path, topics.PATH, DISPLAY)
        self._tree = self.create_publisher(MarkerArray, topics.TREE, DISPLAY)
        self._cost = self.create_publisher(Image, topics.COST_IMAGE, DISPLAY)
        self._matcher = StampMatcher(_INPUTS, self._plan)
        for topic, kind, convert in (
            (topics.ODOMETRY, Odometry, motion_from_msgs),
            (topics.FLIGHT_STEP, FlightStep, _checked_step),
        ):
            take = self.guarded(topic, self._taker(topic, convert))
            self.create_subscription(kind, topic, take, LOCK_STEP)
        cloud = self.guarded(topics.CLOUD, self._take_cloud)
        # Live clouds come from drivers and bridges, which may offer no more than best effort.
        self.create_subscription(
            PointCloud2, topics.CLOUD, cloud, LOCK_STEP if self.config.lock_step else SENSOR
        )
        self.live = LiveParameters(self, planner_settings)
        self.take_part()

    def reconfigure(self) -> None:
        """Take what the parameters say: a new planner."""
        self.config, system = planner_settings(self)
        self._steps = PlannerSteps(system, self.config.planner_timeout_s)
        self._image_age_ns = round(system.timing.image_age_s * 1e9)
        self._image_poses = ImagePoses(system.rig)

    def prepare(self, scenario: Scenario) -> None:
        """A new flight with a new planner. The obstacles are not looked at."""
        self._matcher.clear()
        self._tf.forget()
        self._newest.clear()
        self._last = None
        self._image_poses.clear()
        self._steps.begin(scenario)

    def _taker(self, topic: str, convert: Callable[[Any], Any]) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            value = convert(message)
            if topic == topics.ODOMETRY and not (self._is_ours or self.config.lock_step):
                self._image_poses.keep(stamp_ns(message), value)
            self._put(topic, stamp_ns(message), value)

        return take

    def _put(self, topic: str, stamp: int, value: Any) -> None:
        if self.config.lock_step:
            self._matcher.put(topic, stamp, value)
            return
        self._newest[topic] = (time.monotonic(), value)
        if topic == topics.CLOUD:
            self._plan_live()

    def _take_cloud(self, cloud: PointCloud2) -> None:
        """In `map` as it is; from any other frame of the tf tree as of the time when it was taken."""
        clouds = clouds_from_msg(cloud, len(self._steps.system.rig.cameras))
        stamp, frame = stamp_ns(cloud), cloud.header.frame_id.lstrip("/")
        if frame == topics.MAP_FRAME:
            self._put(topics.CLOUD, stamp, SeenClouds(clouds, stamp))
            return

        def placed(camera: Placed) -> None:
            moved = tuple(camera.apply(one.astype(np.float64)).astype(np.float32) for one in clouds)
            self._put(topics.CLOUD, stamp + self._image_age_ns, SeenClouds(moved, stamp))

        self._tf.when_known(topics.MAP_FRAME, frame, stamp, placed)

    def _plan_live(self) -> None:
        """Newest of everything, unless something is too old to be trusted."""
        oldest_s = time.monotonic() - self.config.max_age_s
        fresh = [self._newest[topic] for topic in _INPUTS if topic in self._newest]
        if len(fresh) == len(_INPUTS) and all(came_s >= oldest_s for came_s, _ in fresh):
            self._plan(*(value for _, value in fresh))

    def _plan(self, odometry: Motion, step: FlightStep, seen: SeenClouds) -> None:
        if step.flight_id != self.health.flight_id:
            return
        if self._last is not None and self._last[0] == step.step and self.config.lock_step:
            self._setpoint.publish(self._last[1])  # asked again: the answer was lost
            return
        inspect = wanted(self._tree) or wanted(self._cost)
        started_s = time.perf_counter()
        motion = with_exact_attitude(odometry, step) if self.config.lock_step else odometry
        cameras: Callable[[], tuple[Camera, ...]] = tuple
        if not self._is_ours:  # ours never asks
            cameras = self._image_poses.cameras(step, None if self.config.lock_step else seen.stamp_ns)
        try:
            answer = self._steps.answer(motion, step, seen.clouds_enu_m, cameras, inspect)
        except PlannerIsLate as error:
            self._fail(Ending.PLANNER_LATE, str(error))
            return
        except PlannerHangs:
            limit_s = self.config.planner_timeout_s
            self._fail(Ending.PLANNER_LATE, f"no answer within {limit_s:g} s, so the call was interrupted")
            return
        except (Exception, SystemExit) as error:
            self._fail(Ending.PLANNER_ERROR, fault_of(self._steps.planner, error))
            return
        compute_s = time.perf_counter() - started_s
        header = Header(stamp=step.header.stamp, frame_id=topics.MAP_FRAME)
        self._last = (step.step, setpoint_to_msg(answer.setpoint, header))
        self._setpoint.publish(self._last[1])
        self.health.at_step(step.step)
        self._show(answer, motion, step, header, compute_s)

    def _fail(self, ending: Ending, sentence: str) -> None:
        """What a planner does wrong ends the flight at once, instead of the step's time limit.

        A fault of the shipped planner is one of the bench: there is no flight to record. Said again whenever the
        step is announced again, until the vehicle has heard it.
        """
        told = traceback.format_exc()
        self.get_logger().error(f"the planner failed: {told}", throttle_duration_sec=5.0)
        if self._is_ours:
            self.health.enter(NodeStatus.FAILED, message=f"the planner failed: {sentence}")
            return
        report = {"planner_error": sentence, "planner_traceback": told[-MOST_TRACEBACK:]}
        self._report.publish(String(data=json.dumps({"flight_id": self.health.flight_id, **report})))
        reason = stop_reason(ending, sentence)
        self._command.publish(
            FlightCommand(flight_id=self.health.flight_id, command=FlightCommand.STOP, reason=reason)
        )

    def _show(
        self, answer: StepAnswer, motion: Motion, step: FlightStep, header: Header, compute_s: float
    ) -> None:
        result = details_of(answer.plan)
        if wanted(self._status):
            self._status.publish(status_msg(self._steps, answer, step, header, compute_s))
        if wanted(self._path):
            self._path.publish(path_to_msg(path_of(answer, motion), header))
        costs = result.trace.costs if result is not None and result.trace else None
        if costs is not None and wanted(self._tree):
            self._tree.publish(tree_markers(costs.tree, header))
        if costs is not None and wanted(self._cost):
            self._cost.publish(depth_to_msg(costs.cost_matrix, header))


def _checked_step(step: FlightStep) -> FlightStep:
    check_step(step)
    return step


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen planner_node`."""
    return run_nodes([PlannerNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
