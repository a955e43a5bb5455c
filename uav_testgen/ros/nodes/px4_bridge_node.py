"""px4_bridge_node: a live PX4 in place of vehicle_node.

Subscribes  scenario, flight/command, planner/setpoint; /fmu/out/vehicle_odometry, vehicle_status,
            vehicle_land_detected, vehicle_command_ack, failsafe_flags
Publishes   odometry, flight/step (10 Hz), goal_pose, px4/goal_ned, tf; flight/record (latched) at the end;
            /fmu/in/vehicle_command; at 20 Hz offboard_control_mode until LAND is commanded, and
            trajectory_setpoint while PX4 is in OFFBOARD (with `sut: external` neither)
Parameters  sut, px4_namespace and rates; PX4's patience under `offboard.`, speeds under `carrot.`, the rules
            of the mission under `mission.`, the patience with a node under test under `external.`
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np
from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from rclpy.executors import SingleThreadedExecutor
from std_msgs.msg import Header
from uav_testgen_msgs.msg import Flight as FlightMsg
from uav_testgen_msgs.msg import FlightCommand, FlightStep, NodeStatus, Setpoint

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SET_POSITION
from uav_testgen.core.frames import Vector3
from uav_testgen.flight.sample import sample_scenario
from uav_testgen.graph.environment import UDP_PROFILE
from uav_testgen.ros import topics
from uav_testgen.ros.convert import flight_to_msg
from uav_testgen.ros.convert.motion import Motion, odometry_to_msg
from uav_testgen.ros.convert.setpoint import setpoint_from_msg
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.frames_tf import FrameBroadcaster
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.params import declare_config
from uav_testgen.ros.px4 import compat, narration
from uav_testgen.ros.px4.bridge_config import Px4BridgeConfig
from uav_testgen.ros.px4.external import ExternalSystem
from uav_testgen.ros.px4.failures import Failure, FailureKind, stopped
from uav_testgen.ros.px4.frames import Estimate
from uav_testgen.ros.px4.goals import GoalPublisher
from uav_testgen.ros.px4.link import Px4Link
from uav_testgen.ros.px4.mission_flight import MissionFlight, step_message
from uav_testgen.ros.px4.offboard import Offboard, Stage, View
from uav_testgen.ros.px4.origin import Origin, ResetWatch
from uav_testgen.ros.px4.stamps import StampKind, StampWatch
from uav_testgen.ros.px4.steering import Steering
from uav_testgen.ros.px4.uncertainty import rates_of, variances_of
from uav_testgen.ros.qos import LATCHED, LOCK_STEP
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.mission import FLYING, REACHED
from uav_testgen.vehicle.px4_offboard.carrot import steer

BRING_DOWN_S = 4.0
_REAL_TIME_TOLERANCE = 0.1
_PAUSE_S = 0.5
"""A beat that comes later than this was held up here, by a busy machine or a stopped process."""
_GROUNDED = (
    FailureKind.NO_AGENT,
    FailureKind.VERSION_MISMATCH,
    FailureKind.NOT_ARMABLE,
    FailureKind.NO_SYSTEM,
)
"""With these there is no flight to record: the node fails instead."""


class Px4BridgeNode(GraphNode):
    """Speaks PX4 on one side and the graph's language on the other."""

    def __init__(self, **options: Any) -> None:
        super().__init__("px4_bridge_node", **options)
        self.config = declare_config(self, Px4BridgeConfig)
        self.offboard = (
            ExternalSystem(self.config.offboard, self.config.external)
            if self.config.sut == "external"
            else Offboard(self.config.offboard)
        )
        self._goals = GoalPublisher(self)
        self._at_goal_s = math.inf
        self.origin = Origin()
        self._stamps, self._resets = _new_stamp_watch(), ResetWatch()
        self._waiting_id = 0
        self._next: MissionFlight | None = None
        self._flight: MissionFlight | None = None
        self._motion: Motion | None = None
        self._steering = Steering(self.config)
        self._began_s = self._published_s = self._stepped_s = 0.0
        self._beaten_s = math.inf
        self._told = 0
        self._said = ""
        self._stage = self.offboard.stage
        self._warm_up()
        self._odometry = self.create_publisher(Odometry, topics.ODOMETRY, LOCK_STEP)
        self._step = self.create_publisher(FlightStep, topics.FLIGHT_STEP, LOCK_STEP)
        self._record = self.create_publisher(FlightMsg, topics.FLIGHT, LATCHED)
        self._frames = FrameBroadcaster(self)
        self._wall = Clock(clock_type=ClockType.SYSTEM_TIME)
        self.link = Px4Link(self, self.config.px4_namespace, self._take_odometry)
        for topic, kind, use in (
            (topics.FLIGHT_COMMAND, FlightCommand, self._obey),
            (topics.SETPOINT, Setpoint, self._follow),
        ):
            self.create_subscription(kind, topic, self.guarded(topic, use), LOCK_STEP)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(1.0 / self.config.stream_hz, self._beat, clock=steady)
        self.take_part()

    def destroy_node(self) -> None:
        """Never leave the vehicle in the air: it is told to land, and PX4 then lands on its own."""
        if self.offboard.in_control and self.context.ok():
            self.offboard.finish(time.monotonic(), Failure(FailureKind.STOPPED, "the bridge was ended"))
            executor = SingleThreadedExecutor(context=self.context)
            executor.add_node(self)
            deadline_s = time.monotonic() + BRING_DOWN_S
            while time.monotonic() < deadline_s and self._needs_us():
                executor.spin_once(timeout_sec=0.05)
            executor.remove_node(self)
            self._conclude()
        super().destroy_node()

    def _needs_us(self) -> bool:
        status = self.link.status.value
        return self.offboard.in_control and not (status and status.nav_state in compat.NAV_COMING_DOWN)

    def _warm_up(self) -> None:
        """Compile before PX4 waits for a stream."""
        flight = MissionFlight(sample_scenario(), self.config.mission)
        still = Motion((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        flight.take(still, 0.0)
        flight.advance(still, 0.1)
        ahead = np.array([5.0, 0.0, 1.0, *[np.nan] * 6, 0.0, np.nan])
        steer(ahead, *still.position_enu_m, 0.0, 0.0, 0.1, self.config.carrot.numbers())

    # The graph's side

    def prepare(self, scenario: Scenario) -> None:
        """Find PX4 and see whether it can fly; a flight under way is ended first."""
        self._next = MissionFlight(scenario, self.config.mission)
        now_s = time.monotonic()
        if self.offboard.in_control:
            self.offboard.finish(now_s, Failure(FailureKind.STOPPED, "another scenario was announced"))
            self._conclude()
        self._flight = None
        self.link.formats.forget()
        self.offboard.connect(now_s)
        self._told, self._said = 0, ""

    def taken_in(self, flight_id: int) -> None:
        """READY is said when PX4 is ready."""
        self._waiting_id = flight_id
        view = self.link.view(time.monotonic())
        self._said = narration.waiting(Stage.CONNECTING, view, self.config.offboard)
        self.health.enter(NodeStatus.IDLE, flight_id, self._said)

    def _obey(self, command: FlightCommand) -> None:
        if command.flight_id != self.health.flight_id:
            return
        now_s = time.monotonic()
        if command.command == FlightCommand.STOP:
            self.offboard.finish(now_s, stopped(command.reason))
            if self._flight is None:
                self.health.enter(NodeStatus.ENDED, message=command.reason)
        elif command.command == FlightCommand.START and self.offboard.stage is Stage.READY and self._next:
            self._flight, self._next = self._next, None
            self._stamps, self._resets = _new_stamp_watch(), ResetWatch()
            self._steering.begin(self._motion)
            self._goals.forget()
            self._at_goal_s = math.inf
            self.link.registrations.begin()
            self._began_s = now_s
            self._stepped_s = -math.inf
            self.offboard.start(now_s)
            self.health.enter(NodeStatus.FLYING)

    def _follow(self, setpoint: Setpoint) -> None:
        self._steering.follow(setpoint_from_msg(setpoint), time.monotonic())

    # PX4's side

    def _take_odometry(self, message: Any, estimate: Estimate, now_s: float) -> None:
        jumped = self._stamps.see(int(message.timestamp), now_s) is StampKind.JUMP
        if self._stamps.is_burst:
            return  # stamped with the time since boot: old, or before PX4 knew the time
        if self.offboard.stage is Stage.SETTLING:
            self.origin.see(estimate)
        self._motion = Motion(
            self.origin.to_mission(estimate.position_enu_m),
            estimate.velocity_enu_mps,
            estimate.attitude_rad,
            rates_of(message),
        )
        reset_m = self._resets.see(int(message.reset_counter), estimate, now_s)
        flying = self.offboard.stage in (Stage.FLYING, Stage.HOLDING)
        if jumped and flying:
            step = f"PX4's clock stepped by {self._stamps.last_jump_s:+.1f} s; was it restarted?"
            self.offboard.finish(now_s, Failure(FailureKind.TIME_JUMP, step))
        elif reset_m > self.config.max_reset_jump_m and flying:
            jump = f"the estimate jumped by {reset_m:.1f} m"
            self.offboard.finish(now_s, Failure(FailureKind.ESTIMATOR_RESET, jump))
        if self._flight is not None and self.offboard.in_control:
            self._flight.take(self._motion, now_s - self._began_s)
        rate_hz = self.config.odometry_hz
        if rate_hz <= 0.0 or now_s - self._published_s >= 0.9 / rate_hz:
            self._published_s = now_s
            header = self._header()
            self._odometry.publish(odometry_to_msg(self._motion, header, variances_of(message)))
            self._frames.base(self._motion, header)

    def _beat(self) -> None:
        """Twenty times a second: look, decide, command, stream."""
        now_s = time.monotonic()
        stood_still_s = now_s - self._beaten_s - 1.0 / self.config.stream_hz
        self._beaten_s = now_s
        if stood_still_s > _PAUSE_S:
            self.link.not_listened(stood_still_s, now_s)
            self._stamps.begin_again()
            self.get_logger().warning(f"the bridge itself stood still for {stood_still_s:.1f} s")
        view = self.link.view(now_s)
        if self.offboard.stage in (Stage.CONNECTING, Stage.SETTLING):
            self.link.ask_formats(now_s)
        for words in self.offboard.tick(view):
            self.link.send(words)
        if self._flight is not None and self._motion is not None:
            self._progress(self._flight, self._motion, now_s)
        if self.offboard.stage is not self._stage:
            self._stage = self.offboard.stage
            self._changed(self._stage)
        self._narrate(view)
        steered = self._motion if self.offboard.steers else None
        target = None if steered is None else self._target(steered, now_s)
        if self.offboard.announces:
            self.link.announce(target)
        if target is not None:
            self.link.steer(target)

    def _narrate(self, view: View) -> None:
        """What is going on, for people: a line in the log and with the next heartbeat."""
        for event in self.offboard.events[self._told :]:
            self.get_logger().warning(event)
            self.health.say(event)
        self._told = len(self.offboard.events)
        line = narration.waiting(self.offboard.stage, view, self.config.offboard)
        if self._flight is not None:
            line = narration.flying(self.offboard, self._flight)
        if line and line != self._said:
            self._said = line
            self.get_logger().info(line)
            self.health.say(line)

    def _progress(self, flight: MissionFlight, motion: Motion, now_s: float) -> None:
        if not self.offboard.in_control:
            return
        t_s = now_s - self._began_s
        if now_s - self._stepped_s >= 0.9 / self.config.step_hz:
            self._stepped_s = now_s
            flight.advance(motion, t_s, progress=self._makes_progress())
            self.health.at_step(flight.step)
            airborne = not (self.link.on_ground or self.offboard.stage is Stage.ENGAGING)
            step = step_message(flight, motion, t_s, self._header(), airborne)
            step.flight_id = self.health.flight_id
            if self.offboard.stage is Stage.LANDING:
                step.nav_state = FlightStep.AUTO_LAND
            self._step.publish(step)
            goal: Vector3 = (float(flight.goal[0]), float(flight.goal[1]), float(flight.goal[2]))
            self._goals.tell(goal, self.origin.to_px4(goal), step.header)
        if self.offboard.stage is Stage.FLYING and self._is_over(flight, now_s):
            self.offboard.finish(now_s)

    def _makes_progress(self) -> bool:
        """Somebody else's node may be done, and its vehicle landing, before the step that sees it at its goal.

        A flight that a failure has ended makes none: how long a person then holds the vehicle is their business.
        """
        external = isinstance(self.offboard, ExternalSystem) and self.offboard.stage is Stage.LANDING
        return (external and self.offboard.failure is None) or self.offboard.stage is Stage.FLYING

    def _is_over(self, flight: MissionFlight, now_s: float) -> bool:
        arrived = flight.landing or flight.code == REACHED
        if not arrived or not isinstance(self.offboard, ExternalSystem):
            return arrived or flight.code != FLYING
        self._at_goal_s = min(self._at_goal_s, now_s)
        return self.offboard.is_over(self._at_goal_s, now_s)

    def _changed(self, stage: Stage) -> None:
        """What a new stage means to the others."""
        self._steering.release()
        self.health.note(px4_stage=stage.value)
        if stage in (Stage.CONNECTING, Stage.SETTLING):
            # Only samples from here on: the vehicle may have flown since the last ones.
            self.origin.forget()
        elif stage is Stage.READY and self._next is not None:
            at = self.origin.settle(self._next.launch_enu_m)
            self.get_logger().info(
                f"PX4 is ready; it reports {tuple(round(v, 2) for v in at)} (ENU) on the ground"
            )
            self.health.enter(NodeStatus.READY, self._waiting_id)
        elif stage is Stage.OVER:
            self._conclude()

    def _conclude(self) -> None:
        """The flight is over: its record goes out, whatever happened after it began."""
        failure, left_armed = self.offboard.failure, self.offboard.left_armed
        flight, self._flight = self._flight, None
        if flight is None or (failure is not None and failure.kind in _GROUNDED):
            problems = [p for p in (left_armed, failure) if p and p.kind is not FailureKind.STOPPED]
            if problems:
                self.health.enter(NodeStatus.FAILED, message="; ".join(map(str, problems)))
            return
        self.health.say(narration.over(self.offboard))
        if failure is None and flight.landing:
            flight.completed()
        elif failure is None and flight.code == FLYING:
            reason = "the node under test ended the flight before its last waypoint"
            failure = Failure(FailureKind.LANDED_EARLY, reason)
        made = flight.record(failure, self._details())
        if left_armed is not None:
            made = replace(made, reason=f"{made.reason}; {left_armed}")
        record = flight_to_msg(made)
        record.flight_id = self.health.flight_id
        self._record.publish(record)
        self.health.enter(NodeStatus.ENDED, message=record.reason)

    def _details(self) -> dict[str, Any]:
        factor = self._stamps.real_time_factor
        events = [*self.offboard.events, *self._steering.events]
        left_armed = self.offboard.left_armed
        if factor is not None and abs(factor - 1.0) > _REAL_TIME_TOLERANCE:
            events.append(
                f"PX4 ran at {factor:.2f} times real time; the times of this record, camera rate and moving "
                "obstacles are by the wall clock"
            )
        return {
            **self.link.versions(),
            "system_under_test": self.config.sut,
            "real_time_factor": round(factor, 3) if factor is not None else None,
            "px4_origin_enu_m": [round(-value, 3) for value in self.origin.offset_m],
            "stamp_outliers": self._stamps.outliers,
            "estimator_resets": self._resets.resets,
            "largest_estimator_reset_m": round(self._resets.largest_m, 3),
            "offboard_losses": self.offboard.holds,
            "left_armed": str(left_armed) if left_armed else None,
            "events": events,
        }

    def _target(self, motion: Motion, now_s: float) -> FloatArray:
        """The next set-point, from PX4's own origin."""
        if self._flight is not None and self.offboard.stage is Stage.FLYING:
            target = self._steering.fly(self._flight, motion, now_s, now_s - self._began_s)
        elif self.offboard.in_control:
            target = self._steering.hold(motion)
        else:
            target = self._steering.stay(motion)
        x, y, z = target[SET_POSITION : SET_POSITION + 3].tolist()
        target[SET_POSITION : SET_POSITION + 3] = self.origin.to_px4((x, y, z))
        return target

    def _header(self) -> Header:
        return Header(stamp=self._wall.now().to_msg(), frame_id=topics.MAP_FRAME)


def _new_stamp_watch() -> StampWatch:
    """The agent runs on this machine, so synchronised stamps follow this machine's clock."""
    return StampWatch(true_offset_s=time.time() - time.monotonic())


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen px4_bridge_node`."""
    return run_nodes([Px4BridgeNode], arguments, UDP_PROFILE)


if __name__ == "__main__":
    sys.exit(main())
