"""Watches every call of a planner that is not ours, so that one that never returns cannot stop everybody else.

Two limits, two meanings. An answer that comes, but later than `late_s`, ends the flight with `planner_late` and nothing
else happens: the planner is alive. A call that has not returned after `timeout_s` is ended by force. In a process of
its own (`backend.lfs.guarded`) that process is ended by a thread of the interpreter's C code, which needs no
cooperation, not even the lock of the interpreter. In the caller's own process an alarm interrupts the call, which works
for Python code in the main thread. In a node of the graph the alarm comes first; a call in C code that does not
hear it ends the process of the node a moment later.
"""

from __future__ import annotations

import faulthandler
import math
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, NamedTuple

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import BODY_SIZE
from uav_testgen.core.own_line import is_own

STARTING: Final = "the planner is being made or reset\n"
"""Stands in the report of a process that was ended before its planner was ready."""


TIMED_OUT: Final = "Timeout ("
"""Begins what `faulthandler` writes before it ends a process."""
GRACE_S: Final = 1.0
"""Between the alarm, which Python code hears, and the end of the process."""
# `faulthandler` writes the innermost call first.
_PLACE = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>.+)$', re.MULTILINE)


class PlannerLimits(NamedTuple):
    """How long the calls of a planner may take."""

    late_s: float = math.inf
    """A slower answer ends the flight."""
    timeout_s: float = math.inf
    """A slower call is ended by force."""
    start_s: float = math.inf
    """The same for making the planner and for `reset`: it may import a large library or read a model."""


class PlannerIsLate(Exception):
    """The planner has answered, but later than it may."""


class PlannerHangs(BaseException):
    """Raised inside a call that does not return; no `except Exception` of the planner's swallows it."""

    def __str__(self) -> str:
        return "the call did not return in time"


class Unwatched:
    """Nobody watches, because the planner is ours; only the slowest answer is noted."""

    def __init__(self, limits: PlannerLimits | None = None) -> None:
        self.limits = limits or PlannerLimits()
        self.slowest_s = 0.0

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call that is to be answered; PlannerIsLate if that took too long."""
        began_s = time.monotonic()
        with self._at_most(self.limits.timeout_s):
            yield
        took_s = time.monotonic() - began_s
        self.slowest_s = max(self.slowest_s, took_s)
        if took_s > self.limits.late_s:
            raise PlannerIsLate(f"it answered after {took_s:.2f} s (planner_late_s: {self.limits.late_s:g})")

    @contextmanager
    def start(self) -> Iterator[None]:
        """Making the planner, or its reset."""
        with self._at_most(self.limits.start_s):
            yield

    def moved(self, t_s: float, body: FloatArray) -> None:
        """The vehicle is at the beginning of its flight, or at the end of a step."""

    @contextmanager
    def _at_most(self, limit_s: float) -> Iterator[None]:
        yield


class EndsProcess(Unwatched):
    """Ends this process, after it has written to `file` where every thread is.

    `track` is told where the vehicle is, unbuffered, so that a planner that ends the process leaves the flight so far.
    """

    def __init__(self, limits: PlannerLimits, file: Any, track: Any) -> None:
        super().__init__(limits)
        self._file, self._track = file, track
        track.seek(0)
        track.truncate()

    def moved(self, t_s: float, body: FloatArray) -> None:
        """Kept for whoever outlives this process."""
        self._track.write(np.array([t_s, *body], dtype=np.float64).tobytes())

    @contextmanager
    def start(self) -> Iterator[None]:
        """With a note in the file, which is taken back when the planner is ready."""
        self._file.write(STARTING)
        self._file.flush()
        try:
            with super().start():
                yield
        finally:
            self._file.seek(0)
            self._file.truncate()

    @contextmanager
    def _at_most(self, limit_s: float) -> Iterator[None]:
        faulthandler.dump_traceback_later(limit_s, exit=True, file=self._file)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


class Interrupts(Unwatched):
    """Raises PlannerHangs in the call, by the alarm clock of this process."""

    @contextmanager
    def _at_most(self, limit_s: float) -> Iterator[None]:
        """Unless it runs outside the main thread or somebody else uses the alarm."""
        usable = (
            math.isfinite(limit_s)
            and threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, None)
        )
        if not usable:
            yield
            return
        former = signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, limit_s)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, former)


class InterruptsOrEnds(Interrupts):
    """The same; a call that the alarm does not reach ends this process, after `file` was told where it was."""

    def __init__(self, limits: PlannerLimits, file: Any) -> None:
        super().__init__(limits)
        self._file = file

    @contextmanager
    def _at_most(self, limit_s: float) -> Iterator[None]:
        if not math.isfinite(limit_s):
            yield
            return
        faulthandler.dump_traceback_later(limit_s + GRACE_S, exit=True, file=self._file)
        try:
            with super()._at_most(limit_s):
                yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def samples_in(track: bytes) -> list[tuple[float, FloatArray]]:
    """Times and bodies that `EndsProcess` has kept; one that is not whole is left out."""
    size = 1 + BODY_SIZE
    whole = len(track) // (8 * size) * size
    rows = np.frombuffer(track, dtype=np.float64, count=whole).reshape(-1, size)
    return [(float(row[0]), row[1:].copy()) for row in rows]


def place_in(text: str) -> str:
    """Where the main thread was, from what `faulthandler` wrote: the last one listed, its innermost call first."""
    threads = re.split(r"^(?:Current thread|Thread) .*$", text, flags=re.MULTILINE)
    places = list(_PLACE.finditer(threads[-1]))
    where = next((one for one in places if is_own(one["file"])), places[0] if places else None)
    return f" (it was at {where['file']}:{where['line']} in {where['function']})" if where else ""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise PlannerHangs
