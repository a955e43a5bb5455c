"""Runs in stages: how many a test gets by what its runs so far show."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from uav_testgen.core.defaults import COLLISION_DISTANCE_M
from uav_testgen.predict.prediction import Prediction
from uav_testgen.predict.runs import predict
from uav_testgen.predict.stages import Stage, expected_score, most_runs, stages_of
from uav_testgen.testing.factories import make_box, make_scenario
from uav_testgen.testing.still_backend import StillBackend, StillConfig

NEAR = make_scenario(make_box(north_m=-1.0))
FAR = make_scenario(make_box(north_m=-25.0))
BACKEND = StillBackend(StillConfig(drift_m=0.3))


def flown(scenario: object, *stages: Stage) -> Prediction:
    return predict(BACKEND, scenario, 3, stages=stages)  # type: ignore[arg-type]


def test_without_stages_only_the_nominal_run_is_flown() -> None:
    assert flown(NEAR).runs == ()
    assert stages_of(0) == ()


def test_stages_add_up_to_the_runs_one_stage_would_have_flown() -> None:
    at_once = predict(BACKEND, NEAR, 3, 4)
    in_steps = flown(NEAR, Stage(runs=1), Stage(runs=3), Stage(runs=4))
    assert [run.distance_m for run in in_steps.runs] == [run.distance_m for run in at_once.runs]


def test_a_far_test_stays_with_its_first_look() -> None:
    stages = (Stage(runs=2, below_m=1.5), Stage(runs=5))
    assert len(flown(FAR, *stages).runs) == 0
    assert len(flown(NEAR, *stages).runs) == 5


def test_a_test_that_falls_short_of_a_bar_stays_as_it_is() -> None:
    score = expected_score(flown(NEAR, Stage(runs=2)))
    assert score > 0.0
    assert len(flown(NEAR, Stage(runs=2), Stage(runs=6, score_above=0.9 * score)).runs) == 6
    assert len(flown(NEAR, Stage(runs=2), Stage(runs=6, score_above=1.1 * score)).runs) == 2


def test_a_likely_collision_gets_its_runs_whatever_it_scores() -> None:
    def runs(scene: object, collision_above: float | None) -> int:
        more = Stage(runs=6, score_above=1e6, collision_above=collision_above)
        return len(flown(scene, Stage(runs=2), more).runs)

    near, far = (flown(scene, Stage(runs=2)).distribution for scene in (NEAR, FAR))
    assert (
        near.probability_below(COLLISION_DISTANCE_M) > 0.9 > 0.1 > far.probability_below(COLLISION_DISTANCE_M)
    )
    assert (runs(NEAR, 0.9), runs(NEAR, None), runs(FAR, 0.1)) == (6, 2, 2)


def test_a_later_stage_is_not_reached_past_one_that_is_not() -> None:
    assert len(flown(NEAR, Stage(runs=2), Stage(runs=4, score_above=1e6), Stage(runs=9)).runs) == 2


def test_the_most_runs_bound_what_a_test_may_cost() -> None:
    assert most_runs(()) == 0
    assert most_runs((Stage(runs=2), Stage(runs=7))) == 7


@pytest.mark.parametrize(
    "wrong", [{"runs": 0}, {"runs": 3, "below_m": -1.0}, {"runs": 3, "score_above": math.nan}]
)
def test_stages_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Stage(**wrong)  # type: ignore[arg-type]
