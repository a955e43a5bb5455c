"""What the set-up says, and how it fails: one line with the way out, exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_start = time.monotonic()


class SetupError(Exception):
    """Set-up cannot go on; the message says what to do."""


def say(text: str) -> None:
    """Print one progress line with the seconds since the start."""
    print(f"[setup {time.monotonic() - _start:6.1f} s] {text}", flush=True)


def clean_environment() -> dict[str, str]:
    """Environment for child processes, without what another venv's ROS wheels may have left in it.

    The wheels re-execute python once with their own LD_LIBRARY_PATH and mark that in a variable; inherited by
    the python of another venv, the mark would make it load the wrong libraries.
    """
    env = dict(os.environ)
    if env.pop("_ROS_WHEELS_BOOTSTRAP_COMPLETE", None):
        env.pop("LD_LIBRARY_PATH", None)
    env.pop("PYTHONHOME", None)
    env.pop("VIRTUAL_ENV", None)
    return env


def run(command: list[str], way_out: str, env: dict[str, str] | None = None) -> None:
    """Run a command quietly; show the end of its output and the way out if it fails."""
    log = ROOT / ".venv" / "setup.log"
    result = subprocess.run(
        command,
        cwd=ROOT,
        env=env or clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if log.parent.is_dir():
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n{result.stdout}\n")
    if result.returncode != 0:
        tail = "\n".join(result.stdout.strip().splitlines()[-15:])
        sys.stderr.write(tail + "\n")
        raise SetupError(f"`{Path(command[0]).name}` failed ({result.returncode}): {way_out}")


def output(command: list[str], env: dict[str, str] | None = None) -> str:
    """What a command prints, stripped; nothing if it fails."""
    try:
        result = subprocess.run(command, env=env or clean_environment(), capture_output=True, text=True)
    except OSError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def succeeds(command: list[str], env: dict[str, str] | None = None) -> bool:
    """True if the command exists and exits with 0."""
    try:
        return subprocess.run(command, env=env or clean_environment(), capture_output=True).returncode == 0
    except OSError:
        return False
