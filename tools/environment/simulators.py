"""Compiles the simulators while the messages are built: one core each on a machine with two."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

from environment.console import ROOT, clean_environment, say

COMMAND = ("-m", "uav_testgen.cli.main", "compile")
# Sources that compiled functions are made from; the package itself has the same list (core/compile_cache.py).
ROOMS = ("core", "flight", "loop", "planner", "sensing", "shape", "vehicle", "world")


def sources() -> list[Path]:
    """Files whose contents decide whether compiled simulators fit."""
    return [path for room in ROOMS for path in sorted((ROOT / "uav_testgen" / room).rglob("*.py"))]


class Compiling:
    """`uav-testgen compile` at work in the background."""

    def __init__(self, venv: Path) -> None:
        say("simulators ... (compiled beside the next steps)")
        env = clean_environment() | {"PYTHONPATH": str(ROOT)}
        # What it imports is what every command imports. Where Python is told to keep no bytecode, each command would
        # compile those modules anew, which doubles the time of a flight.
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        self._process = subprocess.Popen(
            [str(venv / "bin" / "python"), *COMMAND],
            cwd=ROOT,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def wait(self) -> bool:
        """Show what it says until it ends; False if it failed, which no other step depends on."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            say(f"    {line.rstrip()}")
        if self._process.wait() == 0:
            return True
        say("    the simulators could not be compiled (see above): the first flight tries again")
        return False

    def stop(self) -> None:
        """End it if it still runs."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()


@contextlib.contextmanager
def compiling(venv: Path, needed: bool) -> Iterator[Compiling | None]:
    """The work in the background, which never outlives the set-up."""
    if not needed:
        yield None
        return
    work = Compiling(venv)
    try:
        yield work
    finally:
        work.stop()
