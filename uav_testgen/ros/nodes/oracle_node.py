"""oracle_node: was it safe, while the flight goes on and at its end.

Subscribes  scenario, flight/step, flight/record (latched)
Publishes   verdict (latched): `final` is false while the flight develops
Parameters  oracle, requirements (a list that decides about the whole flight instead of the distance),
            every_steps, and the limits of the oracle under `limits.`
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from uav_testgen_msgs.msg import Flight as FlightMsg
from uav_testgen_msgs.msg import FlightStep, NodeStatus
from uav_testgen_msgs.msg import Verdict as VerdictMsg

from uav_testgen.core.errors import BackendError
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.flight.sample import sample_flight, sample_scenario
from uav_testgen.ros import topics
from uav_testgen.ros.convert import flight_from_msg, verdict_to_msg
from uav_testgen.ros.convert.motion import check_step, motion_from_step
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.live_params import LiveParameters
from uav_testgen.ros.node_settings import oracle_settings
from uav_testgen.ros.qos import LATCHED, LATCHED_READER, LOCK_STEP
from uav_testgen.scenario.model import Scenario


class OracleNode(GraphNode):
    """Judges what it sees on the topics."""

    def __init__(self, **options: Any) -> None:
        super().__init__("oracle_node", **options)
        self.reconfigure()
        self._developing.judge(sample_scenario(), sample_flight(sample_scenario()))
        self._samples: list[tuple[float, ...]] = []
        self._verdict = self.create_publisher(VerdictMsg, topics.VERDICT, LATCHED)
        self._record: FlightMsg | None = None
        for topic, kind_of, use, qos in (
            (topics.FLIGHT_STEP, FlightStep, self._take_step, LOCK_STEP),
            (topics.FLIGHT, FlightMsg, self._take_record, LATCHED_READER),
        ):
            self.create_subscription(kind_of, topic, self.guarded(topic, use), qos)
        self.live = LiveParameters(self, oracle_settings)
        self.take_part()

    def reconfigure(self) -> None:
        """Take what the parameters say."""
        self.config, self._developing, self._final = oracle_settings(self)

    def prepare(self, scenario: Scenario) -> None:
        """Forget the former flight."""
        self._samples.clear()

    def taken_in(self, flight_id: int) -> None:
        """After a restart the record, latched too, may have come before its scenario."""
        super().taken_in(flight_id)
        self.guarded(topics.FLIGHT, self._judge)(self._record)

    def _take_step(self, step: FlightStep) -> None:
        check_step(step)
        motion = motion_from_step(step)
        if step.flight_id != self.health.flight_id:
            return
        if self._samples and step.time <= self._samples[-1][0]:
            return  # announced again because an answer was lost
        row = (step.time, *motion.position_enu_m, *motion.velocity_enu_mps, motion.attitude_rad[2])
        self._samples.append(row)
        self.health.at_step(step.step)
        if step.step % self.config.every_steps == 0:
            self._announce(self._flight_so_far(), final=False)

    def _take_record(self, record: FlightMsg) -> None:
        self._record = record
        self._judge(record)

    def _judge(self, record: FlightMsg | None) -> None:
        if record is None or record.flight_id != self.health.flight_id:
            return
        flight = flight_from_msg(record)
        try:
            self._announce(flight, final=True)
        except BackendError as error:  # a requirement of the user's; waiting for its verdict would not help
            self.health.enter(NodeStatus.FAILED, message=str(error))
            return
        self.health.enter(NodeStatus.ENDED)

    def _announce(self, flight: Flight, *, final: bool) -> None:
        if self.scenario is None:
            return
        oracle = self._final if final else self._developing
        message = verdict_to_msg(oracle.judge(self.scenario, flight), self.scenario.id)
        message.flight_id, message.final = self.health.flight_id, final
        if not final:
            message.ending, message.completed = "", False
        self._verdict.publish(message)

    def _flight_so_far(self) -> Flight:
        table = np.array(self._samples)
        trajectory = Trajectory(table[:, 0], table[:, 1:4], table[:, 4:7], table[:, 7])
        seed = self.scenario.seed if self.scenario else 0
        return Flight("", "graph", "", seed, Ending.ABORTED, "the flight goes on", trajectory)


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen oracle_node`."""
    return run_nodes([OracleNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
