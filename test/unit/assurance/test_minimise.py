"""Shrinking a failing scene, with a drone that flies straight on: what fails is known from the geometry."""

from __future__ import annotations

import math

import pytest

from uav_testgen.assurance.failing import Trials
from uav_testgen.assurance.minimal import minimise
from uav_testgen.assurance.question import Question
from uav_testgen.core.errors import InvalidScenario
from uav_testgen.scenario.model import Scenario, Wind
from uav_testgen.testing.factories import make_box, make_mission, make_scenario
from uav_testgen.testing.still_backend import StillBackend


def trials(budget: int = 2000) -> Trials:
    return Trials(StillBackend(), Question("always (distance > 1.5)"), seed=1, runs=0, budget=budget)


def scene(*north_m: float) -> Scenario:
    boxes = [make_box(25.37, north, (4.3, 6.1, 20.0), yaw_deg=17.3) for north in north_m]
    made = make_scenario(*boxes, mission=make_mission())
    return made.model_copy(update={"wind": Wind(velocity_mean_mps=3.0)})


def test_one_small_aligned_box_with_round_numbers_is_left() -> None:
    found = minimise(scene(3.9, 11.2, -12.3), trials())
    assert found.finished and found.last.fails
    (box,) = found.scenario.obstacles
    assert box.yaw_rad == 0.0
    assert box.size_m[0] < 4.3 and box.size_m[1] < 6.1
    assert all(round(value, 1) == value for value in (*box.center_enu_m[:2], *box.size_m))
    assert found.scenario.wind == Wind()
    assert [step.what for step in found.steps[:2]] == ["as given", "without obstacle 2 of 3"]
    assert found.before.obstacles[0].size_m == (4.3, 6.1, 20.0)


def test_nothing_simpler_fails_in_the_same_way() -> None:
    asked = trials()
    found = minimise(scene(3.9), asked)
    again = minimise(found.scenario, asked)
    assert again.scenario == found.scenario and len(again.steps) == 1


def test_the_budget_is_kept() -> None:
    found = minimise(scene(3.9, 11.2), trials(budget=12))
    assert not found.finished and found.flights <= 12
    assert found.last.fails


def test_a_test_that_does_not_fail_is_refused() -> None:
    with pytest.raises(InvalidScenario, match="does not fail: 0 of 1 runs"):
        minimise(scene(14.0), trials())


def test_turned_boxes_keep_a_round_angle_where_they_must_be_turned() -> None:
    long = make_box(25.0, 6.2, (1.0, 12.0, 20.0), yaw_deg=-33.3)
    found = minimise(make_scenario(long, mission=make_mission()), trials())
    (box,) = found.scenario.obstacles
    assert math.degrees(box.yaw_rad) == pytest.approx(round(math.degrees(box.yaw_rad)))
