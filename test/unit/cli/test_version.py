"""`--version` names the commit where it is known, and never fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from uav_testgen import __version__
from uav_testgen.cli._version import RECORDED, commit_of, version_line
from uav_testgen.cli.main import main


def package_in(folder: Path) -> Path:
    package = folder / "uav_testgen"
    package.mkdir()
    return package


def test_a_clone_is_asked_for_its_commit(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    package = package_in(tmp_path)
    (package / RECORDED).write_text("0000000\n")  # the clone knows better
    assert head.startswith(commit_of(package)) and len(commit_of(package)) >= 7


def test_elsewhere_the_commit_of_the_build_counts(tmp_path: Path) -> None:
    package = package_in(tmp_path)
    assert version_line(package) == f"uav-testgen {__version__}"
    (package / RECORDED).write_text("1234abc\n")
    assert version_line(package) == f"uav-testgen {__version__} (commit 1234abc)"


def test_a_damaged_clone_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = package_in(tmp_path)
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    assert version_line(package) == f"uav-testgen {__version__}"
    monkeypatch.setenv("PATH", "")
    assert version_line(package) == f"uav-testgen {__version__}"


def test_the_option_prints_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code in (0, None)
    assert capsys.readouterr().out.startswith(f"uav-testgen {__version__}")
