"""The figures of a run: when it first failed a vehicle, and what its suite is worth on flights no search saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.error import expected_error
from uav_testgen.campaign.ranking import choose_suite
from uav_testgen.campaign.study.config import HeldOutConfig
from uav_testgen.flight.resample import resampled
from uav_testgen.oracle.competition import FlownTest, ScoreConfig, score_suite
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.held_out import failing_share, predict_held_out
from uav_testgen.predict.prediction import Prediction
from uav_testgen.scenario.model import Scenario

FLIGHTS_FOR_POINTS = {"2024": 5, "2025": 3, "2026": 5}
"""How often the organisers of each edition flew a test."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """One simulation of a search: the scenario, and whether it is a failure."""

    scenario_id: str
    distance_m: float | None
    is_failure: bool


def simulated(evaluation: Evaluation, distance_m: float | None, accept_below_m: float) -> Simulated:
    """Judged by the accepted distance, or in 3-D by that of its logical scenario."""
    logical = evaluation.scenario.logical
    if logical is not None:
        verdict = evaluation.verdict
        distance_m = None if verdict is None else verdict.min_distance_3d_m
        accept_below_m = logical.safety_distance_m
    failed = distance_m is not None and distance_m < accept_below_m
    return Simulated(evaluation.scenario.id, distance_m, failed)


def search_figures(series: Sequence[Simulated]) -> dict[str, Any]:
    """Cost and yield of a search, from its simulations in order."""
    failing: dict[str, int] = {}
    for number, one in enumerate(series, start=1):
        if one.is_failure:
            failing.setdefault(one.scenario_id, number)
    known = [one.distance_m for one in series if one.distance_m is not None]
    return {
        "simulations": len(series),
        "first_failure": min(failing.values(), default=None),
        "failures": len(failing),
        "failing_at": tuple(sorted(failing.values())),
        "best_distance_m": round(min(known), 6) if known else None,
    }


def suite_figures(
    eligible: Sequence[Evaluation], config: CampaignConfig, held_out: HeldOutConfig, backend: Backend
) -> dict[str, Any]:
    """The suite, chosen alike for every generator, flown on held-out seeds and scored by every edition's rules."""
    error = expected_error(config.screening)
    ranked = choose_suite(eligible, config.screening.accept_below_m, config.ranking, error)
    tests = [test.evaluation.scenario for test in ranked]
    flown = [
        predict_held_out(backend, scenario, held_out.runs, seed=held_out.seed)
        for scenario in tests[: held_out.tests]
    ]
    found = [failing_share(prediction) for prediction in flown]
    shares = [None if share is None else round(share, 6) for share in found]
    known = [share for share in shares if share is not None]
    scoring = ScoreConfig(evaluated_tests=held_out.tests)
    scores = {
        f"score_{rules}": round(
            score_suite(_flown_tests(tests, flown, most), rules, scoring).failure_score, 6
        )
        for rules, most in FLIGHTS_FOR_POINTS.items()
    }
    diversity = score_suite(_flown_tests(tests, flown, 3), "2025", scoring).diversity if tests else None
    return {
        "tests": len(tests),
        **scores,
        "diversity": None if diversity is None else round(diversity, 6),
        "failure_probability": round(sum(known) / len(known), 6) if known else None,
        "held_out_flights": sum(len(prediction.flown) for prediction in flown),
        "suite": tuple(
            {
                "scenario": scenario.model_dump(mode="json", exclude_defaults=True),
                "failure_probability": shares[number] if number < len(shares) else None,
            }
            for number, scenario in enumerate(tests)
        ),
    }


def _flown_tests(tests: Sequence[Scenario], flown: Sequence[Prediction], most: int) -> list[FlownTest]:
    """Every test with its first held-out flights; those that were not flown have none."""
    found = []
    for number, scenario in enumerate(tests):
        runs = flown[number].counted[:most] if number < len(flown) else ()
        found.append(
            FlownTest(
                name=scenario.id,
                obstacles=scenario.obstacles,
                distances_m=tuple(run.distance_m for run in runs),
                durations_s=tuple(run.verdict.duration_s for run in runs),
                paths_enu_m=tuple(
                    resampled(run.flight.trajectory).position_enu_m
                    for run in runs
                    if len(run.flight.trajectory)
                ),
            )
        )
    return found
