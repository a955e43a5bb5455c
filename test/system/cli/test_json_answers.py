"""What `--json` prints obeys the published models; the pages made from them are fresh."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import RootModel, ValidationError

from uav_testgen.cli._answers.table import ANSWERS
from uav_testgen.cli.main import main

ROOT = Path(__file__).resolve().parents[3]
SCENE = str(ROOT / "config" / "scenarios" / "two_walls.yaml")
FIGURE = str(ROOT / "config" / "scenarios" / "figure1.yaml")
WORDS: list[list[str]] = [
    ["check", SCENE, "not_there.yaml"],
    ["completion", "bash"],
    ["competition", "init", "entry"],
    ["convert", SCENE, "scene.world"],
    ["doctor"],
    ["figure", FIGURE, "--out", "figure.svg", "--backend", "none"],
    ["fleet"],
    ["fleet", "two-drones"],
    ["fly", "two_walls", "--undisturbed", "--out", "flown"],
    ["fly", "two_walls", "--undisturbed", "--out", "flown", "--requirement", "max_speed(limit_mps=20)"],
    ["graph", "--dry-run"],
    ["list", "missions"],
    ["scenarios"],
    ["worker", "queue", "--until-empty", "--backend", "lfs"],
]
OPEN = {
    "calibrate", "campaign", "compare", "compare-planners", "confirm", "fidelity", "generate", "golden", "replicate",
    "report", "statistics", "study",
}  # fmt: skip
"""Their answers are the files of a folder, whose further fields depend on what ran."""


def answer_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert main([*words, "--json"]) in (0, 1, 2)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_an_answer_obeys_its_model(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    obeys(words[0], answer_of(words, capsys))


def obeys(command: str, data: Any) -> None:
    """One of the command's models takes it as it is."""
    faults = []
    for model in ANSWERS[command]:
        try:
            model.model_validate(data)
        except ValidationError as error:
            faults.append(str(error))
        else:
            return
    pytest.fail("\n".join(faults))


def test_answers_about_a_campaign_obey_theirs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "found")
    obeys("generate", answer_of(["generate", "mission2", "2", "--jobs", "0", "--out", out], capsys))
    obeys("report", answer_of(["report", out, "--jobs", "0"], capsys))
    obeys("score", answer_of(["score", out], capsys))


@pytest.mark.parametrize("command", sorted(set(ANSWERS) - OPEN))
def test_a_field_that_no_model_names_is_refused(command: str) -> None:
    for model in ANSWERS[command]:
        if not issubclass(model, RootModel):
            assert model.model_config.get("extra") == "forbid"


def test_an_answer_with_a_lacking_field_is_refused() -> None:
    with pytest.raises(pytest.fail.Exception):
        obeys("doctor", {"findings": []})


def test_the_generated_pages_are_fresh() -> None:
    command = [sys.executable, str(ROOT / "tools" / "make_command_docs.py"), "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_the_completion_script_is_one(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "as-aerialist" in text and (shell == "tcsh" or "--undisturbed" in text)
    if shutil.which(shell):
        (tmp_path / "script").write_text(text)
        done = subprocess.run([shell, "-n", str(tmp_path / "script")], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
