"""planner_adapter_node: stands for a planner that is a ROS node of somebody else, as its profile says.

Subscribes  odometry, flight/step, camera/depth/points (camera/depth/image), flight/command, flight/record; what the
            planner answers
Publishes   planner/setpoint; flight/command (a planner that failed or is late ends its flight); planner/report (JSON,
            latched); to the planner: goal, odometry, poses, cloud, depth image, /tf, /clock
Parameters  system and its parts (`system_params`), profile, start
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from nav_msgs.msg import Odometry
from numpy.typing import NDArray
from rclpy.clock import Clock, ClockType
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Image, PointCloud2
from std_msgs.msg import Header, String
from uav_testgen_msgs.msg import Flight as FlightMsg
from uav_testgen_msgs.msg import FlightCommand, FlightStep, NodeStatus, Setpoint

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.flight.model import Ending
from uav_testgen.graph.planner_profile import load_profile
from uav_testgen.ros import topics
from uav_testgen.ros.adapter.answers import AnswerReader
from uav_testgen.ros.adapter.connection import Connection
from uav_testgen.ros.adapter.outputs import Outputs
from uav_testgen.ros.adapter.talk import LockStepTalk, PacedTalk, Seen, Talk
from uav_testgen.ros.convert.cloud import cloud_from_msg
from uav_testgen.ros.convert.motion import (
    Motion,
    check_step,
    image_motion_from_step,
    motion_from_msgs,
    with_exact_attitude,
)
from uav_testgen.ros.convert.setpoint import setpoint_to_msg
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.matching import StampMatcher, stamp_ns
from uav_testgen.ros.node_configs import PlannerAdapterConfig
from uav_testgen.ros.params import declare_config
from uav_testgen.ros.planner_fault import stop_reason
from uav_testgen.ros.qos import LATCHED, LATCHED_READER, LOCK_STEP, SENSOR
from uav_testgen.ros.system_params import declare_system
from uav_testgen.scenario.model import Scenario

TICK_S: Final = 0.002
LOOK_EVERY_S: Final = 0.1
IMAGE_WAIT_S: Final = 1.0
_RELIABLE = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE)
_BEST_EFFORT = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)
_INPUTS = (topics.ODOMETRY, topics.FLIGHT_STEP, topics.CLOUD)


class PlannerAdapterNode(GraphNode):
    """Speaks the graph's language on one side and the planner's on the other."""

    def __init__(self, **options: Any) -> None:
        super().__init__("planner_adapter_node", **options)
        self._camera = declare_system(self).rig.cameras[0]
        self.config = declare_config(self, PlannerAdapterConfig)
        self.profile = load_profile(self.config.profile)
        self._outputs = Outputs(self, self.profile, self._camera, self.config.profile)
        self._reader = AnswerReader(self.profile.from_planner, self._outputs.places, self.config.profile)
        self._connection = Connection(self, self.profile, self.config.start, self._outputs)
        self._talk: Talk | None = None
        self._fault: tuple[Ending, str] | None = None
        self._warnings: list[str] = []
        self._last: tuple[int, Setpoint] | None = None
        self._waiting: tuple[Motion, FlightStep, NDArray[np.float32], float] | None = None
        self._image: Image | None = None
        self._looked_s = 0.0
        self._is_lossy = False
        self._lossy: Any = None
        self._setpoint = self.create_publisher(Setpoint, topics.SETPOINT, LOCK_STEP)
        self._command = self.create_publisher(FlightCommand, topics.FLIGHT_COMMAND, LOCK_STEP)
        self._report = self.create_publisher(String, topics.PLANNER_REPORT, LATCHED)
        self._matcher = StampMatcher(_INPUTS, self._complete)
        for topic, kind, convert in (
            (topics.ODOMETRY, Odometry, motion_from_msgs),
            (topics.FLIGHT_STEP, FlightStep, _checked_step),
            (topics.CLOUD, PointCloud2, cloud_from_msg),
        ):
            self.create_subscription(kind, topic, self.guarded(topic, self._taker(topic, convert)), LOCK_STEP)
        if self.profile.to_planner.depth is not None:
            self.create_subscription(Image, topics.DEPTH_IMAGE, self._take_image, SENSOR)
        self.create_subscription(FlightCommand, topics.FLIGHT_COMMAND, self._obey, LOCK_STEP)
        self.create_subscription(FlightMsg, topics.FLIGHT, self._on_record, LATCHED_READER)
        wanted = self.profile.from_planner
        self.create_subscription(self._reader.kind, wanted.topic, self._on_reliable, _RELIABLE)
        self.create_timer(TICK_S, self._tick, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self.take_part()

    def destroy_node(self) -> None:
        """The planner ends with its adapter."""
        self._connection.close()
        super().destroy_node()

    def prepare(self, scenario: Scenario) -> None:
        """A new flight with a planner that has forgotten the one before."""
        self._matcher.clear()
        self._talk, self._fault, self._last, self._waiting, self._image = None, None, None, None, None
        self._warnings = []
        self._connection.begin()

    def taken_in(self, flight_id: int) -> None:
        """Ready is said when the planner is there."""
        self.health.enter(NodeStatus.IDLE, flight_id, "waiting for the planner")

    def _tick(self) -> None:
        now_s = time.monotonic()
        if now_s - self._looked_s >= LOOK_EVERY_S:
            self._looked_s = now_s
            self._look()
        if self._waiting is not None and now_s - self._waiting[3] > IMAGE_WAIT_S:
            self._hand_on(*self._waiting[:3])  # images may get lost; the flight goes on without this one
        if self._talk is not None:
            self._talk.tick()

    def _look(self) -> None:
        """At the planner's process and topics, a few times a second."""
        if self._fault is not None and self.health.state == NodeStatus.READY:
            self._stop_flight()
            return
        problem = self._connection.look()
        if problem and self._talk is not None:
            self._fail(Ending.PLANNER_ERROR, problem)
        elif problem and self.health.state == NodeStatus.IDLE:
            self.health.enter(NodeStatus.FAILED, message=f"{Ending.PLANNER_ERROR.value}: {problem}")
            self._connection.end()
        elif self._connection.is_ready and self.health.state == NodeStatus.IDLE and self.health.flight_id:
            self._begin_talk()

    def _begin_talk(self) -> None:
        self._is_lossy = self._connection.is_lossy
        if self._is_lossy and self._lossy is None:
            wanted = self.profile.from_planner
            self._lossy = self.create_subscription(
                self._reader.kind, wanted.topic, self._on_lossy, _BEST_EFFORT
            )
        kind = PacedTalk if self.profile.time.is_paced else LockStepTalk
        self._talk = kind(self.profile, self._outputs, self._answer, self._fail)
        self._warnings += self._connection.warnings()
        self.health.enter(NodeStatus.READY)

    def _taker(self, topic: str, convert: Any) -> Any:
        def take(message: Any) -> None:
            self._matcher.add(topic, message, convert(message))

        return take

    def _complete(self, odometry: Motion, step: FlightStep, cloud: NDArray[np.float32]) -> None:
        if self._talk is None or step.flight_id != self.health.flight_id:
            return
        if self._last is not None and self._last[0] == step.step:
            self._setpoint.publish(self._last[1])  # asked again: the answer was lost
            return
        newest = self._talk.newest
        if newest is not None and newest.step.step == step.step:
            return  # asked again while the planner thinks
        motion = with_exact_attitude(odometry, step)
        if self.profile.to_planner.depth is not None and not self._image_fits(step):
            if self._waiting is None or self._waiting[1].step != step.step:
                self._waiting = (motion, step, cloud, time.monotonic())
            return
        self._hand_on(motion, step, cloud)

    def _hand_on(self, motion: Motion, step: FlightStep, cloud: NDArray[np.float32]) -> None:
        self._waiting = None
        image = self._image if self._image_fits(step) else None
        if self._talk is not None:
            self._talk.see(Seen(step, motion, image_motion_from_step(step), cloud, image))

    def _image_fits(self, step: FlightStep) -> bool:
        """An image is stamped like its step, or when it was taken."""
        taken_ns = stamp_ns(step) - round(step.image_age * 1e9)
        return self._image is not None and stamp_ns(self._image) in (stamp_ns(step), taken_ns)

    def _take_image(self, image: Image) -> None:
        self._image = image
        if self._waiting is not None and self._image_fits(self._waiting[1]):
            self._hand_on(*self._waiting[:3])

    def _on_reliable(self, message: Any) -> None:
        if not self._is_lossy:
            self._heard(message)

    def _on_lossy(self, message: Any) -> None:
        if self._is_lossy:
            self._heard(message)

    def _heard(self, message: Any) -> None:
        talk = self._talk
        if talk is None or talk.newest is None:
            return
        try:
            plan = self._reader.plan(message, talk.newest.motion)
            if plan is not None:
                talk.hear(plan, self._reader.stamp_ns(message))
        except PlannerInputError as error:
            topic, at_s = self.profile.from_planner.topic, talk.newest.step.time
            self._fail(Ending.PLANNER_ERROR, f"{topic} at {at_s:.1f} s: {error}")

    def _answer(self, seen: Seen, setpoint: FloatArray) -> None:
        header = Header(stamp=seen.step.header.stamp, frame_id=topics.MAP_FRAME)
        self._last = (seen.step.step, setpoint_to_msg(setpoint, header))
        self._setpoint.publish(self._last[1])
        self.health.at_step(seen.step.step)

    def _fail(self, ending: Ending, sentence: str) -> None:
        """The planner's fault: the flight ends and is recorded with that ending."""
        if self._fault is not None:
            return
        is_flying = self._talk is not None and self._talk.newest is not None
        self._fault = (ending, sentence)
        self._tell_report()
        self._talk = None
        if is_flying:
            self._stop_flight()
        else:  # nothing to record
            self.health.enter(NodeStatus.FAILED, message=f"{ending.value}: {sentence}")
            self._connection.end()

    def _stop_flight(self) -> None:
        """Said again until the vehicle's record has come."""
        assert self._fault is not None
        reason = stop_reason(*self._fault)
        self._command.publish(
            FlightCommand(flight_id=self.health.flight_id, command=FlightCommand.STOP, reason=reason)
        )

    def _obey(self, command: FlightCommand) -> None:
        if command.flight_id != self.health.flight_id or command.command != FlightCommand.STOP:
            return
        if self._fault is None:
            self._over(command.reason)

    def _on_record(self, record: FlightMsg) -> None:
        if record.flight_id == self.health.flight_id and self.health.state == NodeStatus.READY:
            self._tell_report()
            self._over(record.reason)

    def _over(self, reason: str) -> None:
        self._talk = None
        self.health.enter(NodeStatus.ENDED, message=reason)
        self._connection.end()

    def _tell_report(self) -> None:
        """What the record of the flight says about the conversation."""
        paced = self.profile.time
        told: dict[str, Any] = {
            "flight_id": self.health.flight_id,
            "profile": Path(self.config.profile).name,
            "time_mode": paced.mode,
            "speed": paced.speed if paced.is_paced else None,
            "repeatable": not paced.is_paced,
        }
        if self._talk is not None:
            warnings = [*self._warnings, self._talk.warning]
            told |= self._talk.ages.to_json()
            told |= {
                "slipped_s": round(self._talk.slipped_s, 3),
                "warnings": [text for text in warnings if text],
            }
            for text in told["warnings"]:
                self.get_logger().warning(text)
        if self._fault is not None:
            told["planner_error"] = self._fault[1]
        if self._talk is not None or self._fault is None:
            self._report.publish(String(data=json.dumps(told)))


def _checked_step(step: FlightStep) -> FlightStep:
    check_step(step)
    return step


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen planner_adapter_node`."""
    return run_nodes([PlannerAdapterNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
