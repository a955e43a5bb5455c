"""Set-up fails with one line and exit code 2, and repairs what it can. Runs in a copy, never in this tree."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NO_TIME = "import setup_env; setup_env.LOCK_WAIT_S = 0.0; import sys; sys.exit(setup_env.main())"
ONLY_PYTHON = "from setup_env import Setup, choose; Setup(choose())._make_venv()"


@pytest.fixture
def copy(tmp_path: Path, project_root: Path) -> Path:
    """A project folder with nothing but the set-up in it."""
    shutil.copytree(project_root / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(project_root / "requirements", tmp_path / "requirements")
    return tmp_path


def run(folder: Path, code: str, **env: str) -> subprocess.CompletedProcess[str]:
    base = getattr(sys, "_base_executable", sys.executable)
    names = ("HOME", "PATH", "LANG", "TMPDIR")
    clean = {name: os.environ[name] for name in names if name in os.environ}
    return subprocess.run(
        [base, "-c", code],
        cwd=folder / "tools",
        env={**clean, "PYTHON": base, "PYTHONPATH": str(folder / "tools"), **env},
        capture_output=True,
        text=True,
    )


def refused(result: subprocess.CompletedProcess[str], part: str) -> None:
    assert result.returncode == 2, result.stdout + result.stderr
    assert part in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("python", ["no-such-python", "/bin/true"])
def test_unusable_python_is_named(copy: Path, python: str) -> None:
    refused(
        run(copy, NO_TIME, PYTHON=python), f"PYTHON={python} cannot be run; name an interpreter from 3.10"
    )


def test_venv_that_is_a_file(copy: Path) -> None:
    (copy / ".venv").write_text("not a folder")
    refused(run(copy, NO_TIME), ".venv exists but is not a folder; move it away")
    assert (copy / ".venv").read_text() == "not a folder"


def test_locked_by_another_set_up(copy: Path) -> None:
    with (copy / ".venv.lock").open("w") as lock:
        lock.write("4711")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused(run(copy, NO_TIME), ".venv is locked by process 4711; end that process")


@pytest.mark.slow
def test_half_made_venv_is_made_again_and_a_whole_one_kept(copy: Path) -> None:
    venv = copy / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to("/nowhere/python")
    first = run(copy, ONLY_PYTHON)
    assert first.returncode == 0, first.stderr
    assert "half-made" in first.stdout
    assert subprocess.run([venv / "bin" / "python", "-c", "import pip"]).returncode == 0
    (venv / "mark").touch()
    assert run(copy, ONLY_PYTHON).returncode == 0
    assert (venv / "mark").exists()


def test_stamps_notice_every_change(copy: Path) -> None:
    code = """
from pathlib import Path
from environment.stamps import Stamps, digest
folder = Path("../sample"); folder.mkdir(); (folder / "a.msg").write_text("one")
stamps = Stamps(Path("../stamps")); before = digest([folder, "text"])
assert not stamps.is_current("step", before)
stamps.write("step", before)
assert stamps.is_current("step", digest([folder, "text"]))
assert not stamps.is_current("step", digest([folder, "other text"]))
(folder / "a.msg").write_text("two")
assert not stamps.is_current("step", digest([folder, "text"]))
(folder / "a.msg").write_text("one"); (folder / "b.msg").write_text("")
assert not stamps.is_current("step", digest([folder, "text"]))
"""
    result = run(copy, code)
    assert result.returncode == 0, result.stderr
