"""Replay of a folder of recorded vectors with one implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from uav_testgen.core.errors import InputFileError, PlannerInputError
from uav_testgen.testing.golden.closed_loop import replay_free, replay_teacher_forced
from uav_testgen.testing.golden.records import read_record
from uav_testgen.testing.golden.report import KINDS, CaseCheck, GoldenReport
from uav_testgen.testing.golden.sequence import replay_sequence
from uav_testgen.testing.golden.stage import replay_stage
from uav_testgen.testing.golden.unit import replay_unit
from uav_testgen.testing.golden.unit_helpers import load_unit_helpers

SUFFIX: Final = ".json.gz"
Progress = Callable[[str], None]


def vector_files(folder: Path) -> list[tuple[str, Path]]:
    """(kind, file) of everything to replay, in a fixed order; an empty folder is refused."""
    if not folder.is_dir():
        raise InputFileError(f"{folder}: no such folder; give one with {', '.join(f'{k}/' for k in KINDS)}")
    found = [(kind, path) for kind in KINDS for path in sorted((folder / kind).glob(f"*{SUFFIX}"))]
    if not found:
        wanted = ", ".join(f"{kind}/*{SUFFIX}" for kind in KINDS)
        raise InputFileError(f"{folder}: holds no vectors; any of {wanted} is expected")
    return found


def replay_file(kind: str, path: Path, implementation: str) -> Iterator[CaseCheck]:
    """The cases of one file."""
    record = read_record(path)
    name = f"{kind}/{path.name}"
    try:
        if kind == "unit":
            yield from replay_unit(record, name, load_unit_helpers(implementation))
        elif kind == "stage":
            yield replay_stage(record, name, implementation)
        elif kind == "sequence":
            yield replay_sequence(record, name, implementation)
        else:
            yield replay_free(record, name, implementation)
            yield replay_teacher_forced(record, name, implementation)
    except PlannerInputError as error:
        raise InputFileError(f"{path}: the planner refuses its input: {error}") from None


def replay_folder(folder: Path, implementation: str, progress: Progress | None = None) -> GoldenReport:
    """Replay every file of a folder; ``progress`` hears the name of each file before it is replayed."""
    report = GoldenReport(implementation)
    files = vector_files(folder)
    for number, (kind, path) in enumerate(files, start=1):
        if progress is not None:
            progress(f"[{number}/{len(files)}] {kind}/{path.name}")
        for check in replay_file(kind, path, implementation):
            report.kinds[kind].add(check)
    return report
