"""The kinds of long jobs: how each is written down and which command of the command line runs it.

A job is a folder that the command line writes and resumes, a settings file beside it and a log. The page chooses among
what ships, what was named at the start of the studio and what lies in the folder; it names no code and no other file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from uav_testgen.campaign.compare.config import CompareConfig
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.study.config import StudyConfig
from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.plugin import is_plugin
from uav_testgen.core.resources import config_folder
from uav_testgen.generator.registry import GENERATORS
from uav_testgen.oracle.requirement import REQUIREMENTS, make_requirements, split_text
from uav_testgen.oracle.stl.requirement import NAME as FORMULA
from uav_testgen.planner.registry import PLANNERS
from uav_testgen.scenario.formats.missions import mission_names
from uav_testgen.scenario.logical.declaration import find_logical, scenario_names
from uav_testgen.view.studio.choices import confirming_backends, read_scene, read_settings
from uav_testgen.view.studio.folder import StudioFolder

FILE, OUT = "{file}", "{out}"
"""Stand for the settings file and the output folder in the words of a command."""
KNOW_FORMS = ("campaign", "compare-planners", "explain", "minimise", "certify")
"""Commands that take `--form`."""
SAMPLE = "sample"
"""The recorded flights that ship."""
_LONGEST_TEXT = 1000
_LARGEST_SCENE = 60_000
"""In characters: the note of a job holds its settings."""
_SEARCH_OPTIONS = {
    "budget": (1, 100_000), "runs": (1, 1000), "obstacles": (1, 20), "min_rounds": (1, 1000), "seed": (0, 2**31),
    "every": (1, 100_000), "flights": (10, 1_000_000), "tests": (1, 1000),
}  # fmt: skip


class Prepared(NamedTuple):
    """What is written beside the folder (nothing: None), and the words after `uav-testgen`."""

    document: dict[str, Any] | None
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobKind:
    """One kind of job."""

    name: str
    header: str
    """Kind of the first record of its store; empty where it keeps none."""
    result: str
    """File that is written when everything is done; empty where the store says so."""
    prepare: Callable[[StudioFolder, str, dict[str, Any]], Prepared]
    """(folder, name, settings) as the page or a store gives them; ConfigError says what is not allowed."""


def _campaign(folder: StudioFolder, name: str, settings: dict[str, Any]) -> Prepared:
    document = {"name": name[:100], **settings}
    config = parse_config(CampaignConfig, document, source="campaign")
    if config.screening.backend != "lfs":
        raise ConfigError("backend: the studio predicts with lfs; use the command line for others")
    confirmation = config.confirmation
    if confirmation.backend not in ("none", *confirming_backends()) or confirmation.settings:
        raise ConfigError(
            f"confirmation: choose none, {', '.join(confirming_backends())}; others and their settings need the "
            "command line"
        )
    read_settings(config.screening.settings)
    check_generator(config.generator, config.generator_settings)
    check_requirements(config.requirements)
    document = {**document, "case": checked_case(folder, config.case)}
    return Prepared(document, ("campaign", FILE, "--out", OUT, "--resume"))


def _study(folder: StudioFolder, name: str, settings: dict[str, Any]) -> Prepared:
    config = parse_config(StudyConfig, {"name": name[:100], **settings}, source="study")
    for entry, studied in config.generators.items():
        if studied.command:
            raise ConfigError("generators: programs of your own need the command line")
        check_generator(studied.generator or entry, studied.settings)
    if config.backend != "lfs":
        raise ConfigError("backend: the studio predicts with lfs; use the command line for others")
    read_settings(config.backend_settings)
    cases = [checked_case(folder, case, as_path=False) for case in config.cases]
    document = {"name": name[:100], **settings, "cases": cases}
    return Prepared(document, ("study", FILE, "--out", OUT, "--resume"))


def _comparison(folder: StudioFolder, name: str, settings: dict[str, Any]) -> Prepared:
    config = parse_config(CompareConfig, {"name": name[:100], **settings}, source="comparison")
    if config.backend != "lfs":
        raise ConfigError("backend: the studio predicts with lfs; use the command line for others")
    read_settings(config.backend_settings)
    refuse_code(config.algorithm_settings)
    check_requirements(config.requirements)
    for scenario in config.scenarios:
        if scenario not in scenario_names():
            folder.inside(scenario)
    return Prepared({"name": name[:100], **settings}, ("compare", FILE, "--out", OUT, "--resume"))


def _planners(folder: StudioFolder, name: str, settings: dict[str, Any]) -> Prepared:
    planners = settings.get("planners")
    if not isinstance(planners, list) or len(planners) < 2:
        raise ConfigError("planners: choose at least two")
    for planner in planners:
        _require(PLANNERS.names(), planner, "planner")
    if len(set(planners)) != len(planners):
        raise ConfigError("planners: each may appear only once")
    campaign = {key: value for key, value in settings.items() if key != "planners"}
    document = _campaign(folder, name, campaign).document
    words = ("compare-planners", *planners, "--campaign", FILE, "--out", OUT, "--resume")
    return Prepared(document, words)


def _replicate(folder: StudioFolder, name: str, settings: dict[str, Any]) -> Prepared:
    log, plan = folder.inside(str(settings.get("log", ""))), settings.get("plan")
    if log.suffix.lower() != ".ulg" or not log.is_file():
        raise ConfigError("log: drop a flight log (.ulg) first")
    words = ["replicate", str(log)]
    words += ["--plan", str(folder.inside(str(plan)))] if plan else []
    words += ["--accept-cut-log"] if settings.get("accept_cut") is True else []
    words += _numbers(settings, ("budget", "runs", "obstacles", "min_rounds", "seed"))
    words += _system_words(settings)
    return Prepared(None, (*words, "--out", OUT, "--resume"))


def _fidelity(folder: StudioFolder, name: str, settings: dict[str, Any]) -> Prepared:
    records = records_folder(folder, str(settings.get("records", "")))
    words = [
        "fidelity",
        str(records),
        *_numbers(settings, ("runs", "every", "seed")),
        *_system_words(settings),
    ]
    return Prepared(None, (*words, "--out", OUT))


def _question(command: str) -> Callable[[StudioFolder, str, dict[str, Any]], Prepared]:
    """A question about one scene, which is written beside the folder."""

    def prepare(folder: StudioFolder, name: str, settings: dict[str, Any]) -> Prepared:
        scene = read_scene(settings.get("scene")).model_dump(mode="json")
        if len(json.dumps(scene)) > _LARGEST_SCENE:
            raise ConfigError(f"scene: too large for a question of the page; save it and use: {command} FILE")
        words: list[str] = [command, FILE]
        required = settings.get("requirement")
        if required:
            check_requirements((str(required),))
            words += ["--require", str(required)]
        words += _numbers(settings, ("flights",) if command == "certify" else ("runs", "flights"), 0)
        if command == "certify":
            words += _measures(settings, {"within": (0.0, 100.0), "turn": (0.0, 180.0)})
        return Prepared(scene, (*words, *_system_words(settings), "--out", OUT))

    return prepare


QUESTIONS = ("explain", "minimise", "certify")
"""Kinds that ask something about one scene."""
KINDS = {
    kind.name: kind
    for kind in (
        JobKind("campaign", "campaign", "", _campaign),
        JobKind("study", "study", "report.html", _study),
        JobKind("comparison", "comparison", "report.html", _comparison),
        JobKind("planners", "planner_comparison", "report.html", _planners),
        JobKind("replication", "replication", "summary.json", _replicate),
        JobKind("fidelity", "", "summary.json", _fidelity),
        JobKind("explain", "", "explanation.json", _question("explain")),
        JobKind("minimise", "", "minimised.json", _question("minimise")),
        JobKind("certify", "certified_question", "certificate.json", _question("certify")),
    )
}
BY_HEADER = {kind.header: kind for kind in KINDS.values() if kind.header}


def confirm_words(settings: dict[str, Any]) -> list[str]:
    """Options of `confirm` as a page may give them."""
    _require(confirming_backends(), settings.get("backend"), "backend")
    return ["--backend", settings["backend"], *_numbers(settings, ("tests", "runs"))]


def settings_of(kind: JobKind, header: dict[str, Any]) -> dict[str, Any] | None:
    """The settings that the first record of a store holds; None where they are not enough to go on."""
    config = header.get("config")
    if not isinstance(config, dict) or kind.name in ("replication", "fidelity", *QUESTIONS):
        return None
    if kind.name == "planners":
        named = header.get("planners")
        planners = [named[key] for key in sorted(named, key=int)] if isinstance(named, dict) else []
        return {**config, "planners": planners}
    return config


def planned_runs(config: dict[str, Any]) -> int:
    """How many runs a study or comparison has."""
    if "generators" in config:
        return int(
            len(config["generators"]) * len(config["cases"]) * len(config["seeds"]) * len(config["budgets"])
        )
    if "algorithms" in config:
        return len(config["algorithms"]) * len(config["scenarios"]) * int(config["repetitions"])
    return 0


def records_folder(folder: StudioFolder, given: str) -> Path:
    """Where recorded flights are: the shipped sample, or a folder inside."""
    return config_folder("flights") if given == SAMPLE else folder.inside(given)


def checked_case(folder: StudioFolder, case: str, *, as_path: bool = True) -> str:
    """A shipped mission, a shipped logical scenario (by its file where the command wants one), or a file inside."""
    if case in mission_names():
        return case
    if case in scenario_names():
        return str(find_logical(case, folder.root).resolve()) if as_path else case
    shipped = config_folder("stella/scenarios").resolve()
    if Path(case).is_absolute() and Path(case).resolve().parent == shipped:
        return case  # as this function wrote it
    folder.inside(case)
    return case


def check_generator(name: str, settings: dict[str, Any]) -> None:
    """A generator of the menus with settings that name no code."""
    _require(GENERATORS.names(), name, "generator")
    refuse_code(settings)


def check_requirements(texts: Iterable[str]) -> None:
    """Requirements of the menus, with arguments, or formulas."""
    texts = tuple(texts)
    for text in texts:
        if len(text) > _LONGEST_TEXT:
            raise ConfigError(f"requirement: at most {_LONGEST_TEXT} characters")
        _require([*REQUIREMENTS.names(), FORMULA], split_text(text)[0], "requirement")
    make_requirements(texts)


def refuse_code(value: Any) -> None:
    """Settings may hold numbers, words and lists, but no place of code."""
    if isinstance(value, str) and is_plugin(value):
        raise ConfigError(
            f"'{value[:80]}' names code; a page may not. Use the command line, or name it when you start the studio"
        )
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    ):
        refuse_code(inner)


def _require(known: list[str], name: Any, what: str) -> None:
    if not isinstance(name, str) or name not in known:
        hint = (
            f"; name code of your own when you start the studio: --{what} file.py:Class"
            if ":" in str(name)
            else ""
        )
        raise ConfigError(f"{what}: '{str(name)[:80]}' is not one of {', '.join(known)}{hint}")


def _numbers(settings: dict[str, Any], names: Iterable[str], least_runs: int = 1) -> list[str]:
    words: list[str] = []
    for name in names:
        value = settings.get(name)
        if value is None:
            continue
        low, high = _SEARCH_OPTIONS[name]
        low = least_runs if name == "runs" else low
        if type(value) is not int or not low <= value <= high:
            raise ConfigError(f"{name}: a whole number from {low} to {high} is expected")
        words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def _measures(settings: dict[str, Any], limits: dict[str, tuple[float, float]]) -> list[str]:
    words: list[str] = []
    for name, (low, high) in limits.items():
        value = settings.get(name)
        if value is None:
            continue
        if type(value) not in (int, float) or not low <= value <= high:
            raise ConfigError(f"{name}: a number from {low:g} to {high:g} is expected")
        words += [f"--{name}", f"{value:g}"]
    return words


def _system_words(settings: dict[str, Any]) -> list[str]:
    chosen = read_settings(
        {key: settings[key] for key in ("system", "planner", "camera") if settings.get(key)}
    )
    return [word for key, value in chosen.items() for word in (f"--{key}", str(value))]
