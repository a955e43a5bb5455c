"""Watches every call of a planner that is not ours, so that one that never returns cannot stop everybody else.

A late answer ends the flight with `planner_late`. A call that does not return at all is ended by force a moment
later. In a process of its own (`backend.lfs.guarded`) that process is ended by a thread of the interpreter's C code,
which needs no cooperation, not even the lock of the interpreter. In the caller's own process an alarm interrupts the
call, which works for Python code in the main thread.
"""

from __future__ import annotations

import faulthandler
import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

# A planner may import a large library when it is made.
MAKING_S: Final = 120.0
_LEAST_GRACE_S = 1.0
_MOST_GRACE_S = 5.0


class PlannerHangs(BaseException):
    """Raised inside a call that does not return; no `except Exception` of the planner's swallows it."""


def patience_s(timeout_s: float) -> float:
    """When a call is ended by force: a little after an answer would have been late."""
    return timeout_s + min(max(timeout_s, _LEAST_GRACE_S), _MOST_GRACE_S)


class Unwatched:
    """Nobody watches: the planner is ours, or there is no limit."""

    @contextmanager
    def call(self, least_s: float = 0.0) -> Iterator[None]:
        """A call of the planner."""
        yield


class EndsProcess(Unwatched):
    """Ends this process, after it has written to `file` where every thread is."""

    def __init__(self, timeout_s: float, file: Any) -> None:
        self._timeout_s, self._file = timeout_s, file

    @contextmanager
    def call(self, least_s: float = 0.0) -> Iterator[None]:
        """A call that may take as long as the limit, or `least_s` where that is longer."""
        limit_s = max(patience_s(self._timeout_s), least_s)
        faulthandler.dump_traceback_later(limit_s, exit=True, file=self._file)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


class Interrupts(Unwatched):
    """Raises PlannerHangs in the call, by the alarm clock of this process."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s

    @contextmanager
    def call(self, least_s: float = 0.0) -> Iterator[None]:
        """A call that is interrupted, unless it runs outside the main thread or somebody else uses the alarm."""
        usable = (
            math.isfinite(self._timeout_s)
            and threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, None)
        )
        if not usable:
            yield
            return
        former = signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, max(patience_s(self._timeout_s), least_s))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, former)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise PlannerHangs
