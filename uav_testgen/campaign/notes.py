"""What the reader of a campaign's results must not overlook."""

from __future__ import annotations

from collections.abc import Sequence

from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus

_MOST_UNFLOWN_NOTES = 10


def unflown_notes(evaluations: Sequence[Evaluation]) -> list[str]:
    """Scenarios in quarantine or given up: they say nothing about safety and must not go unnoticed."""
    said = (EvaluationStatus.VALID, EvaluationStatus.INVALID_SCENARIO)
    troubled = [e for e in evaluations if e.status not in said]
    notes = [
        f"evaluation {e.number} ({e.scenario.id}) has no result: {e.message}"
        for e in troubled[:_MOST_UNFLOWN_NOTES]
    ]
    if len(troubled) > _MOST_UNFLOWN_NOTES:
        notes.append(f"{len(troubled) - _MOST_UNFLOWN_NOTES} more without a result: see evaluations.csv")
    return notes


def no_fitness_notes(evaluations: Sequence[Evaluation]) -> list[str]:
    """Where a fitness of the user's gave no number: how often, and the first reason."""
    reasons = [str(e.details["no_fitness"])[:500] for e in evaluations if e.details.get("no_fitness")]
    return [f"{len(reasons)} evaluation(s) have no fitness; the first: {reasons[0]}"] if reasons else []
