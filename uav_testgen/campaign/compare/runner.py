"""A whole comparison: every cell of the matrix on some worker, resumable flight by flight."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.blind_spots import blind_spots
from uav_testgen.campaign.case import CaseStudy, load_case
from uav_testgen.campaign.compare.cell import CellResult, CellTask
from uav_testgen.campaign.compare.config import CompareConfig, cell_campaign, cells, scenario_files
from uav_testgen.campaign.config import changed_fields
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.runner import Options, check_parts
from uav_testgen.core.errors import StoreError
from uav_testgen.scenario.arena import Arena
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.folder import output_folder
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.store import AnyRecord, Store, understood
from uav_testgen.work.versions import versions

HEADER, CELL = "comparison", "cell"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """All finished cells, and what went wrong with the others."""

    config: CompareConfig
    out: Path
    cells: tuple[CellResult, ...]
    failed: tuple[CellResult, ...]
    versions: dict[str, str]
    notes: tuple[str, ...]


def run_comparison(
    config: CompareConfig, folder: Path, options: Options, observer: Observer, stop: StopRequest
) -> ComparisonResult:
    """Run or resume; `folder` is where the settings' file lies. Finished cells are not run again."""
    tasks = _tasks(config, folder, options.out)
    # Every scenario and every algorithm is built once before anything is flown.
    checked: set[tuple[str, str]] = set()
    for task in tasks:
        if not {("", task.cell.algorithm), (task.cell.scenario, "")} <= checked:
            check_parts(task.config, task.case)
            checked |= {("", task.cell.algorithm), (task.cell.scenario, "")}
    spots = {spot for task in tasks for spot in _blind_spots(task)}
    for spot in sorted(spots):
        observer.note(spot)
    with output_folder(options.out, resume=options.resume) as out, Store(out) as store:
        records = store.open()
        for note in store.notes:
            observer.note(note)
        _check_header(config, tasks, records, store)
        with understood(store.path, "the result of a run"):
            results = [CellResult.from_json(record.body) for record in records if record.kind == CELL]
            finished = {_key(result): result for result in results}
        open_tasks = [
            task
            for task in tasks
            if (task.cell.scenario, task.cell.algorithm, task.cell.repetition) not in finished
        ]
        failed = _run(config, open_tasks, finished, options, observer, stop, store)
        return ComparisonResult(
            config, out, tuple(finished.values()), tuple(failed), versions(), tuple(store.notes)
        )


def _blind_spots(task: CellTask) -> tuple[str, ...]:
    screening = task.config.screening
    return blind_spots(screening.backend, screening.settings, task.case.base)


def _tasks(config: CompareConfig, folder: Path, out: Path) -> list[CellTask]:
    cases: dict[str, CaseStudy] = {
        name: load_case(str(path.resolve()), Path(), Arena())
        for name, path in scenario_files(config, folder).items()
    }
    return [
        CellTask(
            cell.number,
            cell,
            cell_campaign(config, cell, cell.scenario),
            cases[cell.scenario],
            out / cell.folder,
        )
        for cell in cells(config)
    ]


def _run(
    config: CompareConfig,
    tasks: list[CellTask],
    finished: dict[tuple[str, str, int], CellResult],
    options: Options,
    observer: Observer,
    stop: StopRequest,
    store: Store,
) -> list[CellResult]:
    """Run the open cells; fills `finished` and returns what no worker could deliver."""
    total = len(tasks) + len(finished)
    progress = Progress(total * config.evaluations, config.safety_distance_m)
    for result in finished.values():
        _count(progress, result, replayed=True)
    failed: list[CellResult] = []
    folders = {_key_of(task): task.folder for task in tasks}
    observer.phase(f"comparing: {len(finished)} of {total} runs")
    with _executor(config, options.jobs) as executor:
        for group in executor.run(tasks, stop.check):
            for result in group:
                if result.message:
                    failed.append(result)
                    observer.note(
                        f"{result.scenario} {result.algorithm} run {result.repetition}: {result.message}"
                    )
                    continue
                store.append([(CELL, result.to_json())])
                finished[_key(result)] = result
                if not config.keep_evaluations:
                    shutil.rmtree(folders[_key(result)], ignore_errors=True)
                _count(progress, result, replayed=False)
            observer.phase(f"comparing: {len(finished)} of {total} runs")
            observer.search(progress)
    return failed


def _count(progress: Progress, result: CellResult, *, replayed: bool) -> None:
    progress.count(result.evaluations, result.evaluations, replayed=replayed)
    progress.failures += result.violations
    progress.errors += sum(margin is None for margin in result.margins_m)
    if result.best_margin_m is not None:
        distance_m = result.best_margin_m + progress.accept_below_m
        progress.best_m = distance_m if progress.best_m is None else min(progress.best_m, distance_m)


def _executor(config: CompareConfig, jobs: int) -> Any:
    plan = WorkerPlan(config.backend, config.backend_settings)
    return make_executor(plan, Placement(jobs))


def _key(result: CellResult) -> tuple[str, str, int]:
    return (result.scenario, result.algorithm, result.repetition)


def _key_of(task: CellTask) -> tuple[str, str, int]:
    return (task.cell.scenario, task.cell.algorithm, task.cell.repetition)


def _check_header(
    config: CompareConfig, tasks: list[CellTask], records: Sequence[AnyRecord], store: Store
) -> None:
    scenarios = {task.cell.scenario: task.case.base.model_dump(mode="json") for task in tasks}
    current: dict[str, Any] = {
        "format": FORMAT,
        "config": config.model_dump(mode="json"),
        "scenarios": scenarios,
    }
    if not records:
        store.append([(HEADER, {**current, "versions": versions()})])
        return
    stored = records[0].body
    if records[0].kind != HEADER or stored.get("format") != FORMAT:
        raise StoreError(f"{store.path}: not a comparison of format {FORMAT}; choose another --out")
    with understood(store.path, "the first record"):
        changes = changed_fields(stored["config"], current["config"]) or changed_fields(
            stored["scenarios"], current["scenarios"]
        )
    if changes:
        raise StoreError(
            f"{store.path.parent}: the comparison here has other settings ({'; '.join(changes[:5])}); "
            "resume it with the settings it has, or choose another --out"
        )
