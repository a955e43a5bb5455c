"""Nonsense on the topics is refused, counted and does not change a flight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Point, Vector3
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import Header
from uav_testgen_msgs.msg import Flight, FlightStep, Scenario, Setpoint, Verdict

from uav_testgen.ros import topics
from uav_testgen.ros.backends.graph import GraphBackend
from uav_testgen.ros.convert.cloud import cloud_to_msg
from uav_testgen.ros.endpoints import SOLE_TOPICS
from uav_testgen.ros.executor import spin_until
from uav_testgen.ros.qos import LATCHED, LOCK_STEP

from .scenes import short_scene

NAN = math.nan
LATE = (topics.SCENARIO, topics.FLIGHT, topics.VERDICT)
"""Latched topics."""


def nonsense() -> dict[str, list[Any]]:
    """Messages that must be refused, by topic."""
    import numpy as np

    here = Header(frame_id=topics.MAP_FRAME)
    lost = cloud_to_msg(np.full((3, 3), np.nan, np.float32), here)
    short = cloud_to_msg(np.zeros((3, 3), np.float32), here)
    short.width = 4
    elsewhere = cloud_to_msg(np.zeros((3, 3), np.float32), Header(frame_id="moon"))
    upside = Odometry(header=here)
    nan_odometry = Odometry(header=here)
    nan_odometry.pose.pose.orientation.w = 1.0
    nan_odometry.pose.pose.position.x = NAN
    return {
        topics.ODOMETRY: [Odometry(), upside, nan_odometry],
        topics.CLOUD: [PointCloud2(), lost, short, elsewhere],
        topics.SETPOINT: [
            Setpoint(position=Point(x=math.inf)),
            Setpoint(velocity=Vector3(y=1e6)),
            Setpoint(acceleration=Vector3(z=-math.inf)),
            Setpoint(yaw=math.inf),
        ],
        topics.FLIGHT_STEP: [
            FlightStep(time=NAN),
            FlightStep(goal=Point(y=math.inf)),
            FlightStep(nav_state=99),
            FlightStep(image_age=NAN),
            FlightStep(guide_time=1.0, guide_position=Point(x=NAN)),
            FlightStep(image_age=0.1, image_position=Point(z=math.inf)),
        ],
        topics.SCENARIO: [Scenario()],
        topics.FLIGHT: [Flight(time=[1.0], position=[1.0])],
        topics.VERDICT: [Verdict(outcome=99)],
    }


REFUSALS = {
    "planner_node": (topics.ODOMETRY, topics.CLOUD, topics.FLIGHT_STEP, topics.SCENARIO),
    "depth_cloud_node": (topics.FLIGHT_STEP, topics.SCENARIO),
    "vehicle_node": (topics.SETPOINT, topics.SCENARIO),
    "oracle_node": (topics.FLIGHT_STEP, topics.SCENARIO),
}
"""Who has to refuse what."""


class Flood:
    """Sends nonsense on some topics twenty times a second, from the client's node."""

    def __init__(self, node: Node, chosen: Sequence[str]) -> None:
        self._node = node
        self._messages = {topic: found for topic, found in nonsense().items() if topic in chosen}
        self.publishers = {
            topic: node.create_publisher(type(found[0]), topic, LATCHED if topic in LATE else LOCK_STEP)
            for topic, found in self._messages.items()
        }
        self._timer = node.create_timer(0.05, self._send)

    def _send(self) -> None:
        for topic, found in self._messages.items():
            for message in found:
                self.publishers[topic].publish(message)

    def end(self) -> None:
        self._node.destroy_timer(self._timer)
        for publisher in self.publishers.values():
            self._node.destroy_publisher(publisher)


def test_nonsense_is_refused_counted_and_changes_no_flight(composed: GraphBackend) -> None:
    client = composed.client
    assert client is not None
    node, executor = client.node, client.executor
    good = composed.fly(short_scene(), 2)
    pages: dict[str, dict[str, str]] = {}

    def read(array: DiagnosticArray) -> None:
        for status in array.status:
            pages[status.name.split(":")[0].strip("/")] = {item.key: item.value for item in status.values}

    def counted() -> bool:
        return all(
            int(pages.get(name, {}).get(f"refused {topic}", 0)) > 0
            for name, found in REFUSALS.items()
            for topic in found
        )

    reading = node.create_subscription(DiagnosticArray, topics.DIAGNOSTICS, read, 10)
    between_flights = Flood(node, list(nonsense()))
    try:
        assert spin_until(executor, counted, 60.0), pages
    finally:
        between_flights.end()
    node.destroy_subscription(reading)
    # A second publisher of the topics that move a flight would end it, whatever it says; others may go on.
    alone = lambda: all(node.count_publishers(topic) == 1 for topic in SOLE_TOPICS)  # noqa: E731
    assert spin_until(executor, alone, 60.0)
    during_the_flight = Flood(node, LATE)
    try:
        heard = lambda: all(p.get_subscription_count() for p in during_the_flight.publishers.values())  # noqa: E731
        assert spin_until(executor, heard, 60.0)
        flight = composed.fly(short_scene(), 2)
    finally:
        during_the_flight.end()
    assert (flight.trajectory.position_enu_m == good.trajectory.position_enu_m).all()
