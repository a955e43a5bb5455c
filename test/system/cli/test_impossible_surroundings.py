"""Every command where nothing can work: a sentence and a documented code, never 70.

No working directory, few descriptors and little memory are asked for before a command begins, so all of them are
tried with all commands. No home and no temporary folder matter where something is written.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from uav_testgen.cli.main import main, sub_commands
from uav_testgen.core.plain_text import LONGEST_LINE
from uav_testgen.core.resources import config_folder
from uav_testgen.testing.commands import trial

SCENE = str(config_folder() / "scenarios" / "two_walls.yaml")
FIGURE = str(config_folder() / "scenarios" / "figure1.yaml")
MISSION = str(config_folder() / "missions" / "mission2.yaml")
DOCUMENTED = {0, 1, 2, 3}
STUDY = {"generators": ["random"], "cases": ["mission2"], "seeds": 1, "budgets": [2], "backend": "still"}
COMPARE = {"algorithms": ["nsga2"], "repetitions": 1, "evaluations": 4, "size": 4, "backend": "still"}
# {trial}, {study}, {compare} are files, {done} a finished campaign, {out} a place that does not exist yet.
WORDS: dict[str, list[str]] = {
    "as-aerialist": ["--out", "{out}", "--no-report", "--", sys.executable, "-c", "pass"],
    "campaign": ["{trial}", "--out", "{out}", "--jobs", "0"],
    "check": [SCENE],
    "compare": ["{compare}", "--out", "{out}", "--jobs", "0"],
    "competition": ["init", "{out}"],
    "completion": ["bash"],
    "confirm": ["{done}", "--backend", "still", "--jobs", "0"],
    "doctor": [],
    "figure": [FIGURE, "--out", "{out}.svg", "--backend", "none"],
    "fleet": ["two-drones"],
    "fly": [SCENE, "--backend", "still", "--out", "{out}", "--plot"],
    "generate": [MISSION, "2", "--backend", "still", "--out", "{out}", "--jobs", "0"],
    "graph": ["--dry-run"],
    "list": ["missions"],
    "report": ["{done}", "--jobs", "0"],
    "scenarios": ["px4", "--out", "{out}"],
    "score": ["{done}"],
    "study": ["{study}", "--out", "{out}", "--jobs", "0"],
    "worker": ["{out}", "--until-empty", "--backend", "still"],
}
"""Commands that finish in a moment; the others fly with the whole simulator, wait, or need records of real flights."""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("done")
    assert main(["campaign", str(trial(folder, 4)), "--out", str(folder / "out"), "--jobs", "0"]) == 0
    return folder / "out"


@pytest.fixture
def words(tmp_path: Path, done: Path) -> dict[str, list[str]]:
    shutil.copytree(done, tmp_path / "done")
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(STUDY))
    (tmp_path / "compare.yaml").write_text(yaml.safe_dump({**COMPARE, "scenarios": ["scenario-05"]}))
    values = {
        "trial": str(trial(tmp_path, 2)),
        "study": str(tmp_path / "study.yaml"),
        "compare": str(tmp_path / "compare.yaml"),
        "done": str(tmp_path / "done"),
        "out": str(tmp_path / "out"),
    }
    return {
        name: [word.format(**values) if "{" in word else word for word in given]
        for name, given in WORDS.items()
    }


def attempt(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capfd.readouterr()
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    said = capfd.readouterr().err
    assert "Traceback" not in said and "unexpected" not in said, said[-2000:]
    return code, said


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[int, tuple[int, int]]]:
    """Limits as this process would see them."""
    limits: dict[int, tuple[int, int]] = {}
    real = resource.getrlimit
    monkeypatch.setattr(resource, "getrlimit", lambda which: limits.get(which) or real(which))
    yield limits


@pytest.mark.parametrize("command", sub_commands())
def test_before_a_command_begins(
    command: str, tmp_path: Path, few: dict[int, tuple[int, int]], capfd: pytest.CaptureFixture[str]
) -> None:
    few[resource.RLIMIT_NOFILE] = (12, 12)
    assert attempt([command], capfd)[0] == 3
    few.clear()
    few[resource.RLIMIT_AS] = (100 * 1024 * 1024, 100 * 1024 * 1024)
    code, said = attempt([command], capfd)
    assert code == 3 and "raise the limit (ulimit -v)" in said
    few.clear()
    here, gone = os.getcwd(), tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        code, said = attempt([command], capfd)
    finally:
        os.chdir(here)
    assert code == 3 and "working directory no longer exists" in said
    assert len(said.splitlines()[-1]) <= LONGEST_LINE


@pytest.mark.parametrize("command", WORDS)
def test_without_a_home_and_a_cache(
    command: str,
    words: dict[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/proc/nowhere")
    code, said = attempt([command, *words[command]], capfd)
    assert code in DOCUMENTED, said[-1500:]


@pytest.mark.parametrize("command", WORDS)
def test_without_a_temporary_folder(
    command: str,
    words: dict[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as without:  # the test runner itself needs one
        without.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/proc/nowhere"])
        without.setattr(tempfile, "tempdir", None)
        code, said = attempt([command, *words[command]], capfd)
    assert code in DOCUMENTED, said[-1500:]


@pytest.mark.parametrize(
    "command", [name for name, given in WORDS.items() if any("{out}" in word for word in given)]
)
def test_an_output_that_cannot_be_made(
    command: str, words: dict[str, list[str]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    given = [word.replace(str(tmp_path / "out"), str(tmp_path / "file" / "out")) for word in words[command]]
    code, said = attempt([command, *given], capfd)
    assert code in (2, 3), said[-1500:]
    assert said.splitlines()[-1].startswith("uav-testgen"), said[-1500:]


@pytest.mark.parametrize(
    "words",
    [
        ["figure", FIGURE, "--backend", "none", "--out", "{out}.png"],
        ["fly", SCENE, "--backend", "still", "--plot", "--out", "{out}"],
    ],
    ids=lambda words: words[0],
)
def test_a_picture_where_nothing_at_all_can_be_written(words: list[str], tmp_path: Path) -> None:
    """Neither home nor a temporary folder: matplotlib is loaded by a process of its own, and cannot begin."""
    given = [word.format(out=tmp_path / "out") for word in words]
    program = f"""
import sys, tempfile
tempfile._candidate_tempdir_list = lambda: ["/proc/nowhere"]
sys.argv = ["uav-testgen", *{given!r}]
from uav_testgen.cli._entry import main
sys.exit(main())
"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MPL"))}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, "HOME": "/proc/nowhere"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3, done.stderr[-1500:]
    assert done.stderr.splitlines()[-1].startswith(
        "uav-testgen: no temporary folder can be written to; set TMPDIR"
    )
