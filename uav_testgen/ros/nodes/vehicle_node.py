"""vehicle_node: the vehicle and its mission. It owns the simulation clock.

Subscribes  scenario, flight/command, planner/setpoint
Publishes   odometry and flight/step (stamp t_k), clock, tf (at t_k and when the image was taken);
            flight/record (latched) when the flight is over
Parameters  system and its parts (`system_params`), clock_hz; values under `vehicle.`, `timing.` and `mission.`
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any, Final

import numpy as np
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from rclpy.time import Time
from rosgraph_msgs.msg import Clock as ClockMsg
from std_msgs.msg import Header
from uav_testgen_msgs.msg import Flight as FlightMsg
from uav_testgen_msgs.msg import FlightCommand, FlightStep, NodeStatus, Setpoint

from uav_testgen.core.body import LAND, SETPOINT_SIZE, TAKEOFF
from uav_testgen.flight.model import Ending
from uav_testgen.flight.sample import sample_scenario
from uav_testgen.ros import topics
from uav_testgen.ros.convert import flight_to_msg, point_to_msg, vector_to_msg
from uav_testgen.ros.convert.motion import odometry_to_msg
from uav_testgen.ros.convert.setpoint import setpoint_from_msg
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.frames_tf import FrameBroadcaster, base_transform
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.live_params import LiveParameters
from uav_testgen.ros.matching import stamp_ns
from uav_testgen.ros.node_settings import vehicle_settings
from uav_testgen.ros.planner_fault import planner_fault
from uav_testgen.ros.qos import LATCHED, LOCK_STEP
from uav_testgen.ros.vehicle_flight import VehicleFlight
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.mission import FLYING

PAUSE_NS: Final = 1_000_000_000
"""Simulated time between two flights: the clock never goes back, so no stamp is used twice."""
REPEAT_S: Final = 0.5
"""A step without an answer is announced again after this time: a message may be lost in a flood."""
_NAV_STATES: Final = {TAKEOFF: FlightStep.AUTO_TAKEOFF, LAND: FlightStep.AUTO_LAND}


class VehicleNode(GraphNode):
    """Takes one step for every setpoint."""

    def __init__(self, **options: Any) -> None:
        super().__init__("vehicle_node", **options)
        self.reconfigure()
        VehicleFlight(self.system, sample_scenario()).advance(np.full(SETPOINT_SIZE, np.nan))
        self._start_ns = self._ticked_ns = PAUSE_NS  # time zero means "no time yet" in ROS
        self._flight: VehicleFlight | None = None
        self._odometry = self.create_publisher(Odometry, topics.ODOMETRY, LOCK_STEP)
        self._step = self.create_publisher(FlightStep, topics.FLIGHT_STEP, LOCK_STEP)
        self._record = self.create_publisher(FlightMsg, topics.FLIGHT, LATCHED)
        self._ticks = self.create_publisher(ClockMsg, topics.CLOCK, LOCK_STEP)
        self._frames = FrameBroadcaster(self)
        self._moved_s = 0.0
        self.create_timer(REPEAT_S, self._repeat, clock=Clock(clock_type=ClockType.STEADY_TIME))
        for topic, kind, use in (
            (topics.FLIGHT_COMMAND, FlightCommand, self._obey),
            (topics.SETPOINT, Setpoint, self._follow),
        ):
            self.create_subscription(kind, topic, self.guarded(topic, use), LOCK_STEP)
        self.live = LiveParameters(self, vehicle_settings)
        self.take_part()

    def reconfigure(self) -> None:
        """Take what the parameters say."""
        self.config, self.system = vehicle_settings(self)
        self._dt_ns = round(self.system.timing.dt_s * 1e9)
        self._image_age_ns = round(self.system.timing.image_age_s * 1e9)

    def prepare(self, scenario: Scenario) -> None:
        """Back to the ground; the clock goes on from where it was."""
        self._abandon()

    def _abandon(self) -> None:
        if self._flight is not None:
            self._start_ns = self._now_ns() + PAUSE_NS
            self._flight = None

    def _now_ns(self) -> int:
        step = self._flight.step if self._flight else 0
        return self._start_ns + step * self._dt_ns

    def _obey(self, command: FlightCommand) -> None:
        if command.flight_id != self.health.flight_id or self.scenario is None:
            return
        if command.command == FlightCommand.STOP:
            if self._flight is not None and (fault := planner_fault(command.reason)) is not None:
                self._end(self._flight, fault)
                return
            self._abandon()
            self.health.enter(NodeStatus.ENDED, message=command.reason)
        elif command.command == FlightCommand.START and self.health.state == NodeStatus.READY:
            if command.system not in ("", self.system.name):
                self.health.enter(NodeStatus.FAILED, message=_other_system(command.system, self.system.name))
                return
            self._flight = VehicleFlight(self.system, self.scenario)
            self._began_s = time.perf_counter()
            self.health.enter(NodeStatus.FLYING)
            self._announce(self._flight)

    def _follow(self, setpoint: Setpoint) -> None:
        wanted = setpoint_from_msg(setpoint)
        flight = self._flight
        if flight is None or stamp_ns(setpoint) != self._now_ns():
            return
        flight.advance(wanted)
        self._announce(flight)

    def _announce(self, flight: VehicleFlight) -> None:
        """Tell where the vehicle is now; at the end, the whole record."""
        header = Header(stamp=Time(nanoseconds=self._now_ns()).to_msg(), frame_id=topics.MAP_FRAME)
        motion = flight.motion
        self._tick(self._now_ns())
        self._frames.base(motion, header, self._when_seen(flight))
        if flight.tracker.code == FLYING:
            self.health.at_step(flight.step)
            self._moved_s = time.monotonic()
            self._step.publish(self._step_msg(flight, header))
            self._odometry.publish(odometry_to_msg(motion, header))
            return
        self._odometry.publish(odometry_to_msg(motion, header))
        self._end(flight)

    def _end(self, flight: VehicleFlight, ending: tuple[Ending, str] | None = None) -> None:
        """The record of a flight; `ending` where something else than the vehicle has ended it."""
        wall_s = time.perf_counter() - self._began_s
        record = flight_to_msg(
            flight.tracker.flight(
                backend="graph",
                system=self.system.name,
                seed=flight.tracker.scenario.seed,
                details={"wall_s": wall_s, "steps_per_s": flight.step / max(wall_s, 1e-9)},
                ending=ending,
            )
        )
        record.flight_id = self.health.flight_id
        self._abandon()
        self._record.publish(record)
        self.health.enter(NodeStatus.ENDED, message=record.reason)

    def _tick(self, now_ns: int) -> None:
        """The clock, in steps of its own where nodes with timers want them."""
        if self.config.clock_hz > 0.0:
            period_ns = round(1e9 / self.config.clock_hz)
            first = (self._ticked_ns // period_ns + 1) * period_ns
            # Not the pause between two flights: nobody has to live through it.
            for tick_ns in range(max(first, now_ns - self._dt_ns), now_ns, period_ns):
                self._ticks.publish(ClockMsg(clock=Time(nanoseconds=tick_ns).to_msg()))
        self._ticked_ns = now_ns
        self._ticks.publish(ClockMsg(clock=Time(nanoseconds=now_ns).to_msg()))

    def _when_seen(self, flight: VehicleFlight) -> list[TransformStamped]:
        """Where the vehicle was when the image of this step was taken: between two steps, hence a sample."""
        if self._image_age_ns == 0:
            return []
        stamp = Time(nanoseconds=self._now_ns() - self._image_age_ns).to_msg()
        x, y, z, *attitude = flight.image_pose.tolist()
        return [base_transform((x, y, z), tuple(attitude), Header(stamp=stamp))]

    def _repeat(self) -> None:
        """No answer for a while: ask again. Whoever has answered this step repeats its answer."""
        if self._flight is not None and time.monotonic() - self._moved_s > REPEAT_S:
            self._announce(self._flight)

    def _step_msg(self, flight: VehicleFlight, header: Header) -> FlightStep:
        motion, image_pose, newest = flight.motion, flight.image_pose, flight.guide_motion
        tracker = flight.tracker
        speed_mps = tracker.scenario.mission.speed_mps
        return FlightStep(
            header=header,
            flight_id=self.health.flight_id,
            step=flight.step,
            time=flight.t_s,
            position=point_to_msg(motion.position_enu_m),
            velocity=vector_to_msg(motion.velocity_enu_mps),
            attitude=vector_to_msg(motion.attitude_rad),
            image_age=flight.image_age_s,
            image_position=point_to_msg(image_pose[:3]),
            image_attitude=vector_to_msg(image_pose[3:]),
            guide_time=flight.guide_s,
            guide_position=point_to_msg(newest.position_enu_m),
            guide_velocity=vector_to_msg(newest.velocity_enu_mps),
            guide_attitude=vector_to_msg(newest.attitude_rad),
            guide_is_late=flight.is_late,
            goal=point_to_msg(tracker.goal),
            previous_goal=point_to_msg(tracker.previous),
            goal_index=tracker.goal_index,
            nav_state=_NAV_STATES.get(tracker.phase, FlightStep.MISSION),
            is_takeoff=tracker.phase == TAKEOFF,
            is_land=tracker.phase == LAND,
            airborne=True,
            speed=math.nan if speed_mps is None else speed_mps,
        )


def _other_system(asked: str, own: str) -> str:
    """Vehicle, camera, planner and mission rules belong together: not changed for one flight."""
    return f"the flight asks for system '{asked}', this graph flies '{own}'; start it with --system {asked}"


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen vehicle_node`."""
    return run_nodes([VehicleNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
