"""Work that was asked for and not done is not success."""

from __future__ import annotations

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
