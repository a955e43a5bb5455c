"""A folder of flown tests: `tests/NNN-….yaml` and `flights/NNN-….json`.

A flights file belongs to the test it names; a file without that name belongs to the test with the same
file name or, last, with the same leading number. Several files of one test add up.
"""

from __future__ import annotations

import re
from pathlib import Path

from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.json_io import load_flights
from uav_testgen.flight.model import Flight
from uav_testgen.flight.resample import resampled
from uav_testgen.oracle.competition import FlownTest
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario

_TEST_SUFFIXES = (".yaml", ".yml", ".json")


def load_suite(
    folder: Path, backend: str | None = None, oracle: OracleConfig | None = None
) -> list[FlownTest]:
    """Every test of a folder in the order of its name, with what its flights showed."""
    tests = _test_files(folder)
    flights: dict[str, list[Flight]] = {test.stem: [] for test in tests}
    files = sorted((folder / "flights").glob("*.json")) if (folder / "flights").is_dir() else []
    if not files:
        raise InputFileError(f"{folder / 'flights'}: no flights (*.json); fly the tests first")
    for file in files:
        named, runs = load_flights(file)
        owner = _owner(named, file.stem, list(flights))
        if owner is None:
            raise InputFileError(f"{file}: belongs to test '{named}', which is not in {folder / 'tests'}")
        flights[owner] += [run for run in runs if backend is None or run.backend == backend]
    return [_flown(test.stem, load_scenario(test), flights[test.stem], oracle) for test in tests]


def _test_files(folder: Path) -> list[Path]:
    tests = folder / "tests"
    if not tests.is_dir():
        raise InputFileError(f"{tests}: no such folder; tests/ and flights/ are expected in {folder}")
    files = sorted(path for path in tests.iterdir() if path.suffix in _TEST_SUFFIXES and path.is_file())
    if not files:
        raise InputFileError(f"{tests}: no tests ({', '.join('*' + suffix for suffix in _TEST_SUFFIXES)})")
    return files


def _owner(named: str, stem: str, tests: list[str]) -> str | None:
    for candidate in (Path(named).stem, stem):
        if candidate in tests:
            return candidate
    number = re.match(r"\d+", stem)
    same = [test for test in tests if number and re.match(r"\d+", test) and _number(test) == int(number[0])]
    return same[0] if len(same) == 1 else None


def _number(name: str) -> int:
    found = re.match(r"\d+", name)
    return int(found[0]) if found else -1


def _flown(name: str, scenario: Scenario, flights: list[Flight], oracle: OracleConfig | None) -> FlownTest:
    verdicts = [judge(scenario, flight, oracle) for flight in flights]
    return FlownTest(
        name=name,
        obstacles=scenario.obstacles,
        distances_m=tuple(verdict.min_distance_aerialist_m for verdict in verdicts),
        durations_s=tuple(verdict.duration_s for verdict in verdicts),
        paths_enu_m=tuple(
            resampled(flight.trajectory).position_enu_m for flight in flights if len(flight.trajectory)
        ),
    )
