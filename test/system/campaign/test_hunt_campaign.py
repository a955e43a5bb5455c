"""A campaign of `hunt`: its suite is flown again by unseen seeds and presets, reported, and resumed to the byte."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main
from uav_testgen.testing.commands import results, trial

pytestmark = pytest.mark.system

SETTINGS = (
    "generator: hunt\ngenerator_settings: {first_ideas: 10}\nheld_out: {runs: 3, presets: 2, wind_mps: 4.0}"
)


def hunt_trial(folder: Path) -> Path:
    path = trial(folder, simulations=40)
    # A drone that drifts this far fails often, not always: what a search claims and what is found then differ.
    text = path.read_text().replace("generator: random", SETTINGS).replace("drift_m: 0.8", "drift_m: 6.0")
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hunt")
    assert main(["campaign", str(hunt_trial(folder)), "--out", str(folder / "out"), "--jobs", "0"]) == 0
    return folder / "out"


def summary(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return found


def test_the_drop_is_claimed_minus_found(finished: Path) -> None:
    part = summary(finished)["held_out"]
    assert part["tests"] == len(summary(finished)["tests"]) > 0
    for name, drop in part["drop"].items():
        if name != "failure_probability":
            assert drop == pytest.approx(part["claimed"][name] - part["found"][name])
    # Nothing was ever calibrated for that drone.
    assert part["found"]["failure_probability"] is None is part["drop"]["failure_probability"]
    assert 0 < part["too_close"] < part["flights"]
    assert part["drop"]["expected_points"] > 0.0, "what a search selects looks better than it is"


def test_the_suite_is_ranked_by_what_was_found(finished: Path) -> None:
    tests = [test["held_out"] for test in summary(finished)["tests"]]
    assert [(test["fragile"], -test["expected_score"]) for test in tests] == sorted(
        (test["fragile"], -test["expected_score"]) for test in tests
    )
    # A blind drone has no presets to redraw; still air and wind, three flights each.
    assert all(test["flights"] == 6 and test["robust"] is not None for test in tests)


def test_terminal_and_report_say_so(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(finished)]) == 0
    sentence = "by seeds and presets the search never saw"
    assert sentence in (finished / "report.html").read_text()
    told = capsys.readouterr().out
    assert sentence in told and "(failure probability uncalibrated)" in told


def test_cut_anywhere_it_ends_with_the_same_bytes(finished: Path, tmp_path: Path) -> None:
    lines = (finished / "evaluations.jsonl").read_bytes().splitlines(keepends=True)
    again = [number for number, line in enumerate(lines) if b'"held_out"' in line[:200]]
    assert again, "held-out answers are on record"
    for number, keep in enumerate((20, again[len(again) // 2])):
        out = tmp_path / f"cut{number}" / "out"
        shutil.copytree(finished, out)
        (out / "evaluations.jsonl").write_bytes(b"".join(lines[:keep]))
        config = hunt_trial(out.parent)
        assert main(["campaign", str(config), "--out", str(out), "--resume", "--jobs", "0"]) == 0
        assert results(out) == results(finished)
