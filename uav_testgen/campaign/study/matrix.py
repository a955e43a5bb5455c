"""A matrix of independent runs: every cell on some worker, finished cells kept, resumable.

Studies and comparisons are such matrices. A cell is a whole search; it keeps its evaluations in a folder of its own,
so that a killed matrix loses nothing. A cell on another machine sends its records home with its result.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from uav_testgen.backend.pace import flight_limit_s, flights_at_once
from uav_testgen.campaign.config import changed_fields
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.result import Options
from uav_testgen.core.errors import StoreError
from uav_testgen.core.files import write_bytes
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import Task, WorkerPlan
from uav_testgen.work.folder import output_folder
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.store import FILE_NAME, AnyRecord, Store, understood
from uav_testgen.work.versions import versions

CELL = "cell"
FORMAT = 1
_FLIGHT_S = 300.0
Key = tuple[str | int, ...]


class CellOutcome(Protocol):
    """What one cell gave; `message` says why it gave nothing."""

    @property
    def message(self) -> str:
        """Empty where all went well."""
        ...

    @property
    def key(self) -> Key:
        """Which cell it is."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        ...

    def count_into(self, progress: Progress, *, replayed: bool) -> None:
        """Add its figures to the totals people see."""
        ...


class MatrixTask(Task, Protocol):
    """A cell as work for one worker."""

    @property
    def key(self) -> Key:
        """Which cell it is."""
        ...

    @property
    def folder(self) -> Path:
        """Where its evaluations are kept."""
        ...

    @property
    def stays_here(self) -> bool:
        """It needs something of this machine, so no cluster may run it."""
        ...

    def away(self) -> MatrixTask:
        """The same task for a machine that does not see `folder`."""
        ...


Result = TypeVar("Result", bound=CellOutcome)


@dataclass(frozen=True, slots=True)
class Sent(Generic[Result]):
    """A result with the records of its search, from a machine that does not see the output folder."""

    result: Result
    records: bytes


@dataclass(frozen=True, slots=True)
class Matrix(Generic[Result]):
    """What is run; `header` holds everything that must be the same when it is resumed."""

    what: str
    doing: str
    header: dict[str, dict[str, Any]]
    tasks: Sequence[MatrixTask]
    read: Callable[[dict[str, Any]], Result]
    plan: WorkerPlan
    progress: Progress
    keep_evaluations: bool = True


@dataclass
class Outcome(Generic[Result]):
    """Finished cells in the order of the matrix, those no worker could deliver, and notes on the store."""

    finished: dict[Key, Result] = field(default_factory=dict)
    failed: list[Result] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def in_order(self, tasks: Sequence[MatrixTask]) -> tuple[Result, ...]:
        """Independent of who finished first."""
        return tuple(self.finished[task.key] for task in tasks if task.key in self.finished)


def run_matrix(
    matrix: Matrix[Result], options: Options, observer: Observer, stop: StopRequest
) -> Outcome[Result]:
    """Run or resume; cells that are stored are not run again."""
    with output_folder(options.out, resume=options.resume) as out, Store(out) as store:
        records = store.open()
        for note in store.notes:
            observer.note(note)
        _check_header(matrix, records, store)
        outcome: Outcome[Result] = Outcome(notes=list(store.notes))
        with understood(store.path, "the result of a run"):
            for record in records:
                if record.kind == CELL:
                    result = matrix.read(record.body)
                    outcome.finished[result.key] = result
        _run(matrix, outcome, options, observer, stop, store)
        return outcome


def _run(
    matrix: Matrix[Result],
    outcome: Outcome[Result],
    options: Options,
    observer: Observer,
    stop: StopRequest,
    store: Store,
) -> None:
    for result in outcome.finished.values():
        result.count_into(matrix.progress, replayed=True)
    missing = [task for task in matrix.tasks if task.key not in outcome.finished]
    folders = {task.key: task.folder for task in missing}
    _tell(matrix, outcome, observer)
    plan = matrix.plan
    jobs = flights_at_once(plan.backend, plan.settings, options.jobs)
    limit_s = flight_limit_s(plan.backend, plan.settings, _FLIGHT_S)
    for placement, tasks in _placed(missing, options, jobs):
        with make_executor(plan, placement, flight_timeout_s=limit_s) as executor:
            for group in executor.run(tasks, stop.check):
                for found in group:
                    _keep(matrix, outcome, folders, found, observer, store)
                _tell(matrix, outcome, observer)
                observer.search(matrix.progress)


def _placed(
    missing: Sequence[MatrixTask], options: Options, jobs: int
) -> list[tuple[Placement, list[MatrixTask]]]:
    here = Placement(jobs)
    if options.cluster is None or options.cluster.place == "local":
        return [(here, list(missing))]
    away = [task.away() for task in missing if not task.stays_here]
    near = [task for task in missing if task.stays_here]
    return [(place, tasks) for place, tasks in ((options.cluster, away), (here, near)) if tasks]


def _keep(
    matrix: Matrix[Result],
    outcome: Outcome[Result],
    folders: dict[Key, Path],
    found: Result | Sent[Result],
    observer: Observer,
    store: Store,
) -> None:
    result = found.result if isinstance(found, Sent) else found
    if result.message:
        outcome.failed.append(result)
        observer.note(f"{' '.join(map(str, result.key))}: {result.message}")
        return
    if isinstance(found, Sent) and matrix.keep_evaluations:
        folders[result.key].mkdir(parents=True, exist_ok=True)
        write_bytes(folders[result.key] / FILE_NAME, found.records)
    store.append([(CELL, result.to_json())])
    outcome.finished[result.key] = result
    if not matrix.keep_evaluations:
        shutil.rmtree(folders[result.key], ignore_errors=True)
    result.count_into(matrix.progress, replayed=False)


def _tell(matrix: Matrix[Result], outcome: Outcome[Result], observer: Observer) -> None:
    observer.phase(f"{matrix.doing}: {len(outcome.finished)} of {len(matrix.tasks)} runs")


def _check_header(matrix: Matrix[Result], records: Sequence[AnyRecord], store: Store) -> None:
    what = matrix.what
    if not records:
        store.append([(what, {"format": FORMAT, **matrix.header, "versions": versions()})])
        return
    stored = records[0].body
    if records[0].kind != what or stored.get("format") != FORMAT:
        raise StoreError(f"{store.path}: not a {what} of format {FORMAT}; choose another --out")
    with understood(store.path, "the first record"):
        changes = next(
            (found for key, now in matrix.header.items() if (found := changed_fields(stored[key], now))), []
        )
    if changes:
        raise StoreError(
            f"{store.path.parent}: the {what} here has other settings ({'; '.join(changes[:5])}); "
            "resume it with the settings it has, or choose another --out"
        )
