"""A whole study: every part is built once before anything flies, then the matrix is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.blind_spots import blind_spots
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.checks import check_parts
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.result import Options
from uav_testgen.campaign.study.cell import GeneratorTask
from uav_testgen.campaign.study.cells import StudyCell, cell_campaign, study_case, study_cells
from uav_testgen.campaign.study.config import StudyConfig, case_name
from uav_testgen.campaign.study.matrix import Matrix, MatrixTask, run_matrix
from uav_testgen.campaign.study.result import RunResult
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.versions import versions

HEADER = "study"
ProgramTask = Callable[[StudyConfig, StudyCell, CaseStudy, Path, Path], MatrixTask]
"""Makes the task of a program (settings, cell, case, folder of the study's file, folder of the run)."""


@dataclass(frozen=True, slots=True)
class StudyResult:
    """All finished runs, and what went wrong with the others."""

    config: StudyConfig
    out: Path
    cases: dict[str, CaseStudy]
    runs: tuple[RunResult, ...]
    failed: tuple[RunResult, ...]
    planned: int
    programs: dict[str, dict[str, str]]
    """Checksums of the files of every program's folder."""
    versions: dict[str, str]
    notes: tuple[str, ...]


def run_study(
    config: StudyConfig,
    folder: Path,
    options: Options,
    observer: Observer,
    stop: StopRequest,
    program_task: ProgramTask,
    programs: dict[str, dict[str, str]],
) -> StudyResult:
    """Run or resume; `folder` is where the study's file lies. Finished runs are not run again."""
    cases = {
        (case_name(given), name): study_case(config, given, name, folder)
        for given in config.cases
        for name in config.generators
    }
    cells = study_cells(config)
    spots: set[str] = set()
    for (case, name), study in cases.items():
        if not config.generators[name].command:
            first = next(cell for cell in cells if (cell.case, cell.generator) == (case, name))
            check_parts(cell_campaign(config, first), study)
        spots |= set(blind_spots(config.backend, config.backend_settings, study.base))
    for spot in sorted(spots):
        observer.note(spot)
    tasks = [
        _task(config, cell, cases[cell.case, cell.generator], folder, options.out, program_task)
        for cell in cells
    ]
    matrix = Matrix(
        what=HEADER,
        doing="studying",
        header={
            "config": config.model_dump(mode="json"),
            "cases": {
                f"{case} {name}": one.base.model_dump(mode="json") for (case, name), one in cases.items()
            },
            "programs": programs,
        },
        tasks=tasks,
        read=RunResult.from_json,
        plan=WorkerPlan(config.backend, config.backend_settings),
        progress=Progress(sum(cell.budget for cell in cells), config.accept_below_m),
        keep_evaluations=config.keep_evaluations,
    )
    found = run_matrix(matrix, options, observer, stop)
    plain: dict[str, Any] = {case: one for (case, _), one in reversed(cases.items())}
    return StudyResult(
        config=config,
        out=options.out,
        cases={case_name(given): plain[case_name(given)] for given in config.cases},
        runs=found.in_order(tasks),
        failed=tuple(found.failed),
        planned=len(cells),
        programs=programs,
        versions=versions(),
        notes=tuple(found.notes),
    )


def _task(
    config: StudyConfig,
    cell: StudyCell,
    case: CaseStudy,
    folder: Path,
    out: Path,
    program_task: ProgramTask,
) -> MatrixTask:
    where = out / cell.folder
    if config.generators[cell.generator].command:
        return program_task(config, cell, case, folder, where)
    return GeneratorTask(cell, cell_campaign(config, cell), case, config.held_out, where)
