"""SIGTERM and a closed terminal end a command like Ctrl-C does: through every clean-up."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ended_like_interrupted:
    """While it is entered, the signals raise KeyboardInterrupt. What is ignored (nohup) stays ignored."""

    def __init__(self) -> None:
        self.asked = False
        """A signal came. Compilers and C extensions may turn the exception into another one."""
        self._former: dict[signal.Signals, Any] = {}

    def __enter__(self) -> ended_like_interrupted:
        if threading.current_thread() is threading.main_thread():
            wanted = [number for number in _NUMBERS if signal.getsignal(number) is not signal.SIG_IGN]
            self._former = {number: signal.signal(number, self._interrupt) for number in wanted}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        raise KeyboardInterrupt
