"""Shipped requirements: margins, moments and sentences; names with arguments; verdicts over a list."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from uav_testgen import Finding
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.resources import config_folder
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.oracle.requirement import (
    RequirementError,
    as_text,
    find,
    make_requirement,
    make_requirements,
    names_of,
    split_text,
)
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario

SCENE = make_scenario(make_box(), mission=make_mission())


def flown(north_m: float = 6.0, up_m: float = 10.0, ending: Ending = Ending.GOAL_REACHED) -> Flight:
    """Past a box of 4 m x 6 m at (25, 0), in steps of 0.25 m."""
    return make_flight(SCENE, [(0.25 * step, north_m, up_m) for step in range(200)], ending)


def found(text: str, flight: Flight | None = None) -> Finding:
    return find(make_requirement(text), SCENE, flight or flown())


def test_separation_by_both_measures_and_limits() -> None:
    # The box reaches to 3 m north; Aerialist takes half the vehicle's width off.
    verdict = judge(SCENE, flown())
    exact, theirs = verdict.min_distance_3d_m, verdict.min_distance_aerialist_m
    assert exact is not None and theirs is not None and theirs < exact
    assert found("separation").margin == theirs - 1.5
    assert found("separation(limit_m=1.0)").margin == theirs - 1.0
    assert found("separation(limit_m=1.0, measure=exact)").margin == exact - 1.0
    near = found("separation", flown(north_m=4.0))
    assert near.violated and near.obstacle_index == 0 and "required" in near.sentence


def test_separation_holds_where_there_is_no_obstacle() -> None:
    empty = make_scenario(mission=make_mission())
    finding = find(
        make_requirement("separation"), empty, make_flight(empty, [(0.0, 0.0, 5.0), (1.0, 0.0, 5.0)])
    )
    assert finding.margin is None and finding.holds and not finding.violated


def test_separation_takes_the_distance_of_a_logical_scenario() -> None:
    space = LogicalSpace(load_scenario(config_folder("stella/scenarios") / "scenario-05.json"))
    scenario = space.decode(np.full(space.dimension, 0.5))
    assert scenario.logical is not None
    flight = make_flight(scenario, [(0.5 * step, 0.0, 5.0) for step in range(20)])
    finding = find(make_requirement("separation"), scenario, flight)
    exact_m = judge(scenario, flight).min_distance_3d_m
    assert finding.margin is not None and exact_m is not None and not finding.by_aerialist
    assert finding.margin == pytest.approx(exact_m - scenario.logical.safety_distance_m)


def test_altitudes_count_from_the_take_off_point() -> None:
    assert found("max_altitude(limit_m=12)").margin == pytest.approx(2.0)
    assert found("max_altitude(limit_m=8)").margin == pytest.approx(-2.0)
    assert found("min_altitude(limit_m=4)").margin == pytest.approx(6.0)


def test_take_off_and_landing_are_not_too_low_but_a_dip_is() -> None:
    heights = [0.0, 2.0, 5.0, 5.0, 2.5, 5.0, 2.0, 0.0]
    dips = make_flight(SCENE, [(float(k), 9.0, up_m) for k, up_m in enumerate(heights)])
    finding = found("min_altitude(limit_m=3)", dips)
    assert finding.margin == pytest.approx(-0.5)
    assert finding.moment_s == dips.trajectory.t_s[4]
    never = make_flight(SCENE, [(float(k), 9.0, 1.0) for k in range(4)])
    assert found("min_altitude(limit_m=3)", never).margin == pytest.approx(-2.0)


def test_tilt_is_the_angle_from_level_and_unknown_where_not_recorded() -> None:
    flight = flown()
    count = len(flight.trajectory)
    tilted = replace(
        flight.trajectory,
        roll_rad=np.full(count, np.radians(30.0)),
        pitch_rad=np.full(count, np.radians(40.0)),
    )
    angle = math.degrees(math.acos(math.cos(math.radians(30.0)) * math.cos(math.radians(40.0))))
    assert found("max_tilt(limit_deg=45)", replace(flight, trajectory=tilted)).margin == pytest.approx(
        45.0 - angle
    )
    unknown = replace(flight.trajectory, roll_rad=np.full(count, np.nan), pitch_rad=np.full(count, np.nan))
    assert not found("max_tilt", replace(flight, trajectory=unknown)).is_known


def test_speed_duration_and_fence() -> None:
    flight = flown()
    speed = float(np.linalg.norm(flight.trajectory.velocity_enu_mps, axis=1).max())
    assert found("max_speed(limit_mps=1)").margin == pytest.approx(1.0 - speed)
    assert found("max_duration(limit_s=1)").margin == pytest.approx(1.0 - flight.duration_s)
    assert found("geofence(east_m=[0, 20], north_m=[-10, 10])").margin == pytest.approx(20.0 - 0.25 * 199)
    assert found("geofence(radius_m=10)").violated


def test_completion() -> None:
    assert found("mission_completed").holds
    stuck = found("mission_completed", flown(ending=Ending.STUCK))
    assert stuck.violated and stuck.margin is not None and stuck.margin < 0.0


@pytest.mark.parametrize(
    "text, error",
    [
        ("max_altitud", "did you mean 'max_altitude'"),
        ("max_altitude(12)", r"name\(key=value"),
        ("max_altitude(limit_m=", r"name\(key=value"),
        ("max_altitude(limit_m=-1)", "above 0"),
        ("max_altitude(height=3)", "cannot be made"),
        ("separation(measure=wide)", "known: aerialist"),
        ("geofence(east_m=3)", "two numbers"),
        ("missing.py:Mine", "no such file"),
    ],
)
def test_a_wrong_requirement_is_named(text: str, error: str) -> None:
    with pytest.raises(ConfigError, match=error):
        make_requirement(text)


def test_text_and_mapping_mean_the_same() -> None:
    assert split_text(as_text({"geofence": {"east_m": [-5, 5]}})) == ("geofence", {"east_m": [-5, 5]})
    assert as_text({"max_tilt": None}) == "max_tilt"
    with pytest.raises(ConfigError, match="max_altitude"):
        as_text(3)
    with pytest.raises(ConfigError, match="twice"):
        make_requirements(["max_tilt", "max_tilt"])


def test_a_list_decides_instead_of_the_distance() -> None:
    near = flown(north_m=3.2)
    assert judge(SCENE, near).outcome in (Outcome.SOFT_FAIL, Outcome.HARD_FAIL)
    low = make_requirements(["max_altitude(limit_m=12)"])
    verdict = judge(SCENE, near, requirements=low)
    assert verdict.outcome is Outcome.PASS
    assert "The requirement holds" in verdict.sentence
    both = make_requirements(["max_altitude(limit_m=12)", "separation"])
    verdict = judge(SCENE, near, requirements=both)
    assert verdict.failed and "Violates separation" in verdict.sentence
    assert [finding.violated for finding in verdict.findings] == [False, True]
    assert verdict.worst == verdict.findings[1]
    assert Verdict.from_json(verdict.to_json()) == verdict
    assert "findings" not in judge(SCENE, near).to_json()


def test_an_incomplete_flight_that_violates_nothing_is_no_pass() -> None:
    held = make_requirements(["max_altitude(limit_m=12)"])
    assert judge(SCENE, flown(ending=Ending.STUCK), requirements=held).outcome is Outcome.INCOMPLETE
    asked = make_requirements(["max_altitude(limit_m=12)", "mission_completed"])
    assert judge(SCENE, flown(ending=Ending.STUCK), requirements=asked).outcome is Outcome.SOFT_FAIL


class Raises:
    name = "raises"

    def judge(self, scenario: object, flight: object) -> Finding:
        raise RuntimeError("no idea")


class SaysYes:
    name = "yes"

    def judge(self, scenario: object, flight: object) -> bool:
        return True


class SaysNan:
    name = "nan"

    def judge(self, scenario: object, flight: object) -> Finding:
        return Finding("nan", math.nan)


@pytest.mark.parametrize(
    "kind, error",
    [(Raises, r"test_requirements.py:\d+: RuntimeError"), (SaysYes, "Finding"), (SaysNan, "number")],
)
def test_what_a_requirement_does_wrong_is_said_of_it(kind: type, error: str) -> None:
    with pytest.raises(RequirementError, match=error):
        find(kind(), SCENE, flown())


def test_objects_and_classes_have_names() -> None:
    class Local:
        name = "local"

        def judge(self, scenario: object, flight: object) -> Finding:
            return Finding(self.name, math.inf, sentence="far")

    names, everywhere = names_of([Local(), "max_tilt", Local()])
    assert not everywhere and len(set(names)) == 3
    findings = judge(SCENE, flown(), requirements=make_requirements(names)).findings
    assert findings[0].margin is None and findings[0].holds
    assert names_of("max_tilt") == (("max_tilt",), True)
