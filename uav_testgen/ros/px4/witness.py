"""Sees a flight from outside, so that its record is kept whoever of the graph dies meanwhile."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any

import numpy as np
from rclpy.node import Node
from uav_testgen_msgs.msg import Flight as FlightMsg
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.ros import topics
from uav_testgen.ros.convert import flight_from_msg
from uav_testgen.ros.convert.motion import check_step, motion_from_step
from uav_testgen.ros.px4.mission_flight import SYSTEM
from uav_testgen.ros.qos import LATCHED_READER, LOCK_STEP
from uav_testgen.scenario.model import Scenario


class FlightWitness:
    """Steps and record of the flight that is announced while it is entered."""

    def __init__(self, node: Node, scenario: Scenario) -> None:
        self._node = node
        self._scenario = scenario
        # A flight's id is the wall clock of its announcement: older ones are other flights.
        self._began_ns = time.time_ns()
        self._rows: list[tuple[float, ...]] = []
        self._airborne = False
        self._subscriptions: list[Any] = []
        self.record: Flight | None = None
        self.landing = False
        """The vehicle was told to come down."""

    def __enter__(self) -> FlightWitness:
        self._subscriptions = [
            self._node.create_subscription(FlightStep, topics.FLIGHT_STEP, self._take_step, LOCK_STEP),
            self._node.create_subscription(FlightMsg, topics.FLIGHT, self._take_record, LATCHED_READER),
        ]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def flight(self, reason: str) -> Flight | None:
        """The bridge's record if it came, else what the steps tell; None if nothing was flown."""
        if self.record is not None:
            return self.record
        if not self._airborne:
            return None
        table = np.array(self._rows)
        return Flight(
            scenario_id=self._scenario.id,
            backend="px4",
            system=SYSTEM,
            seed=self._scenario.seed,
            ending=Ending.ABORTED,
            reason=reason,
            trajectory=Trajectory(
                table[:, 0], table[:, 1:4], table[:, 4:7], table[:, 7], table[:, 8], table[:, 9]
            ),
            details={"recorded_by": "the steps seen from outside; px4_bridge_node gave no record"},
        )

    def _take_step(self, step: FlightStep) -> None:
        if step.flight_id < self._began_ns or (self._rows and step.time <= self._rows[-1][0]):
            return
        try:
            check_step(step)
        except UavTestgenError:
            return
        self.landing = self.landing or step.nav_state == FlightStep.AUTO_LAND
        motion = motion_from_step(step)
        self._airborne = self._airborne or step.airborne
        roll, pitch, yaw = motion.attitude_rad
        self._rows.append((step.time, *motion.position_enu_m, *motion.velocity_enu_mps, yaw, roll, pitch))

    def _take_record(self, message: FlightMsg) -> None:
        if message.flight_id >= self._began_ns:
            self.record = flight_from_msg(message)
