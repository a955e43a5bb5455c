"""Parameters change between flights, not during one, and every refusal is a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("rclpy")

from rclpy.parameter import Parameter
from rclpy.time import Time
from uav_testgen_msgs.msg import NodeStatus

from uav_testgen.flight.sample import sample_scenario
from uav_testgen.graph.description import load_graph, resolve
from uav_testgen.ros.convert import scenario_to_msg
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.live_params import UNDER_WAY
from uav_testgen.ros.nodes.oracle_node import OracleNode
from uav_testgen.ros.nodes.vehicle_node import VehicleNode
from uav_testgen.ros.rehearsal import DECLARATIONS, Rehearsal


@pytest.fixture
def make(ros_context: Any, ros_executor: Any) -> Iterator[Callable[..., GraphNode]]:
    made: list[GraphNode] = []

    def maker(kind: Callable[..., GraphNode]) -> GraphNode:
        made.append(kind(context=ros_context))
        return made[-1]

    yield maker
    for node in made:
        node.destroy_node()


def change(node: GraphNode, name: str, value: Any) -> tuple[bool, str]:
    (result,) = node.set_parameters([Parameter(name, value=value)])
    return result.successful, result.reason


def new_flight(node: GraphNode, number: int) -> None:
    message = scenario_to_msg(sample_scenario())
    message.header.stamp = Time(nanoseconds=number).to_msg()
    node._on_scenario(message)


def test_a_change_counts_from_the_next_flight_on(make: Callable[..., GraphNode]) -> None:
    node = make(OracleNode)
    assert change(node, "every_steps", 7) == (True, "")
    assert node.config.every_steps == 10, "not before"
    new_flight(node, 1)
    assert node.config.every_steps == 7


def test_a_vehicle_flies_with_its_new_values(make: Callable[..., GraphNode]) -> None:
    node = make(VehicleNode)
    assert change(node, "mission.time_limit_s", 12.0)[0] and change(node, "clock_hz", 250.0)[0]
    new_flight(node, 1)
    assert node.system.mission.time_limit_s == 12.0 and node.config.clock_hz == 250.0


def test_none_during_a_flight(make: Callable[..., GraphNode]) -> None:
    node = make(OracleNode)
    node.health._hear(NodeStatus(node="scenario_node", process="p", state=NodeStatus.FLYING))
    assert change(node, "every_steps", 7) == (False, UNDER_WAY)
    node.health._hear(NodeStatus(node="scenario_node", process="p", state=NodeStatus.ENDED))
    assert change(node, "every_steps", 7)[0]


@pytest.mark.parametrize(
    ("kind", "name", "value", "said"),
    [
        (OracleNode, "every_steps", 0, "every_steps"),
        (OracleNode, "every_steps", "often", "type"),
        (OracleNode, "oracle", "separation", "read-only"),
        (VehicleNode, "system", "paper", "read-only"),
        # A rule between two values of the system, which no range can express.
        (VehicleNode, "timing.dt_s", 0.0001, "dt_s"),
    ],
)
def test_refused_with_a_sentence(
    make: Callable[..., GraphNode], kind: Callable[..., GraphNode], name: str, value: Any, said: str
) -> None:
    node = make(kind)
    before = node.get_parameter(name).value
    accepted, reason = change(node, name, value)
    assert not accepted and said in reason, reason
    assert node.get_parameter(name).value == before


@pytest.mark.parametrize("variant", ["lfs", "px4"])
def test_every_parameter_describes_itself(variant: str) -> None:
    """What `ros2 param describe` shows: a sentence, the unit of a number, its range or the words it may be."""
    poor = []
    for node in resolve(load_graph(), variant, with_nodes=["recorder_node"]).nodes:
        stand_in = Rehearsal(node.name, node.parameters)
        DECLARATIONS[node.name](stand_in)
        for name, described in stand_in.descriptors.items():
            is_number = isinstance(stand_in.defaults[name], float | int) and not isinstance(
                stand_in.defaults[name], bool
            )
            has_range = bool(
                described.floating_point_range or described.integer_range or described.additional_constraints
            )
            has_unit = described.description.rstrip(")").endswith("]") or "[" in described.description
            if not described.description or (is_number and not (has_range and has_unit)):
                poor.append(
                    f"{node.name}.{name}: '{described.description}' {'' if has_range else 'no range'}"
                )
    assert not poor, "\n".join(poor)
