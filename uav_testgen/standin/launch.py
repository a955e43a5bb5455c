"""Start a program with the stand-ins around it and wait for its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.programs import start_kept
from uav_testgen.scenario.arena import Arena
from uav_testgen.standin.answers import Answers
from uav_testgen.standin.environment import Package, started_environment, write_programs
from uav_testgen.standin.server import Server

_LOOK_EVERY_S = 0.05
_GRACE_S = 5.0
# The keeper asks, orders and kills, each with its own patience.
_KEPT_GRACE_S = 15.0


class Watched(Protocol):
    """Raises when the program is to be ended."""

    def check(self) -> None:
        """Asked again and again while the program runs."""
        ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a program runs that is not at the user's terminal; it ends when this process is gone."""

    folder: Path
    output: Path
    environment: Mapping[str, str]


def run_program(
    words: Sequence[str],
    answers: Answers,
    stop: Watched,
    *,
    arena: Arena | None = None,
    package: Package = "auto",
    apart: Surroundings | None = None,
) -> int:
    """The exit code of the program; what `stop` raises, if it does, after ending the program."""
    if not words:
        raise ConfigError(
            "name the program to start: uav-testgen as-aerialist -- python3 cli.py generate CASE 100"
        )
    folder = Path(tempfile.mkdtemp(prefix="uav_testgen-"))  # readable by this user only
    try:
        programs = write_programs(folder)
        with Server(folder, answers, arena) as server:
            given = {**os.environ, **(apart.environment if apart is not None else {})}
            where = apart.folder if apart is not None else Path.cwd()
            environment = started_environment(given, programs, server.address, where, package)
            process = _started(words, environment) if apart is None else _kept(words, environment, apart)
            try:
                return _ended(process, stop)
            finally:
                _end(process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _started(words: Sequence[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(list(words), env=environment)
    except (OSError, ValueError) as error:
        raise _unstarted(words, error) from None


def _kept(words: Sequence[str], environment: dict[str, str], apart: Surroundings) -> subprocess.Popen[bytes]:
    # A path is meant from the program's own folder, where it runs.
    program = str(apart.folder / words[0]) if os.sep in words[0] else words[0]
    try:
        with apart.output.open("wb") as output:
            return start_kept([program, *words[1:]], environment, output, 0.0, apart.folder)
    except (OSError, ValueError) as error:
        raise _unstarted(words, error) from None


def _unstarted(words: Sequence[str], error: Exception) -> InputFileError:
    reason = getattr(error, "strerror", None) or error
    return InputFileError(f"{words[0]}: the program cannot be started ({reason})")


def _ended(process: subprocess.Popen[bytes], stop: Watched) -> int:
    while process.poll() is None:
        stop.check()
        time.sleep(_LOOK_EVERY_S)
    return int(process.returncode)


def _end(process: subprocess.Popen[bytes]) -> None:
    """After Ctrl-C the terminal has told the program, too; a signal to us alone is passed on."""
    if process.stdin is not None:  # a kept program ends when its lifeline does
        with contextlib.suppress(OSError):
            process.stdin.close()
    if process.poll() is None:
        if process.stdin is None:
            with contextlib.suppress(OSError):
                process.send_signal(signal.SIGTERM)
        try:
            process.wait(_GRACE_S if process.stdin is None else _KEPT_GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
