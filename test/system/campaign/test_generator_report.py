"""A generator that reports: its diagnostics are written and its final selection is the suite's source."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main
from uav_testgen.testing.commands import results, trial

pytestmark = pytest.mark.system

# Boxes far enough from the route that some flights touch, some pass near and some keep their distance.
SETTINGS = "generator: nsga2\ngenerator_settings: {population: 6, obstacles: 1, seed_spread_m: 5}"
EVALUATIONS = 60


def nsga2_trial(folder: Path) -> Path:
    path = trial(folder, simulations=EVALUATIONS)
    path.write_text(path.read_text().replace("generator: random", SETTINGS))
    return path


def summary(out: Path) -> dict[str, Any]:
    """Without what the machine's speed decides."""
    data: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return {key: value for key, value in data.items() if key not in ("elapsed_s", "cpu_s")}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nsga2")
    out = folder / "out"
    assert main(["campaign", str(nsga2_trial(folder)), "--out", str(out), "--jobs", "0"]) == 0
    return out


def test_every_generation_is_a_row(finished: Path) -> None:
    rows = list(csv.DictReader((finished / "generations.csv").open()))
    stated = summary(finished)["generator_report"]["generations"]
    assert len(rows) == len(stated) >= 5
    assert [int(row["generation"]) for row in rows] == list(range(len(rows)))
    assert [float(row["best_distance_m"]) for row in rows] == pytest.approx(
        [row["best_distance_m"] for row in stated], abs=1e-6
    )
    assert "Its final selection keeps" in (finished / "report.html").read_text()


def test_the_suite_is_chosen_from_the_final_selection(finished: Path) -> None:
    found = summary(finished)
    selection = found["generator_report"]["selection"]
    assert 0 < len(selection) < found["failures"], "the filter has something to drop"
    tests = [test["evaluation"] for test in found["tests"]]
    assert tests and set(tests) <= set(selection)


def test_resumed_it_reports_the_same(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    config = nsga2_trial(tmp_path)
    out.mkdir()
    lines = (finished / "evaluations.jsonl").read_bytes().splitlines(keepends=True)
    (out / "evaluations.jsonl").write_bytes(b"".join(lines[:29]) + lines[29][:50])
    assert main(["campaign", str(config), "--out", str(out), "--jobs", "0", "--resume"]) == 0
    assert results(out) == results(finished)
    assert (out / "generations.csv").read_bytes() == (finished / "generations.csv").read_bytes()
    ours, theirs = summary(out), summary(finished)
    assert any("not completely written" in note for note in ours.pop("notes"))
    assert ours == {key: value for key, value in theirs.items() if key != "notes"}


def test_written_again_it_is_the_same(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(finished, out)
    (out / "generations.csv").unlink()
    assert main(["report", str(out), "--jobs", "0"]) == 0
    assert results(out) == results(finished)
    assert (out / "generations.csv").read_bytes() == (finished / "generations.csv").read_bytes()
    assert summary(out)["generator_report"] == summary(finished)["generator_report"]


def test_an_unfinished_search_reports_what_it_knows(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = summary(finished)["generator_report"]["generations"]
    out = tmp_path / "out"
    shutil.copytree(finished, out)
    store = out / "evaluations.jsonl"
    store.write_bytes(b"".join(store.read_bytes().splitlines(keepends=True)[: 1 + 25]))
    assert main(["report", str(out), "--jobs", "0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["generator_report"]
    assert 0 < len(found["generations"]) < len(whole)
    assert found["generations"] == whole[: len(found["generations"])]
    assert found["selection"] and set(found["selection"]) <= set(range(25))


def test_other_generators_have_no_such_outputs(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["campaign", str(trial(tmp_path, simulations=8)), "--out", str(out), "--jobs", "0"]) == 0
    assert not (out / "generations.csv").exists()
    assert "generator_report" not in summary(out)
    assert b'"kind":"generator_report"' not in (out / "evaluations.jsonl").read_bytes()
