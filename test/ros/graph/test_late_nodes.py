"""What decides a flight is still there for a node that comes late, in whatever order it arrives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rclpy.time import Time
from uav_testgen_msgs.msg import Flight, FlightCommand, NodeStatus, Scenario, Verdict

from uav_testgen.backend.lfs.backend import LfsBackend
from uav_testgen.graph.process_identity import own_process
from uav_testgen.ros import topics
from uav_testgen.ros.convert import flight_to_msg, scenario_to_msg
from uav_testgen.ros.nodes.oracle_node import OracleNode
from uav_testgen.ros.nodes.scenario_node import ScenarioNode
from uav_testgen.ros.qos import LATCHED, LATCHED_READER, LOCK_STEP

from .scenes import short_scene

FLIGHT_ID = 1_700_000_000_000_000_000


def scenario_message() -> Scenario:
    message = scenario_to_msg(short_scene())
    message.header.stamp = Time(nanoseconds=FLIGHT_ID).to_msg()
    return message


def record_message() -> Flight:
    record = flight_to_msg(LfsBackend().fly(short_scene(), 0))
    record.flight_id = FLIGHT_ID
    return record


@pytest.mark.parametrize("order", ["both before the oracle", "scenario after the record"])
def test_an_oracle_started_after_the_flight_judges_it(
    order: str,
    make_node: Callable[..., Any],
    ros_context: Any,
    ros_executor: Any,
    spin_until: Callable[..., None],
) -> None:
    graph = make_node("rest_of_the_graph")
    scenarios = graph.create_publisher(Scenario, topics.SCENARIO, LATCHED)
    records = graph.create_publisher(Flight, topics.FLIGHT, LATCHED)
    verdicts: list[Verdict] = []
    graph.create_subscription(Verdict, topics.VERDICT, verdicts.append, LATCHED_READER)
    records.publish(record_message())
    if order == "both before the oracle":
        scenarios.publish(scenario_message())
    oracle = OracleNode(context=ros_context)
    ros_executor.add_node(oracle)
    if order == "scenario after the record":
        spin_until(lambda: oracle._record is not None, "the record of the past")
        scenarios.publish(scenario_message())
    spin_until(lambda: bool(verdicts) and verdicts[-1].final, "the verdict")
    assert verdicts[-1].flight_id == FLIGHT_ID


def test_a_vehicle_that_flies_what_nobody_directs_is_told_to_stop(
    make_node: Callable[..., Any], ros_context: Any, ros_executor: Any, spin_until: Callable[..., None]
) -> None:
    """Its director was killed, or it has missed the order to stop."""
    director = ScenarioNode(context=ros_context)
    ros_executor.add_node(director)
    vehicle = make_node("vehicle_node")
    orders: list[FlightCommand] = []
    vehicle.create_subscription(FlightCommand, topics.FLIGHT_COMMAND, orders.append, LOCK_STEP)
    status = vehicle.create_publisher(NodeStatus, topics.STATUS, LOCK_STEP)

    def stopped() -> bool:
        message = NodeStatus(node="vehicle_node", process=own_process(), step=3)
        message.flight_id, message.state = FLIGHT_ID, NodeStatus.FLYING
        status.publish(message)
        return any(order.command == FlightCommand.STOP for order in orders)

    spin_until(stopped, "the order to stop")
    assert {order.flight_id for order in orders} == {FLIGHT_ID}
