"""Any bytes the middleware lets through become a value or one of our errors."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import PointCloud2
from uav_testgen_msgs.msg import Flight, FlightStep, Scenario, Setpoint, Verdict

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.ros.convert.cloud import cloud_from_msg
from uav_testgen.ros.convert.flight import flight_from_msg, verdict_from_msg
from uav_testgen.ros.convert.motion import check_step, image_motion_from_step, motion_from_msgs
from uav_testgen.ros.convert.scenario import scenario_from_msg, scenario_to_msg
from uav_testgen.ros.convert.setpoint import setpoint_from_msg
from uav_testgen.testing.factories import make_box, make_scenario

READERS: dict[type, Callable[[Any], object]] = {
    Scenario: scenario_from_msg,
    Flight: flight_from_msg,
    Verdict: verdict_from_msg,
    Odometry: motion_from_msgs,
    PointCloud2: cloud_from_msg,
    FlightStep: lambda step: (check_step(step), image_motion_from_step(step)),
    Setpoint: setpoint_from_msg,
}


def good(kind: type) -> bytes:
    message = scenario_to_msg(make_scenario(make_box())) if kind is Scenario else kind()
    return bytes(serialize_message(message))


@pytest.mark.parametrize("kind", list(READERS), ids=lambda kind: kind.__name__)
@settings(max_examples=60, deadline=None)
@given(
    changes=st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=20),
    cut=st.integers(0, 50),
)
def test_garbled_on_the_wire(kind: type, changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(good(kind))
    for place, value in changes:
        data[4 + place % (len(data) - 4)] = value
    try:
        message = deserialize_message(bytes(data[: len(data) - cut]), kind)
    except Exception:
        return  # refused by the middleware
    with contextlib.suppress(UavTestgenError):
        READERS[kind](message)
