"""An executor that flies every scene with each planner, and hands the search the worst of what they did.

The search, its store and its resuming stay those of any campaign: one evaluation for each scene, with what each
planner did in its details. The generator is told the worst, so that it favours no planner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.campaign.record import PLANNERS as KEY
from uav_testgen.campaign.screening import ScreenTask
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.work.executor import Executor, Task


@dataclass(frozen=True, slots=True)
class PlannerTask:
    """One scene with one planner."""

    number: int
    planner: str
    screen: ScreenTask

    @property
    def flights(self) -> int:
        """Those of the scene."""
        return self.screen.flights

    def run(self, backend: Backend) -> tuple[str, Evaluation]:
        """The planner and its evaluation."""
        return self.planner, self.screen.run(backend.of(self.planner))  # type: ignore[attr-defined]

    def given_up(self, status: EvaluationStatus, message: str) -> tuple[str, Evaluation]:
        """No answer about this planner on this scene."""
        return self.planner, self.screen.given_up(status, message)


class FanOut:
    """`planners` on every scene; `executor` flies."""

    def __init__(self, executor: Executor, planners: Sequence[str], scatter: Any) -> None:
        self._executor, self._planners, self._scatter = executor, tuple(planners), scatter

    def run(self, tasks: Sequence[Task], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        """The combined evaluation of a scene as soon as every planner has flown it."""
        expanded = [
            PlannerTask(len(self._planners) * number + place, planner, replace(task, scatter=self._scatter))
            for number, task in enumerate(tasks)
            for place, planner in enumerate(self._planners)
            if isinstance(task, ScreenTask)
        ]
        waiting: dict[int, dict[str, Evaluation]] = {}
        for group in self._executor.run(expanded, check_stop):
            for planner, evaluation in group:
                found = waiting.setdefault(evaluation.number, {})
                found[planner] = evaluation
                if len(found) == len(self._planners):
                    del waiting[evaluation.number]
                    yield [combined({name: found[name] for name in self._planners})]

    def close(self) -> None:
        """Stop all workers."""
        self._executor.close()


def combined(by_planner: dict[str, Evaluation]) -> Evaluation:
    """The worst evaluation, the first of equals, with what each planner did."""
    everyone = list(by_planner.values())
    told = [one for one in everyone if one.objective_m is not None and one.status is EvaluationStatus.VALID]
    worst = min(told, key=lambda one: one.objective_m or 0.0) if told else everyone[0]
    details = {
        **worst.details,
        "flights": sum(int(one.details.get("flights", 0)) for one in everyone),
        "cpu_s": round(sum(float(one.details.get("cpu_s", 0.0)) for one in everyone), 6),
        KEY: {name: facts_of(one) for name, one in by_planner.items()},
    }
    # A probability calibrated on one planner says nothing about the others.
    return replace(worst, details=details, failure_probability=None)


def facts_of(evaluation: Evaluation) -> dict[str, Any]:
    """What one planner did on one scene, as plain data."""
    verdict = evaluation.verdict
    return {
        "status": evaluation.status.value,
        "objective_m": evaluation.objective_m,
        "distance_m": evaluation.distance_m,
        "margin": evaluation.margin,
        "duration_s": verdict.duration_s if verdict else None,
        "outcome": verdict.outcome.value if verdict else None,
        "ending": verdict.ending.value if verdict else None,
        "counts": evaluation.counts_sentence,
        "message": evaluation.message,
    }
