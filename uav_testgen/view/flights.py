"""The second budget in results: what was flown, what it taught, and the table of all flown tests."""

from __future__ import annotations

from typing import Any

from uav_testgen.campaign.result import CampaignResult
from uav_testgen.view.cells import csv_text

_COLUMNS = (
    "number", "scenario_id", "predicted_m", "predicted_failure", "expected_failure", "flown_by", "flown_m",
    "flights", "failed_flights",
)  # fmt: skip


def flights_part(result: CampaignResult) -> dict[str, Any]:
    """For summary.json; empty for a campaign without real flights."""
    flights = result.flights
    if flights is None:
        return {}
    return {
        "flown": {
            "backend": result.config.confirmation.backend,
            "budget": flights.budget,
            "flights": flights.spent,
            "tests": len(flights.tests),
            "failed": len(flights.failed),
            "systematic_error": flights.systematic.to_json(),
            "not_flown": flights.left,
            "expected_failures_not_flown": round(flights.expected_left, 2)
            if _is_calibrated(result)
            else None,
            "ended_because": flights.end_reason,
        }
    }


def flown_csv(result: CampaignResult) -> str:
    """One line for each flown test, in the order of flying: predicted, expected when chosen, flown."""
    rows = []
    for test in result.flights.tests if result.flights is not None else ():
        evaluation, answers = test.evaluation, test.confirmation.answers
        rows.append(
            [
                evaluation.number,
                evaluation.scenario.id,
                _number(evaluation.distance_m),
                _number(evaluation.failure_probability),
                _number(test.expected_failure if evaluation.failure_probability is not None else None),
                test.confirmation.backend,
                " ".join(f"{distance_m:.4f}" for distance_m in test.distances_m),
                len(answers),
                sum(verdict.failed for verdict in answers),
            ]
        )
    return csv_text(_COLUMNS, rows)


def flights_lines(found: dict[str, Any]) -> list[str]:
    """For people, from summary.json."""
    error = found["systematic_error"]
    low_m, high_m = error["interval_80_m"]
    lines = [
        f"flown by {found['backend']}: {found['tests']} tests in {found['flights']} of {found['budget']} flights, "
        f"{found['failed']} failed ({found['ended_because']})"
    ]
    if error["tests"]:
        lines.append(
            f"systematic error on this case study: flown minus predicted {error['mean_m']:+.2f} m (80 % interval "
            f"{low_m:+.2f} to {high_m:+.2f} m)"
        )
    if found["not_flown"]:
        expected = found["expected_failures_not_flown"]
        how_many = "how many do is not known (uncalibrated)"
        if expected is not None:
            how_many = f"{expected:.1f} failures are to be expected among them"
        lines.append(f"not flown: {found['not_flown']} predictions that may fail; {how_many}")
    return lines


def _is_calibrated(result: CampaignResult) -> bool:
    """Were predictions like these ever compared with real flights? What is expected begins with that comparison."""
    return any(one.failure_probability is not None for one in result.evaluations)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
