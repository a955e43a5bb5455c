"""fleet_node: its map, poses and markers arrive; tasks are taken from a topic or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def fleet(ros_context: Any, ros_executor: Any) -> Any:
    from rclpy.parameter import Parameter

    from uav_testgen.ros.nodes.fleet_node import FleetNode

    overrides = [Parameter("scenario", value="survey-area"), Parameter("tick_rate_hz", value=50.0)]
    node = FleetNode(context=ros_context, parameter_overrides=overrides)
    ros_executor.add_node(node)
    return node


def test_what_rviz_needs_arrives(fleet: Any, make_node: Callable[..., Any], spin_until: Any) -> None:
    from geometry_msgs.msg import PoseArray
    from nav_msgs.msg import OccupancyGrid
    from visualization_msgs.msg import MarkerArray

    from uav_testgen.ros.qos import DISPLAY, LATCHED

    viewer, seen = make_node("viewer"), {}
    for topic, kind, qos in (
        ("fleet/map", OccupancyGrid, LATCHED),
        ("fleet/poses", PoseArray, DISPLAY),
        ("fleet/markers", MarkerArray, DISPLAY),
    ):
        viewer.create_subscription(kind, topic, lambda m, name=topic: seen.__setitem__(name, m), qos)
    spin_until(lambda: len(seen) == 3, "map, poses and markers")
    assert (seen["fleet/map"].info.width, seen["fleet/map"].info.height) == (8, 6)
    assert len(seen["fleet/poses"].poses) == 1
    kinds = {marker.ns for marker in seen["fleet/markers"].markers}
    assert kinds == {"attribute", "drone", "label"}


def test_blocked_cells_reach_the_map(fleet: Any, make_node: Callable[..., Any], spin_until: Any) -> None:
    from nav_msgs.msg import OccupancyGrid

    from uav_testgen.ros.qos import LATCHED

    maps: list[Any] = []
    make_node("viewer").create_subscription(OccupancyGrid, "fleet/map", maps.append, LATCHED)
    spin_until(lambda: bool(maps), "the first map")
    fleet.simulation.block_cell((6, 2, 0))
    spin_until(lambda: maps[-1].data[2 * 8 + 6] == 100, "the map with the blocked cell")
    assert sum(value == 100 for value in maps[-1].data) == 1


def test_tasks_come_from_a_topic(fleet: Any, make_node: Callable[..., Any], spin_until: Any) -> None:
    from std_msgs.msg import String

    station = make_node("station")
    publisher = station.create_publisher(String, "fleet/task", 10)
    spin_until(lambda: publisher.get_subscription_count() == 1, "the node's subscription")
    publisher.publish(String(data=json.dumps([{"IType": "GOTO", "Position": [7, 5, 0]}])))
    spin_until(lambda: len(fleet.simulation.controllers[0].scores) == 2, "both tasks done")
    for wrong in ("{", "[]", '[{"IType": "GOTO", "Position": [99, 0, 0]}]', '[{"IType": "DANCE"}]', '"text"'):
        before = fleet.refused_tasks
        publisher.publish(String(data=wrong))
        spin_until(lambda before=before: fleet.refused_tasks == before + 1, f"the refusal of {wrong}")
    assert len(fleet.simulation.controllers[0].records) == 2
