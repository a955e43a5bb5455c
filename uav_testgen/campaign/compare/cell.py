"""One cell of the matrix as work for one worker: a whole search on the worker's own backend.

The search keeps its evaluations in a store of its own, so a killed comparison loses nothing: the same cell,
run again, replays what is stored and flies only what is missing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.campaign import search as searching
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.compare.config import Cell
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.observe import Silent
from uav_testgen.campaign.runner import check_header
from uav_testgen.generator.base import Generator
from uav_testgen.generator.registry import build_generator
from uav_testgen.oracle.margin import safety_margin_m
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.executor import Task
from uav_testgen.work.folder import output_folder
from uav_testgen.work.stop import Interrupted
from uav_testgen.work.store import Store


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

    @property
    def flights(self) -> int:
        """Its budget."""
        return self.config.budget.simulations

    def run(self, backend: Backend) -> CellResult:
        """Search, or go on searching where an earlier session stopped."""
        config, case = self.config, self.case
        parent = os.getppid()

        def check_stop() -> None:
            # A worker whose driver was killed must not go on writing: the driver's successor will.
            if os.getppid() != parent:
                raise Interrupted

        with output_folder(self.folder, resume=True) as folder, Store(folder) as store:
            records = store.open()
            check_header(config, case, records, store)
            timed = _Timed(
                build_generator(config.generator, case.base, config.generator_settings, config.seed)
            )
            search = searching.Search(config, timed, store, _OnBackend(backend), Silent(), check_stop)
            search.remember([record for record in records if record.kind == searching.KIND])
            evaluations = search.run()
            return self._result(evaluations, search.end_reason, timed.cpu_s)

    def _result(self, evaluations: Sequence[Evaluation], end_reason: str, search_cpu_s: float) -> CellResult:
        safety_m = float(self.config.generator_settings["safety_distance_m"])
        margins = [safety_margin_m(evaluation.verdict, safety_m) for evaluation in evaluations]
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


class _Timed:
    """A generator with a stop-watch for what the algorithm itself costs."""

    def __init__(self, inner: Generator) -> None:
        self._inner = inner
        self.name = inner.name
        self.cpu_s = 0.0

    def ask(self, count: int) -> Sequence[Scenario]:
        """Asked of the inner one."""
        return self._measured(lambda: self._inner.ask(count))  # type: ignore[no-any-return]

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """Told to the inner one."""
        self._measured(lambda: self._inner.tell(evaluations))

    def _measured(self, action: Callable[[], Any]) -> Any:
        started_s = time.process_time()
        try:
            return action()
        finally:
            self.cpu_s += time.process_time() - started_s


class _OnBackend:
    """An executor that flies on a backend which is already there."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def run(self, tasks: Sequence[Task], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        """One after the other."""
        for task in tasks:
            check_stop()
            yield [task.run(self._backend)]

    def close(self) -> None:
        """The backend belongs to the worker."""
