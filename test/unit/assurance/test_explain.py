"""Circumstances and mechanisms of flights with a known course; changes that save a test that flies straight on."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.assurance.circumstances import Circumstances, circumstances
from uav_testgen.assurance.counterfactual import counterfactuals
from uav_testgen.assurance.explanation import unsafe_since_s
from uav_testgen.assurance.failing import Trials
from uav_testgen.assurance.mechanism import MEANINGS, Mechanism, mechanism_of
from uav_testgen.assurance.question import Question
from uav_testgen.assurance.suite import explained, groups_of
from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.cli.main import main
from uav_testgen.flight.json_io import save_flights
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.loop.stepwise import fly_stepwise
from uav_testgen.predict.runs import NOMINAL, as_flown, fly_run, scatter_of
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.model import LinearMotion, Scenario
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario
from uav_testgen.testing.short_scene import SHORT_SCENE
from uav_testgen.testing.still_backend import StillBackend

VIEW_RAD = math.radians(60.0)


def passing(*boxes: object, north_m: float = 4.0) -> tuple[Scenario, Flight]:
    """Eastwards at 2.5 m/s, looking ahead."""
    scenario = make_scenario(*boxes, mission=make_mission())  # type: ignore[arg-type]
    return scenario, make_flight(scenario, [(0.25 * step, north_m, 10.0) for step in range(200)])


def facts_of(scenario: Scenario, flight: Flight) -> Circumstances:
    found = circumstances(scenario, flight, VIEW_RAD)
    assert found is not None
    return found


def test_facts_of_a_flight_past_a_box() -> None:
    scenario, flight = passing(make_box())
    facts = facts_of(scenario, flight)
    assert facts.distance_m == pytest.approx(1.0, abs=0.05)
    assert facts.obstacle_index == 0 and facts.leg == 1 and not facts.is_moving
    assert facts.bearing_deg == pytest.approx(-90.0, abs=8.0)  # on its right
    assert 0.0 < facts.unseen_share < 1.0
    assert facts.other_side_m == math.inf and facts.turns == 0 and facts.hovered_s == 0.0
    assert json.loads(json.dumps(facts.to_json(), allow_nan=False))["other_side_m"] is None
    assert unsafe_since_s(scenario, flight, facts) < facts.moment_s
    assert circumstances(scenario.with_obstacles(()), flight, VIEW_RAD) is None


def test_mechanisms_of_flights() -> None:
    assert mechanism_of(facts_of(*passing(make_box()))) is Mechanism.SEEN_CORNER
    gap = passing(make_box(), make_box(25.0, 9.0))
    assert mechanism_of(facts_of(*gap)) is Mechanism.SQUEEZE
    moving = make_box().model_copy(
        update={"motion": LinearMotion(to_enu_m=(25.0, -9.0, 10.0), speed_mps=0.01)}
    )
    assert mechanism_of(facts_of(*passing(moving))) in (Mechanism.MOVING, Mechanism.UNSEEN_MOVING)


def test_rules_from_the_most_specific() -> None:
    plain = replace(facts_of(*passing(make_box())), to_corner_m=3.0, in_view_s=9.0)
    assert mechanism_of(plain) is Mechanism.ALONGSIDE
    for changes, name in (
        ({"to_corner_m": 0.1}, Mechanism.SEEN_CORNER),
        ({"in_view_s": 1.0}, Mechanism.LATE_SIGHT),
        ({"hidden_s": 3.0, "in_view_s": 1.0, "to_corner_m": 0.1}, Mechanism.CUT_CORNER),
        ({"passed_before": True, "in_view_s": 1.0}, Mechanism.RETURN_LEG),
        ({"other_side_m": 2.0, "passed_before": True}, Mechanism.SQUEEZE),
        ({"turns": 6, "other_side_m": 2.0}, Mechanism.OSCILLATION),
        ({"hovered_s": 12.0, "turns": 6}, Mechanism.HOVER_AND_ESCAPE),
        ({"altitude_share": 0.5, "hovered_s": 12.0}, Mechanism.TAKE_OFF),
        ({"is_moving": True, "unseen_share": 0.9}, Mechanism.UNSEEN_MOVING),
        ({"is_moving": True, "unseen_share": 0.2}, Mechanism.MOVING),
    ):
        assert mechanism_of(replace(plain, **changes)) is name  # type: ignore[arg-type]
    assert set(MEANINGS) == set(Mechanism)


def test_the_runs_of_a_test_are_weighed_together() -> None:
    corner = replace(facts_of(*passing(make_box())), to_corner_m=0.1, hidden_s=3.0)
    hovering = replace(corner, hovered_s=12.0)
    # Two of three hover: that comes and goes with the scatter, and all of them cut the corner.
    assert mechanism_of(hovering, hovering, corner) is Mechanism.CUT_CORNER
    assert mechanism_of(hovering, hovering, hovering, corner) is Mechanism.HOVER_AND_ESCAPE
    again = replace(corner, passed_before=True)
    assert mechanism_of(again, again, corner) is Mechanism.RETURN_LEG
    assert mechanism_of(again, corner) is mechanism_of(corner, again) is Mechanism.CUT_CORNER
    # The most frequent name counts, not one that fits none of the runs alone.
    late = replace(corner, hidden_s=0.0, in_view_s=1.0)
    seen = replace(corner, hidden_s=0.0, in_view_s=9.0)
    assert mechanism_of(late, late, seen, corner) is Mechanism.LATE_SIGHT


def test_changes_that_save_a_test() -> None:
    scenario = make_scenario(make_box(25.0, 4.0), mission=make_mission())  # 1 m beside the straight way
    trials = Trials(StillBackend(), Question("always (distance > 1.5)"), seed=1, runs=0)
    told: list[tuple[int, int]] = []
    trials.progress = lambda flown, done: told.append((flown, done))
    found = counterfactuals(scenario, trials)
    assert [done for _, done in told] == list(range(1, len(told) + 1))
    assert 0 < told[0][0] <= told[-1][0] <= trials.flown
    moved = next(one for one in found if one.what == "obstacle 1 moved north")
    assert moved.amount == 0.5 and moved.held == moved.fresh == 4
    assert moved.too_little == 0.25 and moved.to_json()["too_little"] == 0.25
    assert moved.scenario.obstacles[0].center_enu_m[1] == pytest.approx(4.5)
    assert any(one.what == "obstacle 1 made smaller" for one in found)
    assert not any(one.what == "obstacle 1 moved east" for one in found)
    assert all(one.to_json()["held"] == one.held for one in found)
    spent = Trials(StillBackend(), Question("always (distance > 1.5)"), seed=1, runs=0, budget=2)
    assert counterfactuals(scenario, spent) == []
    for budget in (10, 23, 40):
        bounded = Trials(StillBackend(), Question("always (distance > 1.5)"), seed=1, runs=0, budget=budget)
        counterfactuals(scenario, bounded)
        assert bounded.flown == budget, "not one flight more, not even to confirm a change"


def test_mechanisms_of_a_suite_follow_its_requirements() -> None:
    scenario, flight = passing(make_box(), north_m=5.5)  # 2.4 m by Aerialist's measure
    assert explained("far", scenario, [flight], VIEW_RAD) is None
    for text in ("always (clearance > 3)", "separation(limit_m=3)"):
        assert explained("near", scenario, [flight], VIEW_RAD, ["max_altitude(limit_m=99)", text]) is not None
    nearer = passing(make_box())
    assert explained("fast", *nearer[:1], [nearer[1]], VIEW_RAD, ["always (speed < 2)"]) is None
    assert explained("own", *nearer[:1], [nearer[1]], VIEW_RAD, ["nobody/has.py:This"]) is not None


def test_a_system_without_scatter_is_flown_once_per_scene() -> None:
    scenario = make_scenario(make_box(25.0, 4.0), mission=make_mission())
    trials = Trials(StillBackend(), Question("always (distance > 1.5)"), seed=1, runs=3)
    assert trials.runs_each == 1
    assert any(one.what == "obstacle 1 moved north" for one in counterfactuals(scenario, trials))


def test_changes_that_nobody_could_make_are_not_claimed() -> None:
    near, behind = make_box(25.0, 4.0), make_box(25.0, 10.5)
    scenario = make_scenario(near, behind, mission=make_mission())
    trials = Trials(StillBackend(), Question("always (distance_1 > 1.5)"), seed=1, runs=0)
    found = {one.what: one for one in counterfactuals(scenario, trials)}
    assert "obstacle 1 moved north" not in found, "it would stand inside the other"
    assert "obstacle 1 made smaller" in found


def test_a_change_that_makes_it_hover_for_ever_saves_nobody() -> None:
    class NeverArrives(StillBackend):
        def fly(self, scenario: Scenario, seed: int) -> Flight:
            moved = scenario.obstacles and scenario.obstacles[0].center_enu_m[1] > 4.0
            flown = super().fly(scenario, seed)
            return replace(flown, ending=Ending.TIME_LIMIT) if moved else flown

    scenario = make_scenario(make_box(25.0, 4.0), mission=make_mission())
    trials = Trials(NeverArrives(), Question("always (distance > 1.5)"), seed=1, runs=0)
    found = {one.what for one in counterfactuals(scenario, trials)}
    assert "obstacle 1 moved north" not in found and "obstacle 1 made smaller" in found
    north = scenario.with_obstacles((make_box(25.0, 9.0),))
    trial = trials.of(north)
    assert (trial.failed, trial.safe, trial.completes) == (0, 0, False)


def test_what_is_no_distance_has_a_moment_but_no_mechanism() -> None:
    scenario, flight = passing(make_box())
    assert Question().breach(scenario, flight) is None
    slow = Question("always (speed < 2)").breach(scenario, flight)
    assert slow is not None and not slow.by_obstacle and "Violated by 0.50 m/s" in slow.sentence
    near = Question("always (distance_1 > 1.5)").breach(scenario, flight)
    assert near is not None and near.by_obstacle
    assert near.since_s == pytest.approx(
        unsafe_since_s(scenario, flight, facts_of(scenario, flight)), abs=0.3
    )
    named = Question("separation(limit_m=2)").breach(scenario, flight)
    assert named is not None and named.by_obstacle and "2 m are required" in named.sentence
    low = Question("min_altitude(limit_m=12)").breach(scenario, flight)
    assert low is not None and not low.by_obstacle


def test_the_failures_of_a_suite_by_mechanism(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "flights").mkdir()
    cases = {
        "001-near": passing(make_box()),
        "002-nearer": passing(make_box(), north_m=3.6),
        "003-gap": passing(make_box(), make_box(25.0, 9.0)),
        "004-far": passing(make_box(), north_m=12.0),
    }
    for name, (scenario, flight) in cases.items():
        save_scenario(tmp_path / "tests" / f"{name}.yaml", scenario)
        save_flights(tmp_path / "flights" / f"{name}.json", f"{name}.yaml", [flight, flight])
    first, second = groups_of(tmp_path)
    assert (first.mechanism, [one.name for one in first.tests]) == (
        Mechanism.SEEN_CORNER,
        ["002-nearer", "001-near"],
    )
    assert second.mechanism is Mechanism.SQUEEZE and second.tests[0].agreeing_runs == 2
    assert main(["explain", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["groups"]
    assert [group["count"] for group in found] == [2, 1] and found[0]["representative"] == "002-nearer"
    assert main(["explain", str(tmp_path)]) == 0
    assert "squeeze between: e.g. 003-gap" in capsys.readouterr().out
    assert main(["explain", str(tmp_path / "tests")]) == 2
    assert "no flights" in capsys.readouterr().err


def test_the_planner_is_asked_about_the_run_that_failed(tmp_path: Path) -> None:
    """The replay of a drawn run, step by step, is that run to the last bit, not the nominal flight."""
    (tmp_path / "short.yaml").write_text(SHORT_SCENE)
    scenario = load_scenario(tmp_path / "short.yaml")
    with LfsBackend() as backend:
        scatter = scatter_of(backend)
        for number in (NOMINAL, 2):
            flight, _ = fly_run(backend, scenario, 3, number, scatter)
            replayed = fly_stepwise(*as_flown(backend.system, scenario, 3, number, scatter))
            assert np.array_equal(replayed.trajectory.position_enu_m, flight.trajectory.position_enu_m)
