"""planner_node: 3DVFH* and its waypoint generator. Knows the cloud, the pose and a goal, never the scene.

Subscribes  camera/depth/points, odometry, flight/step (scenario only to know that a new flight begins)
Publishes   planner/setpoint, stamped like the odometry and the cloud it answers; planner/path, planner/tree,
            planner/status and planner/cost (32FC1, 30 x 60) when somebody listens
Parameters  vehicle, implementation, rig, lock_step, max_age_s; the planner's own under `planner.` and `px4.`
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from nav_msgs.msg import Odometry, Path
from numpy.typing import NDArray
from sensor_msgs.msg import Image, PointCloud2
from std_msgs.msg import Header
from uav_testgen_msgs.msg import FlightStep, PlannerStatus, Setpoint
from visualization_msgs.msg import MarkerArray

from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.backend.lfs.rig import believed_fovs
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.vfh3d.base import PlannerResult
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters
from uav_testgen.ros import topics
from uav_testgen.ros.convert.cloud import cloud_from_msg, depth_to_msg
from uav_testgen.ros.convert.motion import (
    Motion,
    check_step,
    motion_from_msgs,
    path_to_msg,
    with_exact_attitude,
)
from uav_testgen.ros.convert.parts import point_to_msg
from uav_testgen.ros.convert.setpoint import setpoint_to_msg
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.graph_node import GraphNode, wanted
from uav_testgen.ros.matching import StampMatcher
from uav_testgen.ros.node_configs import PlannerNodeConfig, VehicleChoice, rig_for
from uav_testgen.ros.params import declare_config
from uav_testgen.ros.planner_steps import PlannerSteps, StepAnswer
from uav_testgen.ros.qos import DISPLAY, LOCK_STEP
from uav_testgen.ros.visuals.tree import tree_markers
from uav_testgen.scenario.model import Scenario

_INPUTS = (topics.ODOMETRY, topics.FLIGHT_STEP, topics.CLOUD)


class PlannerNode(GraphNode):
    """Answers every step with a setpoint."""

    def __init__(self, **options: Any) -> None:
        super().__init__("planner_node", **options)
        self.config = declare_config(self, PlannerNodeConfig)
        vehicle = declare_config(self, VehicleChoice).vehicle
        setup = LfsConfig(vehicle=vehicle, camera=rig_for(vehicle, self.config.rig))
        planner = declare_config(self, PlannerConfig, prefix="planner")
        px4 = declare_config(self, Px4Parameters, prefix="px4", defaults=setup.px4)
        self._steps = PlannerSteps(self.config.implementation, planner, px4, believed_fovs(setup))
        self._steps.warm_up()
        self._newest: dict[str, tuple[float, Any, Any]] = {}
        self._last: tuple[int, Setpoint] | None = None
        self._setpoint = self.create_publisher(Setpoint, topics.SETPOINT, LOCK_STEP)
        self._status = self.create_publisher(PlannerStatus, topics.PLANNER_STATUS, DISPLAY)
        self._path = self.create_publisher(Path, topics.PATH, DISPLAY)
        self._tree = self.create_publisher(MarkerArray, topics.TREE, DISPLAY)
        self._cost = self.create_publisher(Image, topics.COST_IMAGE, DISPLAY)
        self._matcher = StampMatcher(_INPUTS, self._plan)
        for topic, kind, convert in (
            (topics.ODOMETRY, Odometry, motion_from_msgs),
            (topics.FLIGHT_STEP, FlightStep, _checked_step),
            (topics.CLOUD, PointCloud2, _checked_cloud),
        ):
            take = self.guarded(topic, self._taker(topic, convert))
            self.create_subscription(kind, topic, take, LOCK_STEP)
        self.take_part()

    def prepare(self, scenario: Scenario) -> None:
        """A new flight: forget cloud memory, path and waypoint state. The obstacles are not looked at."""
        self._matcher.clear()
        self._newest.clear()
        self._last = None
        self._steps.reset()

    def _taker(self, topic: str, convert: Callable[[Any], Any]) -> Callable[[Any], None]:
        def take(message: Any) -> None:
            value = convert(message)
            if self.config.lock_step:
                self._matcher.add(topic, message, value)
                return
            self._newest[topic] = (time.monotonic(), message, value)
            if topic == topics.CLOUD:
                self._plan_live()

        return take

    def _plan_live(self) -> None:
        """Newest of everything, unless something is too old to be trusted."""
        oldest_s = time.monotonic() - self.config.max_age_s
        fresh = [self._newest[topic] for topic in _INPUTS if topic in self._newest]
        if len(fresh) == len(_INPUTS) and all(came_s >= oldest_s for came_s, _, _ in fresh):
            self._plan(*(value for _, _, value in fresh))

    def _plan(self, odometry: Motion, step: FlightStep, cloud: NDArray[np.float32]) -> None:
        if step.flight_id != self.health.flight_id:
            return
        if self._last is not None and self._last[0] == step.step and self.config.lock_step:
            self._setpoint.publish(self._last[1])  # asked again: the answer was lost
            return
        inspect = wanted(self._tree) or wanted(self._cost)
        started_s = time.perf_counter()
        motion = with_exact_attitude(odometry, step)
        answer = self._steps.answer(motion, step, cloud, inspect)
        compute_s = time.perf_counter() - started_s
        header = Header(stamp=step.header.stamp, frame_id=topics.MAP_FRAME)
        self._last = (step.step, setpoint_to_msg(answer, header))
        self._setpoint.publish(self._last[1])
        self.health.at_step(step.step)
        self._show(answer, step, header, compute_s)

    def _show(self, answer: StepAnswer, step: FlightStep, header: Header, compute_s: float) -> None:
        result = answer.result
        if wanted(self._status):
            self._status.publish(_status_msg(result, step, header, compute_s))
        if wanted(self._path):
            self._path.publish(path_to_msg(result.path_enu_m[::-1], header))
        costs = result.trace.costs if result.trace else None
        if costs is not None and wanted(self._tree):
            self._tree.publish(tree_markers(costs.tree, header))
        if costs is not None and wanted(self._cost):
            self._cost.publish(depth_to_msg(costs.cost_matrix, header))


def _checked_step(step: FlightStep) -> FlightStep:
    check_step(step)
    return step


def _checked_cloud(cloud: PointCloud2) -> NDArray[np.float32]:
    if cloud.header.frame_id != topics.MAP_FRAME:
        raise PlannerInputError(f"frame '{cloud.header.frame_id}' is not '{topics.MAP_FRAME}'")
    return cloud_from_msg(cloud)


def _status_msg(result: PlannerResult, step: FlightStep, header: Header, compute_s: float) -> PlannerStatus:
    return PlannerStatus(
        header=header,
        planned_now=result.planned_now,
        cloud_size=len(result.cloud_enu_m),
        tree_size=result.tree_size,
        closest_point=point_to_msg(result.closest_point_enu_m),
        cruise_velocity=result.cruise_velocity_mps,
        path_age=max(0.0, step.time - result.last_path_time_s),
        goal_index=step.goal_index,
        compute_time=compute_s,
    )


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen planner_node`."""
    return run_nodes([PlannerNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
