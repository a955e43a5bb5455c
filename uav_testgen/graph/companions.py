"""Programs a backend starts beside its nodes (PX4, its agent) and stops again, without a shell.

A command is split like a shell would do it, and leading NAME=VALUE words set the environment, so that the
lines of PX4's documentation can be used as they are:

    PX4_SIMULATOR=sihsim PX4_SIM_MODEL=sihsim_quadx build/px4_sitl_default/bin/px4 -d
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.core.programs import start_kept

_ASSIGNMENT = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*=")
_PATIENCE_S = {signal.SIGINT: 5.0, signal.SIGTERM: 3.0, signal.SIGKILL: 2.0}
_OUTLIVE_US_S = 20.0
"""If this process is killed, the autopilot still has to bring its vehicle down."""


def split_command(text: str) -> tuple[dict[str, str], list[str]]:
    """(environment, words) of a command line; ConfigError if it cannot be split or names no program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ConfigError(f"--start '{text}': {error}") from None
    environment = {}
    while words and _ASSIGNMENT.match(words[0]):
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    if not words:
        raise ConfigError(f"--start '{text}': no program is named")
    return environment, words


class Companions:
    """Started programs; each leads a process group of its own, so that its children end with it."""

    def __init__(
        self,
        commands: Sequence[str],
        environment: Mapping[str, str],
        logs: Path,
        patience_s: Mapping[signal.Signals, float] = MappingProxyType(_PATIENCE_S),
        outlive_us_s: float = _OUTLIVE_US_S,
    ) -> None:
        """`patience_s`: how long each signal is waited for; `outlive_us_s`: time they have if we are killed."""
        self._commands = [(text, *split_command(text)) for text in commands]
        self._patience_s, self._outlive_us_s = dict(patience_s), outlive_us_s
        self._environment = dict(environment)
        self._logs = logs
        self._running: list[tuple[str, subprocess.Popen[bytes], Path]] = []
        self._asked_s: float | None = None
        self._signalled: set[signal.Signals] = set()

    def start(self) -> None:
        """Start all, in order; ConfigError if one cannot be started."""
        for number, (text, extra, words) in enumerate(self._commands):
            log = self._logs / f"start_{number}.log"
            environment = {**os.environ, **self._environment, **extra}
            with log.open("ab") as output:
                try:
                    process = start_kept(words, environment, output, self._outlive_us_s)
                except OSError as error:
                    self.stop()
                    raise ConfigError(f"--start '{text}': {error.strerror} ({words[0]})") from None
            self._running.append((text, process, log))

    def check(self) -> None:
        """BackendError as soon as one of them has failed; `make`-like helpers may end with 0."""
        for text, process, log in self._running:
            code = process.poll()
            if code:
                raise BackendError(f"--start '{text}' ended with code {code}: {_last_words(log)}")

    def any_left(self) -> bool:
        """Does a process of any of them, or of their children, still run?"""
        return any(_signal_group(process, 0) for _, process, _ in self._running)

    def hurry(self) -> None:
        """Ask them to end, harder after a while, without waiting; `stop` does the rest."""
        now_s = time.monotonic()
        if self._asked_s is None:
            self._asked_s = now_s
        waited_s = now_s - self._asked_s
        number = signal.SIGKILL if waited_s > self._patience_s[signal.SIGINT] else signal.SIGINT
        if number not in self._signalled:
            self._signalled.add(number)
            for _, process, _ in self._running:
                _signal_group(process, number)

    def stop(self) -> None:
        """End them, last one first, with all their children."""
        for _, process, _ in reversed(self._running):
            for number, patience_s in self._patience_s.items():
                if not _signal_group(process, number):
                    break
                deadline_s = time.monotonic() + patience_s
                while time.monotonic() < deadline_s and _signal_group(process, 0):
                    time.sleep(0.05)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=1.0)
            if process.stdin is not None:
                process.stdin.close()
        self._running = []


def _signal_group(process: subprocess.Popen[bytes], number: int) -> bool:
    """False if nobody of the group is left."""
    process.poll()
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _last_words(log: Path, lines: int = 3) -> str:
    with contextlib.suppress(OSError):
        text = log.read_text(encoding="utf-8", errors="replace").strip()
        return " | ".join(text.splitlines()[-lines:])[-500:]
    return ""
