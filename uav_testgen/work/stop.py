"""Ctrl-C, SIGTERM and a closed terminal: a question asked at safe points, no exception in mid-write.

If no safe point comes soon (a long compilation, say), the process ends where it is: the store keeps
everything that was acknowledged, exactly as after a power failure.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any

from uav_testgen.core.exit_codes import ExitCode

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE_S = 1.5
_SHOW_CURSOR = b"\x1b[?25h"


class Interrupted(Exception):
    """The user wants the campaign to stop; everything acknowledged is on the disk."""


class StopRequest:
    """While entered, a first signal sets a flag and a timer; a second one acts as if this were not here."""

    def __init__(self, farewell: str = "interrupted") -> None:
        self.requested = False
        self.farewell = farewell
        self._timer: threading.Timer | None = None
        self._previous: dict[signal.Signals, Any] = {}

    def __enter__(self) -> StopRequest:
        # Only the main thread may install handlers; elsewhere the flag can still be set by hand.
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
                    continue  # started with nohup: a closed terminal ends nothing
                self._previous[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._restore()
        if self._timer is not None:
            self._timer.cancel()

    def check(self) -> None:
        """Raise Interrupted if a stop was requested."""
        if self.requested:
            raise Interrupted

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.requested = True
        self._restore()
        self._timer = threading.Timer(_PATIENCE_S, self._leave)
        self._timer.daemon = True
        self._timer.start()

    def _leave(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the terminal may be what is gone
            if sys.stderr.isatty():
                sys.stderr.buffer.write(_SHOW_CURSOR)
            sys.stderr.write(f"{self.farewell}\n")
            sys.stderr.flush()
        os._exit(ExitCode.INTERRUPTED)

    def _restore(self) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._previous = {}
