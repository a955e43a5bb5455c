"""Messages really travel: own domain, latched scenario, clouds larger than the default shared memory."""

from __future__ import annotations

import array
import os
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("uav_testgen_msgs.msg")

from sensor_msgs.msg import PointCloud2
from uav_testgen_msgs.msg import Scenario as ScenarioMsg

from uav_testgen.ros import convert, qos, topics
from uav_testgen.scenario.model import Mission, Scenario, Waypoint


def test_domain_is_private(ros_domain: int) -> None:
    assert os.environ["ROS_DOMAIN_ID"] == str(ros_domain)
    assert 1 <= ros_domain <= 100
    assert os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "LOCALHOST"


def test_late_listener_gets_the_scenario(
    make_node: Callable[..., Any], spin_until: Callable[..., None]
) -> None:
    scenario = Scenario(mission=Mission(waypoints=(Waypoint(position_enu_m=(0.0, 40.0, 5.0)),)), seed=3)
    publisher = make_node("sender").create_publisher(ScenarioMsg, topics.SCENARIO, qos.LATCHED)
    publisher.publish(convert.scenario_to_msg(scenario))
    received: list[ScenarioMsg] = []
    make_node("late").create_subscription(ScenarioMsg, topics.SCENARIO, received.append, qos.LATCHED)
    spin_until(lambda: bool(received), "the latched scenario")
    assert convert.scenario_from_msg(received[0]) == scenario


def test_large_best_effort_clouds_arrive(
    make_node: Callable[..., Any], spin_until: Callable[..., None]
) -> None:
    received: list[PointCloud2] = []
    make_node("listener").create_subscription(PointCloud2, topics.CLOUD, received.append, qos.SENSOR)
    publisher = make_node("camera").create_publisher(PointCloud2, topics.CLOUD, qos.SENSOR)
    spin_until(lambda: publisher.get_subscription_count() == 1, "the listener")
    data = array.array("B", bytes(320 * 240 * 16))
    for number in range(10):
        cloud = PointCloud2(height=240, width=320, point_step=16, row_step=5120, data=data)
        cloud.header.stamp.sec = number
        publisher.publish(cloud)
        count = number + 1
        spin_until(lambda count=count: len(received) == count, f"cloud {number}")
    assert [cloud.header.stamp.sec for cloud in received] == list(range(10))
