"""One run of a study by a program that uses Aerialist: started, answered, and measured like a generator of ours."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from uav_testgen.backend.base import Backend
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.screening import ScreenTask, evaluation_seed, refuse
from uav_testgen.campaign.study.cells import StudyCell, cell_campaign
from uav_testgen.campaign.study.config import HeldOutConfig, StudiedGenerator, StudyConfig
from uav_testgen.campaign.study.matrix import Key
from uav_testgen.campaign.study.measure import search_figures, simulated, suite_figures
from uav_testgen.campaign.study.result import RunResult, place_of
from uav_testgen.campaign.study.searched import while_parent_lives
from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.files import checksum, write_text, yaml_text
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.predict.stages import stages_of
from uav_testgen.scenario.formats.aerialist_write import inexpressible
from uav_testgen.standin.answers import Answers, Case, Settings
from uav_testgen.standin.launch import Surroundings, run_program

NOT_COPIED = (".git", "__pycache__", "*.pyc", ".venv", "venv", "node_modules")
_LAST_CHARACTERS = 300
# The time limit of a task is that of its flights; a program may use more.
_FLIGHT_LIMIT_S = 300.0


class _OutOfTime(Exception):
    """The program has had its time."""


@dataclass(frozen=True, slots=True)
class ProgramTask:
    """Run a program to its end; it works in a copy of its folder, so that runs side by side do not meet."""

    cell: StudyCell
    config: CampaignConfig
    studied: StudiedGenerator
    program_folder: Path | None
    case: CaseStudy
    held_out: HeldOutConfig
    folder: Path

    @property
    def number(self) -> int:
        """That of the cell."""
        return self.cell.number

    @property
    def key(self) -> Key:
        """Which run it is."""
        return self.cell.key

    @property
    def stays_here(self) -> bool:
        """The program and its environment are on this machine."""
        return True

    @property
    def flights(self) -> int:
        """Answers, the same flights measured again, held-out flights, and room for the program's own time."""
        waiting = math.ceil(self.studied.timeout_s / _FLIGHT_LIMIT_S) + 1
        return 3 * self.cell.budget + self.held_out.tests * (1 + self.held_out.runs) + waiting

    def away(self) -> ProgramTask:
        """Never asked for: it stays here."""
        return self

    def run(self, backend: Backend) -> RunResult:
        """Start the program; answers it was given in an earlier session are given again."""
        folder = self.folder.absolute()
        work, filled = self._prepared(folder)
        words = [_filled(word, filled) for word in self.studied.command]
        settings = Settings(
            out=folder / "answers",
            command=tuple(words),
            seed=self.cell.seed,
            backend=self.config.screening.backend,
            backend_settings=self.config.screening.settings,
            most_simulations=self.cell.budget,
            resume=True,
        )
        log = folder / "program.log"
        variables = {name: _filled(value, filled) for name, value in self.studied.environment.items()}
        watch = _Watch(self.studied.timeout_s)
        reason = "the program ended"
        with Answers(settings, backend) as answers:
            try:
                code = run_program(
                    words,
                    answers,
                    watch,
                    arena=self.config.arena,
                    apart=Surroundings(work, log, variables),
                )
            except _OutOfTime:
                code, reason = 0, f"its time of {self.studied.timeout_s:g} s was over"
            except InputFileError as error:
                return self.given_up(EvaluationStatus.BACKEND_ERROR, str(error))
        if code != 0 and not answers.refused:
            said = _last_words(log)
            return self.given_up(
                EvaluationStatus.BACKEND_ERROR, f"the program ended with code {code}{said}; see {log}"
            )
        if not answers.given:
            return self.given_up(
                EvaluationStatus.BACKEND_ERROR, f"the program asked for no simulation; see {log}"
            )
        shutil.rmtree(work, ignore_errors=True)
        return self._measured(answers, backend, reason)

    def _prepared(self, folder: Path) -> tuple[Path, dict[str, str]]:
        """A fresh working folder, and what stands for the names in braces."""
        work, given, out = folder / "work", folder / "input", folder / "output"
        shutil.rmtree(work, ignore_errors=True)
        shutil.rmtree(out, ignore_errors=True)
        for one in (folder, given, out):
            one.mkdir(parents=True, exist_ok=True)
        if self.program_folder is None:
            work.mkdir()
        else:
            ignore = shutil.ignore_patterns(*NOT_COPIED)
            shutil.copytree(self.program_folder, work, ignore=ignore, symlinks=True)
        self.case.write_beside(given)
        self.case.write_test(given / "case.yaml", self.case.base)
        _name_files_fully(given / "case.yaml")
        return work, {
            "case": str(given / "case.yaml"),
            "budget": str(self.cell.budget),
            "seed": str(self.cell.seed),
            "out": str(out),
        }

    def _measured(self, answers: Answers, backend: Backend, reason: str) -> RunResult:
        asked: dict[tuple[str, int], int] = {}
        for case, answer in answers.given:
            key = (str(case.folder), answer.scene)
            asked[key] = max(asked.get(key, 0), answer.run)
        cases = {str(case.folder): case for case in answers.cases.values()}
        found = {
            key: self._evaluated(cases[key[0]], key[1], number, runs, backend)
            for number, (key, runs) in enumerate(sorted(asked.items()))
        }
        accept_m = self.config.screening.accept_below_m
        series = []
        for case, answer in answers.given:
            evaluation = found[str(case.folder), answer.scene]
            distances = evaluation.distances_m
            distance_m = distances[answer.run] if answer.run < len(distances) else None
            series.append(simulated(evaluation, distance_m, accept_m))
        return RunResult(
            **place_of(self.cell),
            **search_figures(series),
            **suite_figures(list(found.values()), self.config, self.held_out, backend),
            flights=len(answers.given),
            end_reason=reason,
        )

    def _evaluated(self, case: Case, scene: int, number: int, runs: int, backend: Backend) -> Evaluation:
        """A scene with exactly the runs the program saw, corrected like every prediction."""
        scenario = case.scenarios[scene]
        refused = refuse(number, scenario)
        if refused is not None:
            return refused
        seed = evaluation_seed(self.cell.seed, scene)
        return ScreenTask(number, scenario, seed, stages_of(runs)).run(backend)

    def given_up(self, status: EvaluationStatus, message: str) -> RunResult:
        """A run without a result; `message` says why."""
        return RunResult(**place_of(self.cell), end_reason=status.value, message=message)


def program_task(
    config: StudyConfig, cell: StudyCell, case: CaseStudy, folder: Path, where: Path
) -> ProgramTask:
    """The task of a program; ConfigError where its case cannot be written for Aerialist."""
    studied = config.generators[cell.generator]
    if case.base.logical is not None or inexpressible(case.base):
        raise ConfigError(
            f"generators.{cell.generator}: a program gets its case as an Aerialist file, and '{cell.case}' has what "
            "Aerialist has no word for; study it with generators of this package"
        )
    root = None if studied.folder is None else program_folder(cell.generator, studied.folder, folder)
    return ProgramTask(cell, cell_campaign(config, cell), studied, root, case, config.held_out, where)


def program_checksums(config: StudyConfig, folder: Path) -> dict[str, dict[str, str]]:
    """SHA-256 of every file of the programs' folders; a study is resumed with the same programs only."""
    found = {}
    for name, studied in config.generators.items():
        if studied.folder is not None:
            root = program_folder(name, studied.folder, folder)
            found[name] = {str(path.relative_to(root)): checksum(path) for path in _copied(root)}
    return found


def program_folder(name: str, given: str, folder: Path) -> Path:
    """Where the program lies; InputFileError if there is no such folder."""
    path = folder / given if "\x00" not in given else folder
    if "\x00" in given or not path.is_dir():
        raise InputFileError(f"generators.{name}.folder: '{given[:80]}' is no folder in {folder}")
    return path.absolute()


def _copied(root: Path) -> Iterator[Path]:
    ignore = shutil.ignore_patterns(*NOT_COPIED)
    names = sorted(path.name for path in root.iterdir())
    left_out = ignore(str(root), names)
    for name in names:
        path = root / name
        if name in left_out or path.is_symlink():
            continue
        if path.is_dir():
            yield from _copied(path)
        elif path.is_file():
            yield path


def _name_files_fully(test: Path) -> None:
    """Aerialist looks for the files a test names from where the program runs, not from where the test lies."""
    document = read_yaml(test)
    for section in document.values():
        for key, value in section.items() if isinstance(section, dict) else ():
            if key.endswith("_file") and isinstance(value, str) and (test.parent / value).is_file():
                section[key] = str(test.parent / value)
    write_text(test, yaml_text(document))


def _filled(text: str, values: Mapping[str, str]) -> str:
    """Only our own names are replaced: a program's words may hold other braces."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _last_words(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    return f" ({lines[-1].strip()[:_LAST_CHARACTERS]})" if lines else ""


class _Watch:
    """Ends a program whose time is over, or whose study was stopped."""

    def __init__(self, limit_s: float) -> None:
        self._end_s = time.monotonic() + limit_s
        self._alive: Callable[[], None] = while_parent_lives()

    def check(self) -> None:
        """Asked while the program runs."""
        self._alive()
        if time.monotonic() > self._end_s:
            raise _OutOfTime
