"""`uav-testgen scenarios` as a user runs it (StellaUAV, section V-B)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.scenario_file import load_scenario


def test_coverage_of_the_shipped_scenarios(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenarios", "--strength", "3", "px4"]) == 0
    printed = capsys.readouterr().out
    assert "shipped: 32 scenarios cover 14533 (65.7 %)" in printed
    assert "22120 possible triples" in printed
    assert "(100.0 %)" in printed


def test_written_scenarios_can_be_used_and_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "mine.yaml"
    shutil.copy(config_folder("stella") / "px4.yaml", table)
    out = tmp_path / "derived"
    assert main(["scenarios", str(table), "--obstacles", "2", "--out", str(out), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert len(summary["files"]) == len(summary["rows"])
    for name in summary["files"]:
        stage = load_scenario(out / name)
        assert problems(stage) == ()
        assert stage.logical is not None and len(stage.logical.obstacles) <= 2
    assert json.loads((out / "coverage.json").read_text())["share"] == 1.0
    assert main(["scenarios", "--obstacles", "2", "--measure", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["coverage"][str(out)]["share"] == 1.0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["px5"], "did you mean 'px4'"),
        (["--obstacles", "0"], "1 to 8"),
        (["--weather", "ligthing"], "did you mean 'lighting'"),
        (["--measure", "absent"], "no such folder"),
        (["--seed", "-1"], "0 or more"),
    ],
)
def test_wrong_words(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenarios", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_scenarios_are_never_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "here.txt").write_text("mine")
    assert main(["scenarios", "--out", str(tmp_path)]) == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["here.txt"]
