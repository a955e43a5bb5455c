"""Start a program with the stand-ins around it and wait for its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.scenario.arena import Arena
from uav_testgen.standin.answers import Answers
from uav_testgen.standin.environment import Package, started_environment, write_programs
from uav_testgen.standin.server import Server
from uav_testgen.work.stop import StopRequest

_LOOK_EVERY_S = 0.05
_GRACE_S = 5.0


def run_program(
    words: Sequence[str],
    answers: Answers,
    stop: StopRequest,
    *,
    arena: Arena | None = None,
    package: Package = "auto",
) -> int:
    """The exit code of the program; Interrupted if the user stopped it."""
    if not words:
        raise ConfigError(
            "name the program to start: uav-testgen as-aerialist -- python3 cli.py generate CASE 100"
        )
    folder = Path(tempfile.mkdtemp(prefix="uav_testgen-"))  # readable by this user only
    try:
        programs = write_programs(folder)
        with Server(folder, answers, arena) as server:
            environment = started_environment(os.environ, programs, server.address, Path.cwd(), package)
            process = _started(words, environment)
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
        reason = getattr(error, "strerror", None) or error
        raise InputFileError(f"{words[0]}: the program cannot be started ({reason})") from None


def _ended(process: subprocess.Popen[bytes], stop: StopRequest) -> int:
    while process.poll() is None:
        stop.check()
        time.sleep(_LOOK_EVERY_S)
    return int(process.returncode)


def _end(process: subprocess.Popen[bytes]) -> None:
    """After Ctrl-C the terminal has told the program, too; a signal to us alone is passed on."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
