"""Landing without the bridge: a bystander commands it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from uav_testgen.ros.px4.emergency import land_now

from .conftest import load_fake


@pytest.fixture
def fly_up(make_node: Callable[..., Any], ros_executor: Any, ros_context: Any) -> Callable[..., Any]:
    """A fake PX4 that hovers, in a mode somebody else chose."""

    def make(**traits: Any) -> Any:
        autopilot = load_fake().FakeAutopilot(**traits)
        autopilot.armed, autopilot.landed, autopilot.nav_state = True, False, 2
        autopilot.place[2] = -4.0
        fake = load_fake().FakePx4(autopilot, speed=4.0, context=ros_context)
        ros_executor.add_node(fake)
        return fake

    return make


def test_armed_vehicle_is_brought_down(
    fly_up: Callable[..., Any],
    make_node: Callable[..., Any],
    ros_executor: Any,
    spin_until: Callable[..., None],
) -> None:
    fake = fly_up()
    assert land_now(make_node("bystander"), ros_executor) is True
    spin_until(lambda: not fake.autopilot.armed, "disarmed")


def test_disobedience_is_told(
    fly_up: Callable[..., Any], make_node: Callable[..., Any], ros_executor: Any
) -> None:
    fake = fly_up(obeys_land=False)
    assert land_now(make_node("bystander"), ros_executor, patience_s=3.0) is False
    assert fake.heard.get(21, 0) >= 2 and fake.heard.get(176, 0) >= 1, "asked again and in both ways"


def test_nobody_or_nothing_armed(make_node: Callable[..., Any], ros_executor: Any, ros_context: Any) -> None:
    bystander = make_node("bystander")
    assert land_now(bystander, ros_executor) is None, "nobody is there"
    fake = load_fake().FakePx4(context=ros_context)
    ros_executor.add_node(fake)
    assert land_now(bystander, ros_executor) is None
    assert not fake.heard, "a vehicle on the ground is left alone"
