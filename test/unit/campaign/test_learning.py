"""What real flights teach about predictions that were not flown."""

from __future__ import annotations

import pytest

from uav_testgen.campaign.learning import Lessons
from uav_testgen.campaign.ranking import worth_of
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.testing.factories import make_box, make_scenario

ERROR = ModelError(spread_m=0.8)


def predicted(number: int, east_m: float, distance_m: float) -> Evaluation:
    verdict = Verdict(
        Outcome.SOFT_FAIL, Ending.GOAL_REACHED, distance_m, distance_m, distance_m, 1.0, 0, True, 90.0, "near"
    )
    scenario = make_scenario(make_box(east_m=east_m, north_m=20.0), mission="mission1")
    return Evaluation(
        number, scenario, EvaluationStatus.VALID, (verdict,), (distance_m,), distance_m, 0.5, None
    )


def failure(lessons: Lessons, evaluation: Evaluation) -> float:
    return worth_of(*lessons.expected(evaluation)).confirmation_probability


def test_before_the_first_flight_predictions_stand() -> None:
    lessons, test = Lessons(ERROR), predicted(0, 0.0, 1.2)
    moved, error = lessons.expected(test)
    assert moved is test and error == ERROR
    assert lessons.systematic().tests == 0 and lessons.systematic().mean_m == 0.0


def test_flights_that_stay_farther_away_make_the_rest_less_likely_to_fail() -> None:
    lessons, left = Lessons(ERROR), predicted(99, 500.0, 1.2)
    before = failure(lessons, left)
    chances = []
    for number in range(6):
        lessons.add(predicted(number, 100.0 * number, 1.0), [2.0])
        chances.append(failure(lessons, left))
    assert before > chances[0] > chances[-1]
    found = lessons.systematic()
    assert found.tests == 6 and 0.5 < found.mean_m < 1.0
    assert found.low_m < found.mean_m < found.high_m
    assert found.high_m - found.low_m < 1.2, "six flights know more than none"


def test_a_like_test_learns_more_than_an_unlike_one() -> None:
    lessons = Lessons(ERROR)
    lessons.add(predicted(0, 0.0, 1.0), [2.5])
    like, unlike = predicted(1, 0.5, 1.0), predicted(2, 400.0, 1.0)
    moved_like, moved_unlike = lessons.expected(like)[0], lessons.expected(unlike)[0]
    assert (moved_like.distances_m[0] or 0.0) > (moved_unlike.distances_m[0] or 0.0) > 1.0
    assert lessons.expected(like)[1].spread_m < lessons.expected(unlike)[1].spread_m < ERROR.spread_m


def test_several_flights_of_one_test_count_more_than_one() -> None:
    once, often = Lessons(ERROR), Lessons(ERROR)
    once.add(predicted(0, 0.0, 1.0), [2.0])
    often.add(predicted(0, 0.0, 1.0), [2.0] * 5)
    assert often.systematic().mean_m > once.systematic().mean_m


def test_another_way_round_does_not_take_over() -> None:
    lessons = Lessons(ERROR)
    lessons.add(predicted(0, 0.0, 1.0), [40.0])
    assert lessons.systematic().mean_m == pytest.approx(0.4 * 3 * 0.8)
