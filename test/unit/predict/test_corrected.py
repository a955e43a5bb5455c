"""The distance of one run, corrected: what it says about flights that ended by touching an obstacle."""

from __future__ import annotations

import numpy as np

from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.prediction import corrected_m, said
from uav_testgen.scenario.logical.ranges import LogicalRanges
from uav_testgen.testing.factories import make_box, make_flight, make_scenario

WALL = make_box(20.0, 0.0, (2.0, 10.0, 20.0)).model_copy(update={"name": "the wall"})
SCENARIO = make_scenario(WALL)


def fast(ending: Ending, until_m: float, ahead_m: float = 0.0):
    """Eight metres per second towards the wall, whose face is at x = 19."""
    x = np.arange(0.0, until_m, 0.8) + ahead_m
    path = np.column_stack((x, np.zeros_like(x), np.full_like(x, 10.0)))
    return make_flight(SCENARIO, path, period_s=0.1, ending=ending)


def test_a_fast_vehicle_that_hits_a_wall_has_no_distance_to_it():
    verdict = judge(SCENARIO, fast(Ending.COLLISION, 19.3))
    assert verdict.min_distance_aerialist_m > 0.25, "averaged, it never was at the wall"
    assert corrected_m(verdict, ScatterConfig(bias_m=0.2)) == 0.0
    assert verdict.sentence.startswith("Collided with 'the wall' after ")


def test_a_touch_between_two_samples_is_one_too():
    verdict = judge(SCENARIO, fast(Ending.COLLISION, 19.3, ahead_m=-0.4))
    assert 0.0 < verdict.min_distance_3d_m < 0.25 < verdict.min_distance_aerialist_m
    assert corrected_m(verdict, ScatterConfig(bias_m=0.2)) == 0.0


def test_a_collision_with_the_ground_leaves_the_distance_to_obstacles():
    verdict = judge(SCENARIO, fast(Ending.COLLISION, 14.5))
    assert corrected_m(verdict, ScatterConfig(bias_m=0.2)) == verdict.min_distance_aerialist_m + 0.2


def test_passing_near_a_wall_keeps_its_corrected_distance():
    verdict = judge(SCENARIO, fast(Ending.GOAL_REACHED, 18.6))
    assert corrected_m(verdict, ScatterConfig(bias_m=0.2)) == verdict.min_distance_aerialist_m + 0.2


def test_a_sentence_that_names_another_distance_than_the_judged_one_says_so():
    verdict = judge(SCENARIO, fast(Ending.GOAL_REACHED, 18.6))
    flown_m = verdict.min_distance_aerialist_m
    assert f"{flown_m:.2f} m" in verdict.sentence
    told = said(SCENARIO, verdict, flown_m + 0.07)
    assert told == f"{verdict.sentence} (as simulated; corrected {flown_m + 0.07:.2f} m)"


def test_a_sentence_that_needs_no_second_distance_is_left_alone():
    passed, collided = (
        judge(SCENARIO, fast(Ending.GOAL_REACHED, 18.6)),
        judge(SCENARIO, fast(Ending.COLLISION, 19.3)),
    )
    assert said(SCENARIO, passed, passed.min_distance_aerialist_m) == passed.sentence
    assert said(SCENARIO, passed, None) == passed.sentence
    assert said(SCENARIO, collided, 0.0) == collided.sentence


def test_a_distance_in_3d_is_no_correction_of_one_in_plan_view():
    in_3d = SCENARIO.model_copy(update={"logical": LogicalRanges.model_construct()})
    verdict = judge(SCENARIO, fast(Ending.GOAL_REACHED, 18.6))
    assert verdict.min_distance_3d_m != verdict.min_distance_aerialist_m
    assert said(in_3d, verdict, verdict.min_distance_3d_m) == verdict.sentence
