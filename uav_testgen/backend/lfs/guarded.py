"""Flights of a planner that is not ours, in a process of their own: whatever the planner does, only that process ends.

The process is started once and kept warm. The same door serves pool workers, Ray actors, `fly` and Python: a call
that never returns costs this process, and the flight ends with `planner_late`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from uav_testgen.core.errors import BackendError
from uav_testgen.core.own_python import module_words
from uav_testgen.flight.model import Flight
from uav_testgen.loop.planner_watch import STARTING, TIMED_OUT, place_in, samples_in
from uav_testgen.loop.stepwise import MOST_TRACEBACK, StepwiseOptions, flight_of_samples
from uav_testgen.loop.system import System
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.mission import PLANNER_FAILED, PLANNER_LATE

_PATIENCE_S = 5.0


class GuardedFlights:
    """The process and this side of its pipe; not to be used by two threads at once."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def fly(self, system: System, scenario: Scenario, seed: int, options: StepwiseOptions) -> Flight:
        """One flight; a planner that hangs or kills the process ends it with the ending of its kind."""
        pipe = self._started()
        try:
            pipe.send((system, scenario, seed, options))
            kind, answer = pipe.recv()
        except (EOFError, OSError):
            return self._died(system, scenario, seed, options)
        except BaseException:
            self.close()  # interrupted: the answer to this flight must not be taken for the next one's
            raise
        if kind == "flown":
            return answer  # type: ignore[no-any-return]
        if isinstance(answer, Exception):
            raise answer
        raise BackendError(str(answer))

    def close(self) -> None:
        """End the process, by force if it does not leave by itself."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._folder is not None:
            self._folder.cleanup()
        self._process = self._pipe = self._folder = None

    @property
    def _report(self) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / "where.txt"

    @property
    def _track(self) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / "track.bin"

    def _started(self) -> Connection:
        if self._process is not None and self._process.poll() is None and self._pipe is not None:
            return self._pipe
        self.close()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._folder = tempfile.TemporaryDirectory(prefix="uav-testgen-planner-")
            self._process = subprocess.Popen(
                module_words(
                    "uav_testgen.backend.lfs.guarded_process", str(theirs.fileno()), str(os.getpid())
                ),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=2,  # what a planner prints is no result of ours
                env={**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)},
            )
            self._pipe = Connection(ours.detach())
        self._pipe.send((list(sys.path), str(self._report), str(self._track)))
        return self._pipe

    def _died(self, system: System, scenario: Scenario, seed: int, options: StepwiseOptions) -> Flight:
        """The flight that ended the process: as much as is known about it."""
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE_S)
        code = self._process.poll()
        text = self._report.read_text(encoding="utf-8", errors="replace") if self._report.exists() else ""
        samples = samples_in(self._track.read_bytes()) if self._track.exists() else []
        self.close()
        hangs = TIMED_OUT in text
        if hangs:
            starting, limits = text.startswith(STARTING), options.limits
            silence = "it was not made and reset" if starting else "no answer"
            limit_s = limits.start_s if starting else limits.timeout_s
            said = f"{silence} within {limit_s:g} s, so its process was ended{place_in(text)}"
        elif code is not None and code < 0:
            said = f"its process was ended by {signal.Signals(-code).name}{place_in(text)}"
        else:
            said = f"its process ended by itself (exit code {code})"
        details: dict[str, Any] = {"planner_error": said, "planner_traceback": text[-MOST_TRACEBACK:]}
        code = PLANNER_LATE if hangs else PLANNER_FAILED
        return flight_of_samples(system, scenario, seed, code, samples, details)
