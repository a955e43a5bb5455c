"""One cell of the matrix as work for one worker: a whole search on the worker's own backend.

The search keeps its evaluations in a store of its own, so a killed comparison loses nothing: the same cell,
run again, replays what is stored and flies only what is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.compare.config import Cell
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.observe import Progress
from uav_testgen.campaign.study.matrix import Key, Sent
from uav_testgen.campaign.study.searched import search_in, sent_from_away
from uav_testgen.oracle.margin import safety_margin_m
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.model import Scenario


@dataclass(frozen=True, slots=True)
class CellResult:
    """What one run found; `margins_m` in the order of evaluation, None where a flight has no fitness."""

    scenario: str
    algorithm: str
    repetition: int
    seed: int
    evaluations: int
    violations: int
    best_margin_m: float | None
    margins_m: tuple[float | None, ...]
    flight_cpu_s: float
    search_cpu_s: float
    end_reason: str
    worst: dict[str, Any] | None
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "margins_m": list(self.margins_m)}

    @property
    def key(self) -> Key:
        """Which cell it is."""
        return (self.scenario, self.algorithm, self.repetition)

    def count_into(self, progress: Progress, *, replayed: bool) -> None:
        """Add its figures to the totals people see."""
        progress.count(self.evaluations, self.evaluations, replayed=replayed)
        progress.failures += self.violations
        progress.errors += sum(margin is None for margin in self.margins_m)
        if self.best_margin_m is not None:
            distance_m = self.best_margin_m + progress.accept_below_m
            progress.best_m = distance_m if progress.best_m is None else min(progress.best_m, distance_m)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> CellResult:
        """Inverse of `to_json`."""
        return cls(**{**data, "margins_m": tuple(data["margins_m"])})


@dataclass(frozen=True, slots=True)
class CellTask:
    """Run a cell to its end; picklable, so any worker can do it."""

    number: int
    cell: Cell
    config: CampaignConfig
    case: CaseStudy
    folder: Path
    is_away: bool = False

    @property
    def flights(self) -> int:
        """Its budget."""
        return self.config.budget.evaluations

    @property
    def key(self) -> Key:
        """Which cell it is."""
        return (self.cell.scenario, self.cell.algorithm, self.cell.repetition)

    @property
    def stays_here(self) -> bool:
        """Algorithms need nothing of this machine."""
        return False

    def away(self) -> CellTask:
        """For a machine that does not see the folder."""
        return replace(self, is_away=True)

    def run(self, backend: Backend) -> CellResult | Sent[CellResult]:
        """Search, or go on searching where an earlier session stopped."""
        if self.is_away:
            return sent_from_away(lambda folder: self._run_in(folder, backend))
        return self._run_in(self.folder, backend)

    def _run_in(self, folder: Path, backend: Backend) -> CellResult:
        found = search_in(folder, self.config, self.case, backend)
        return self._result(found.evaluations, found.end_reason, found.search_cpu_s)

    def _result(self, evaluations: Sequence[Evaluation], end_reason: str, search_cpu_s: float) -> CellResult:
        safety_m = float(self.config.generator_settings["safety_distance_m"])
        margins = [
            evaluation.margin
            if evaluation.is_by_requirements
            else safety_margin_m(evaluation.verdict, safety_m)
            for evaluation in evaluations
        ]
        measured = [(margin, number) for number, margin in enumerate(margins) if margin is not None]
        best = min(measured, default=None)
        return CellResult(
            **self._place(),
            evaluations=len(evaluations),
            violations=sum(margin < 0.0 for margin, _ in measured),
            best_margin_m=None if best is None else round(best[0], 6),
            margins_m=tuple(None if margin is None else round(margin, 4) for margin in margins),
            flight_cpu_s=round(sum(float(one.details.get("cpu_s", 0.0)) for one in evaluations), 3),
            search_cpu_s=round(search_cpu_s, 3),
            end_reason=end_reason,
            worst=None if best is None else _plain(evaluations[best[1]].scenario),
        )

    def _place(self) -> dict[str, Any]:
        cell = self.cell
        return {
            "scenario": cell.scenario,
            "algorithm": cell.algorithm,
            "repetition": cell.repetition,
            "seed": self.config.seed,
        }

    def given_up(self, status: EvaluationStatus, message: str) -> CellResult:
        """A cell without a result; `message` says why."""
        return CellResult(**self._place(), evaluations=0, violations=0, best_margin_m=None, margins_m=(),
                          flight_cpu_s=0.0, search_cpu_s=0.0, end_reason=status.value, worst=None,
                          message=message)  # fmt: skip


def _plain(scenario: Scenario) -> dict[str, Any]:
    return scenario.model_dump(mode="json", exclude_defaults=True)
