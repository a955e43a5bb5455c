"""What a formula says about a flight: by how much, when, and where it was first broken."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from uav_testgen.flight.model import Flight
from uav_testgen.oracle.stl.judgement import judge_formula
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.oracle.stl.signals import MEANINGS, UNITS, signals_of
from uav_testgen.scenario.model import LinearMotion, Scenario
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario
from uav_testgen.world.scene import Scene


def passing(north_m: float) -> tuple[Scenario, Flight]:
    """Eastwards past a box of 4 m × 6 m at (25, 0), 2.5 m/s."""
    scenario = make_scenario(make_box(), mission=make_mission())
    return scenario, make_flight(scenario, [(0.25 * step, north_m, 10.0) for step in range(200)])


def test_violated() -> None:
    found = judge_formula(parse("always (distance > 1.5)"), *passing(4.0))
    assert found.robustness == pytest.approx(-0.5)
    assert found.violated and found.unit == "m"
    assert found.moment_s == pytest.approx(9.2, abs=0.11)  # the first of those that pass beside it
    assert found.breaks_s is not None and found.breaks_s < found.moment_s
    assert "Violated by 0.50 m" in found.sentence
    assert found.over_time.min() == found.robustness


def test_broken_kept_and_broken_again() -> None:
    scenario = make_scenario(make_box(), make_box(60.0), mission=make_mission())
    points = [(0.25 * step, 4.0 if step < 160 else 3.5, 10.0) for step in range(320)]
    found = judge_formula(parse("always (distance > 1.5)"), scenario, make_flight(scenario, points))
    assert found.breaks_s is not None and found.last_broken_s is not None and found.moment_s is not None
    assert found.breaks_s == pytest.approx(8.8, abs=0.2) and found.moment_s > 20.0
    assert found.moment_s - 2.0 < found.last_broken_s <= found.moment_s
    assert judge_formula(parse("always (distance > 0.5)"), *passing(4.0)).last_broken_s is None
    never = judge_formula(parse("eventually (altitude > 20)"), *passing(4.0))
    assert never.last_broken_s == never.breaks_s


def test_the_amount_has_the_unit_of_what_decides() -> None:
    found = judge_formula(parse("always (distance > 0.2 and speed < 2)"), *passing(4.0))
    assert found.unit == "" and "Violated by 0.50 m/s" in found.sentence
    mixture = judge_formula(parse("always (distance > 2 iff speed < 1)"), *passing(4.0))
    assert "m/s after" not in mixture.sentence


def test_kept() -> None:
    found = judge_formula(parse("always (distance > 1.5)"), *passing(9.0))
    assert found.robustness == pytest.approx(4.5)
    assert not found.violated and found.breaks_s is None
    assert found.sentence.startswith("Kept with 4.50 m left")


def test_nothing_to_be_near_to() -> None:
    scenario, flight = passing(9.0)
    found = judge_formula(parse("always (distance > 1.5)"), scenario.with_obstacles(()), flight)
    assert found.robustness == math.inf and not found.violated
    third = judge_formula(parse("always (distance_3 > 1.5)"), scenario, flight)
    assert third.robustness == math.inf


def test_what_a_flight_does_not_tell() -> None:
    found = judge_formula(parse("always (tilt < 30)"), *passing(9.0))
    assert found.robustness is None and "does not tell its tilt" in found.sentence
    scenario, flight = passing(9.0)
    empty = judge_formula(parse("always (speed < 30)"), scenario, make_flight(scenario, []))
    assert empty.robustness is None
    assert judge_formula(parse("always (speed / (time - time) < 1)"), scenario, flight).violated
    assert judge_formula(parse("(time - time) / (time - time) < 1"), scenario, flight).robustness is None


def test_every_signal_has_a_meaning_and_one_value_per_sample() -> None:
    scenario, flight = passing(9.0)
    assert set(MEANINGS) == set(UNITS)
    found = signals_of(scenario, flight)
    assert set(found) == {*UNITS, "distance_1"}
    assert all(values.shape == flight.trajectory.t_s.shape for values in found.values())
    assert np.all(found["clearance"] <= found["plan_distance"])


def test_moving_obstacles_are_where_they_are() -> None:
    motion = LinearMotion(to_enu_m=(25.0, 30.0, 10.0), speed_mps=1.0)
    box = make_box().model_copy(update={"motion": motion})
    scenario, flight = passing(9.0)
    scenario = scenario.with_obstacles((make_box(40.0), box))
    found = signals_of(scenario, flight, ["distance_1", "distance_2", "distance"])
    scene = Scene.of(scenario)
    for at in (0, 50, 120):
        t_s = float(flight.trajectory.t_s[at])
        exact = scene.distances_m(flight.trajectory.position_enu_m[at], t_s)[0]
        assert [found["distance_1"][at], found["distance_2"][at]] == pytest.approx(list(exact))
        assert found["distance"][at] == pytest.approx(min(exact))


def test_legs_with_and_without_recorded_times() -> None:
    mission = make_mission([(20.0, 4.0, 10.0), (50.0, 4.0, 10.0)])
    scenario = make_scenario(mission=mission)
    flight = make_flight(scenario, [(0.5 * step, 4.0, 10.0) for step in range(100)])
    guessed = signals_of(scenario, flight, ["leg"])["leg"]
    assert (guessed[0], guessed[-1]) == (1.0, 2.0)
    assert np.flatnonzero(guessed == 2.0)[0] == 39
    told = signals_of(scenario, replace(flight, details={"waypoint_times_s": [2.0]}), ["leg"])["leg"]
    assert np.flatnonzero(told == 2.0)[0] == 20
