"""A whole comparison: a study whose generators are algorithms and whose cases are logical scenarios."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from uav_testgen.backend.blind_spots import blind_spots
from uav_testgen.campaign.case import CaseStudy, load_case
from uav_testgen.campaign.checks import check_parts
from uav_testgen.campaign.compare.cell import CellResult, CellTask
from uav_testgen.campaign.compare.config import CompareConfig, cell_campaign, cells, scenario_files
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.result import Options
from uav_testgen.campaign.study.matrix import Matrix, run_matrix
from uav_testgen.scenario.arena import Arena
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.versions import versions

HEADER = "comparison"


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
    matrix = Matrix(
        what=HEADER,
        doing="comparing",
        header={
            "config": config.model_dump(mode="json"),
            "scenarios": {task.cell.scenario: task.case.base.model_dump(mode="json") for task in tasks},
        },
        tasks=tasks,
        read=CellResult.from_json,
        plan=WorkerPlan(config.backend, config.backend_settings),
        progress=Progress(len(tasks) * config.evaluations, config.safety_distance_m),
        keep_evaluations=config.keep_evaluations,
    )
    found = run_matrix(matrix, options, observer, stop)
    return ComparisonResult(
        config, options.out, found.in_order(tasks), tuple(found.failed), versions(), tuple(found.notes)
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
