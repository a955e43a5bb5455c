"""Options that the commands about one test share: who flies it, with which seed, what is required."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._forms import add_form_option
from uav_testgen.cli._output import add_json_option
from uav_testgen.cli._system import add_system_options, system_settings
from uav_testgen.core.plain_text import one_line

if TYPE_CHECKING:
    from uav_testgen.loop.scatter import ScatterConfig
    from uav_testgen.scenario.model import Scenario


@dataclass(frozen=True)
class Asked:
    """A test and how it is flown: as its own note says, unless other options are given."""

    path: Path
    scenario: Scenario
    settings: dict[str, Any]
    seed: int
    runs: int | None
    scatter: ScatterConfig | None


def add_test_options(parser: argparse.ArgumentParser, formula: bool = True) -> None:
    """The test, the system, the seed, the requirement."""
    parser.add_argument(
        "scenario",
        type=Path,
        metavar="SCENARIO",
        help="scenario file or name of a shipped scene, e.g. two_walls",
    )
    if formula:
        parser.add_argument(
            "--require",
            "--requirement",
            metavar="FORMULA",
            help="requirement as text, e.g. 'always (distance > 1.5)', max_tilt(limit_deg=20) or file.py:Class "
            "(default: the safety distance)",
        )
    parser.add_argument("--seed", type=int, metavar="N", help="seed (default: the test's own)")
    add_system_options(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: results/<command>/<scenario>)"
    )
    add_form_option(parser)
    add_json_option(parser)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """What is found to be wrong with a test while it is flown is said with the name of its file."""
    from uav_testgen.core.errors import InvalidScenario

    try:
        yield
    except InvalidScenario as error:
        raise InvalidScenario(f"{path}: {error}") from None


def asked_for(arguments: argparse.Namespace) -> Asked:
    """The test with its own way of being flown, in the compiled simulator."""
    from uav_testgen.core.config import parse_config
    from uav_testgen.core.defaults import DEFAULT_BACKEND
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.loop.scatter import ScatterConfig
    from uav_testgen.scenario.formats.prediction_note import load_note
    from uav_testgen.scenario.formats.scenes import find_scene, load_scene

    path = find_scene(str(arguments.scenario))
    scenario = load_scene(str(arguments.scenario))
    note = load_note(path)
    settings = system_settings(arguments)
    noted = note is not None and note.backend == DEFAULT_BACKEND and not settings
    scatter = None
    if note is not None and noted:
        from uav_testgen.backend.foreign_settings import check_foreign

        settings = dict(note.settings)
        way_out = "Choose the system yourself: --system, --vehicle or --planner"
        check_foreign(DEFAULT_BACKEND, settings, f"{arguments.scenario}: prediction", way_out)
        if note.scatter is not None:
            scatter = parse_config(ScatterConfig, note.scatter, source=f"{path}: prediction.scatter")
    seed = arguments.seed
    if seed is None:
        seed = note.seed if note is not None else scenario.seed
    if seed < 0:
        raise ConfigError(f"--seed must be 0 or more, got {seed}")
    return Asked(path, scenario, settings, seed, note.runs if note is not None else None, scatter)


def flights_line(word: str = "failed") -> Callable[[int, int], None]:
    """A line on stderr now and then."""
    last = [time.monotonic()]

    def show(flown: int, failed: int) -> None:
        now = time.monotonic()
        if now - last[0] >= 5.0:
            last[0] = now
            print(one_line(f"{flown} flights, {failed} {word}"), file=sys.stderr, flush=True)

    return show
