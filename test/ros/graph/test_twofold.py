"""A graph, a node or a publisher that is there twice: no flight, one sentence, and nobody crashes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import rclpy
from nav_msgs.msg import Odometry
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import PointCloud2
from uav_testgen_msgs.msg import FlightStep, NodeStatus, Setpoint

from uav_testgen.core.errors import BackendError
from uav_testgen.graph.environment import ros_environment, temporarily_set
from uav_testgen.ros import topics
from uav_testgen.ros.backends.client import GraphClient
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.ros.endpoints import SOLE_TOPICS
from uav_testgen.ros.executor import spin_until
from uav_testgen.ros.qos import LOCK_STEP

from .conftest import ANALYTIC
from .scenes import long_scene, short_scene

KINDS = {
    topics.FLIGHT_STEP: FlightStep,
    topics.ODOMETRY: Odometry,
    topics.CLOUD: PointCloud2,
    topics.SETPOINT: Setpoint,
}


@pytest.fixture
def intruder(composed: GraphBackend) -> Iterator[Node]:
    """A node of somebody else in the domain of the graph."""
    context = rclpy.Context()
    with temporarily_set(ros_environment()):
        rclpy.init(context=context, domain_id=composed.domain)
        node = Node("intruder", context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    heard: set[str] = set()
    node.create_subscription(NodeStatus, topics.STATUS, lambda status: heard.add(status.node), LOCK_STEP)
    assert spin_until(executor, lambda: {"scenario_node", "vehicle_node"} <= heard, 60.0)
    executor.remove_node(node)
    yield node
    node.destroy_node()
    rclpy.try_shutdown(context=context)
    # It has left the discovery data before the next test flies.
    client = composed.client
    assert client is not None
    assert spin_until(
        client.executor, lambda: all(client.node.count_publishers(topic) == 1 for topic in SOLE_TOPICS), 60.0
    )


def wait_for_names(client: GraphClient, name: str, count: int) -> None:
    assert spin_until(client.executor, lambda: client.node.get_node_names().count(name) == count, 60.0)


def test_every_topic_that_moves_a_flight_is_watched() -> None:
    assert set(KINDS) == set(SOLE_TOPICS)


def test_two_graphs_in_one_domain_are_refused_as_often_as_one_tries(domain: int) -> None:
    config = GraphConfig(settings=ANALYTIC, domain=domain)
    with GraphBackend(config) as one:
        good = one.fly(short_scene(), 0)
        with GraphBackend(config) as other:
            for backend in (one, other):
                assert backend.client is not None
                wait_for_names(backend.client, "vehicle_node", 2)
            for backend in (one, other, one):
                with pytest.raises(BackendError, match=r"_node runs twice, in the processes .* --domain"):
                    backend.fly(short_scene(), 0)
        again = one.fly(short_scene(), 0)
    assert (again.trajectory.position_enu_m == good.trajectory.position_enu_m).all()


@pytest.mark.parametrize("topic", SOLE_TOPICS)
def test_a_second_publisher_is_named_before_the_flight(
    composed: GraphBackend, intruder: Node, topic: str
) -> None:
    composed.fly(short_scene(), 0)
    intruder.create_publisher(KINDS[topic], topic, LOCK_STEP)
    client = composed.client
    assert client is not None
    assert spin_until(client.executor, lambda: client.node.count_publishers(topic) == 2, 60.0)
    with pytest.raises(BackendError, match=rf"{topic} has 2 publishers, .*/intruder"):
        composed.fly(short_scene(), 0)


def test_a_second_publisher_ends_a_flight_under_way(composed: GraphBackend, intruder: Node) -> None:
    client = composed.client
    assert client is not None
    made: list[Any] = []

    def watch(step: FlightStep) -> None:
        if step.step >= 10 and not made:
            made.append(intruder.create_publisher(Setpoint, topics.SETPOINT, LOCK_STEP))

    watching = client.node.create_subscription(FlightStep, topics.FLIGHT_STEP, watch, LOCK_STEP)
    try:
        with pytest.raises(BackendError, match=r"/intruder began to publish planner/setpoint in the middle"):
            composed.fly(long_scene(), 0)
    finally:
        client.node.destroy_subscription(watching)


def test_whoever_only_listens_is_welcome(composed: GraphBackend, intruder: Node) -> None:
    good = composed.fly(short_scene(), 0)
    for topic, kind in KINDS.items():
        intruder.create_subscription(kind, topic, lambda _message: None, LOCK_STEP)
    client = composed.client
    assert client is not None
    heard: Callable[[], bool] = lambda: client.node.count_subscribers(topics.SETPOINT) == 2  # noqa: E731
    assert spin_until(client.executor, heard, 60.0)
    flight = composed.fly(short_scene(), 0)
    assert (flight.trajectory.position_enu_m == good.trajectory.position_enu_m).all()
