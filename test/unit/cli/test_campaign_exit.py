"""Work that was asked for and not done is not success."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli._campaign import exit_code_of, print_summary
from uav_testgen.core.exit_codes import ExitCode


def summary(valid: int, tests: int | None = None, answered: int = 0) -> dict[str, Any]:
    again = None
    if tests is not None:
        again = {
            "backend": "px4",
            "evidence": "flown on PX4",
            "tests": tests,
            "answered": answered,
            "as_predicted": answered,
        }
    return {
        "evaluations": 10,
        "statuses": {"valid": valid, "backend_error": 10 - valid},
        "flown_again": again,
    }


@pytest.mark.parametrize(
    ("found", "code"),
    [
        (summary(10), ExitCode.DONE),
        (summary(1), ExitCode.DONE),
        (summary(0), ExitCode.UNFINISHED),
        (summary(10, tests=5, answered=5), ExitCode.DONE),
        (summary(10, tests=5, answered=4), ExitCode.UNFINISHED),
        (summary(10, tests=5, answered=0), ExitCode.UNFINISHED),
    ],
)
def test_what_could_not_be_flown_shows_in_the_exit_code(found: dict[str, Any], code: ExitCode) -> None:
    assert exit_code_of(found) == code


def test_flights_of_another_backend_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    facts = {"name": "n", "flights": 1, "generator": "g", "case": "c", "seed": 1, "failures": 0}
    rest = {"best_distance_m": None, "tests": [], "notes": []}
    print_summary({**summary(10, tests=5, answered=4), **facts, **rest}, tmp_path)
    assert "flown on PX4 (px4): 4 of 5 tests flown, 4 as predicted" in capsys.readouterr().out


def test_the_command_of_a_test_can_be_pasted_whatever_the_folder_is_called(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    facts = {"name": "n", "flights": 1, "generator": "g", "case": "c", "seed": 1, "failures": 1}
    test = {
        "rank": 1, "obstacles": 1, "distance_m": 0.9, "failure_probability": 0.8, "counts": "too close 5/5",
        "confirmed": None, "file": "tests/001.yaml", "measure": "aerialist",
        "fly_again": "uav-testgen fly tests/001.yaml",
    }  # fmt: skip
    found = {**summary(10), **facts, "best_distance_m": 0.9, "tests": [test], "notes": []}
    print_summary(found, tmp_path / "my results")
    line = capsys.readouterr().out.splitlines()[2]
    assert ", 1 obstacle, " in line
    command = shlex.split(line.partition("again: ")[2])
    assert command == ["uav-testgen", "fly", str(tmp_path / "my results" / "tests" / "001.yaml")]
