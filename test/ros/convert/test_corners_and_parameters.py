"""Corners of a moving obstacle's way (StellaUAV, section III-B) and PX4 parameters (Surrealist) over messages."""

from __future__ import annotations

import pytest

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.ros.convert import scenario as convert
from uav_testgen.scenario.model import LinearMotion, Obstacle, Scenario
from uav_testgen.testing.factories import make_scenario

MOTION = LinearMotion(via_enu_m=((4.0, 0.0, 5.0), (4.0, 3.0, 5.0)), to_enu_m=(0.0, 3.0, 5.0), speed_mps=2.0)
MOVER = Obstacle(center_enu_m=(0.0, 0.0, 5.0), size_m=(1.0, 1.0, 10.0), motion=MOTION)
SCENARIO: Scenario = make_scenario(MOVER).model_copy(
    update={"parameters": {"MPC_XY_CRUISE": 8.0, "NAV_ACC_RAD": 1.5}}
)


def test_both_survive() -> None:
    message = convert.scenario_to_msg(SCENARIO)
    assert [corner.y for corner in message.obstacles[0].motion_via] == [0.0, 3.0]
    assert convert.scenario_from_msg(message) == SCENARIO


@pytest.mark.parametrize(
    ("names", "values"),
    [(["A", "B"], [1.0]), (["A", "A"], [1.0, 2.0]), (["lower"], [1.0]), (["A"], [float("nan")])],
)
def test_damaged_parameters_are_refused(names: list[str], values: list[float]) -> None:
    message = convert.scenario_to_msg(SCENARIO)
    message.parameter_names, message.parameter_values = names, values
    with pytest.raises(InvalidScenario):
        convert.scenario_from_msg(message)


def test_messages_of_an_older_release_carry_what_they_can() -> None:
    with pytest.raises(InvalidScenario, match="build it again"):
        convert._carry(object(), "parameter_names", ["MPC_XY_CRUISE"])
    convert._carry(object(), "parameter_names", [])
