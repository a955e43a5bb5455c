"""The curve of the distance says what the verdict says."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.oracle.judging import judge
from uav_testgen.testing.factories import make_box, make_flight, make_scenario
from uav_testgen.view.suite_entry import distances_over_time

PAST = [(0.1 * k, 0.0, 5.0) for k in range(400)]


@pytest.mark.parametrize("correction_m", [0.0, 0.07, -0.2])
def test_its_least_value_is_the_judged_distance(correction_m: float) -> None:
    scenario = make_scenario(make_box(20.0, 4.0))
    flight = make_flight(scenario, PAST)
    verdict = judge(scenario, flight)
    assert verdict.min_distance_aerialist_m is not None and verdict.min_distance_aerialist_m > 0.3
    distance_m = verdict.min_distance_aerialist_m + correction_m
    curve = distances_over_time(
        scenario, flight.trajectory.t_s, flight.trajectory.position_enu_m, verdict, distance_m
    )
    assert float(np.min(curve)) == pytest.approx(distance_m, abs=1e-6)


def test_it_never_falls_below_a_touch() -> None:
    scenario = make_scenario(make_box(20.0, 0.0))
    flight = make_flight(scenario, PAST)
    verdict = judge(scenario, flight)
    curve = distances_over_time(
        scenario, flight.trajectory.t_s, flight.trajectory.position_enu_m, verdict, 0.0
    )
    assert float(np.min(curve)) == 0.0


def test_there_is_none_without_obstacles() -> None:
    scenario = make_scenario()
    flight = make_flight(scenario, PAST)
    empty = distances_over_time(
        scenario, flight.trajectory.t_s, flight.trajectory.position_enu_m, judge(scenario, flight), None
    )
    assert not len(empty)
