"""Which Python the environment is made with, and whether a sourced ROS 2 serves it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from .console import SetupError, clean_environment, succeeds

OLDEST, NEWEST = (3, 10), (3, 13)


@dataclass(frozen=True)
class Interpreter:
    """A Python executable, its version, and whether it already sees ROS 2."""

    path: str
    version: tuple[int, int]
    has_ros: bool

    @property
    def label(self) -> str:
        """Version as people write it, e.g. `3.11`."""
        return f"{self.version[0]}.{self.version[1]}"


def choose() -> Interpreter:
    """PYTHON if given, else the default python3 if suitable, else the newest suitable python3.x."""
    wanted = os.environ.get("PYTHON")
    names = [wanted] if wanted else ["python3", "python3.13", "python3.12", "python3.11", "python3.10"]
    if not wanted and sys.prefix == sys.base_prefix:
        names.insert(0, sys.executable)
    ros_sourced = bool(os.environ.get("AMENT_PREFIX_PATH"))
    for name in names:
        version = _version(name)
        if version and OLDEST <= version <= NEWEST:
            path = _real_path(name)
            return Interpreter(path, version, ros_sourced and succeeds([path, "-c", "import rclpy"]))
    if wanted:
        found = _version(wanted)
        what = f"is Python {found[0]}.{found[1]}" if found else "cannot be run"
        raise SetupError(
            f"PYTHON={wanted} {what}; name an interpreter from 3.10 to 3.13, e.g. PYTHON=python3.11"
        )
    raise SetupError(
        "no Python from 3.10 to 3.13 found; install one (e.g. `apt install python3.11`) or set PYTHON=..."
    )


def _version(name: str) -> tuple[int, int] | None:
    """Major and minor version, or None if the name does not run (pyenv shims exist for absent versions)."""
    if not shutil.which(name):
        return None
    code = "import sys; print(*sys.version_info[:2])"
    result = subprocess.run([name, "-c", code], capture_output=True, text=True, env=clean_environment())
    numbers = result.stdout.split()
    if result.returncode != 0 or len(numbers) != 2 or not all(number.isdigit() for number in numbers):
        return None
    return int(numbers[0]), int(numbers[1])


def _real_path(name: str) -> str:
    """Path of the base interpreter behind a shim or a virtual environment."""
    code = "import sys; print(getattr(sys, '_base_executable', sys.executable))"
    result = subprocess.run([name, "-c", code], capture_output=True, text=True, env=clean_environment())
    return result.stdout.strip() or name
