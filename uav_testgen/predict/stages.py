"""Runs in stages: a cheap look at every test, more runs for those that still promise something.

The first look is the nominal run. A stage names how many drawn runs a test has after it and what the runs so far
must show to reach it; a test that falls short of a stage stays as it is. Campaigns state stages for everybody,
a generator may state its own and raise the bar while it searches, so that tests race against the best so far.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.defaults import COLLISION_DISTANCE_M, SAFE_DISTANCE_M
from uav_testgen.oracle.competition import score_of_test
from uav_testgen.predict.prediction import Prediction

Stages = tuple["Stage", ...]


class Stage(RoomConfig):
    """How many drawn runs a test gets, and what it must have shown before."""

    runs: int = Field(
        ge=1, le=1000, description="Drawn runs of the test after this stage, besides the nominal one"
    )
    below_m: float | None = Field(
        default=None,
        gt=0,
        le=1e9,
        description="Only a test predicted to come nearer than this so far [m]; empty: every test",
    )
    score_above: float = Field(
        default=0.0,
        ge=0,
        le=1e9,
        description="Only a test whose expected competition score so far is above this [points per minute]",
    )
    collision_above: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="Or one that so far comes below the collision distance with more than this probability, "
        "whatever it scores; empty: the score decides",
    )


def stages_of(runs: int, below_m: float | None = None) -> Stages:
    """One stage of `runs` for tests nearer than `below_m`; none for no runs."""
    return (Stage(runs=runs, below_m=below_m),) if runs > 0 else ()


def most_runs(stages: Sequence[Stage]) -> int:
    """Drawn runs of a test that reaches every stage."""
    return max((stage.runs for stage in stages), default=0)


def runs_wanted(stages: Sequence[Stage], so_far: Prediction) -> int:
    """How many drawn runs a test should have by what it has shown; as many as it has: enough."""
    flown = len(so_far.runs)
    if so_far.nominal.flight.ending.is_trouble_of_planner:
        return flown
    for stage in stages:
        if not _reaches(stage, so_far):
            return flown
        if stage.runs > flown:
            return stage.runs
    return flown


def expected_score(prediction: Prediction) -> float:
    """What a test is expected to earn by the competition's formula, from the runs so far."""
    distribution = prediction.distribution
    minutes = distribution.mean_duration_s / 60.0
    return score_of_test(distribution.expected_points, len(prediction.scenario.obstacles), minutes)


def _reaches(stage: Stage, so_far: Prediction) -> bool:
    if stage.below_m is not None:
        objective_m = _objective_m(so_far)
        if objective_m is None or not objective_m < stage.below_m:
            return False
    if stage.score_above <= 0.0 or expected_score(so_far) > stage.score_above:
        return True
    return (
        stage.collision_above is not None
        and so_far.distribution.probability_below(COLLISION_DISTANCE_M) > stage.collision_above
    )


def _objective_m(so_far: Prediction) -> float | None:
    """Below 1.5 m it is a failure: the distance, or 1.5 m plus the margin where something else must be kept."""
    if so_far.requirements:
        margin = so_far.margin if so_far.runs else so_far.nominal.margin
        return None if margin is None else SAFE_DISTANCE_M + margin
    # The nominal run counts as it was flown; what a hovering one might still do is left to the drawn runs.
    distance_m = so_far.distance_m if so_far.runs else so_far.nominal.distance_m
    return None if distance_m is None else distance_m + SAFE_DISTANCE_M - so_far.safe_distance_m
