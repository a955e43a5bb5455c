"""SIGTERM and a closed terminal end a command like Ctrl-C does: through every clean-up."""

from __future__ import annotations

import signal
import threading
from types import TracebackType
from typing import Any

from uav_testgen.core.surfacing_signal import SurfacingSignal

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ended_like_interrupted:
    """While it is entered, the signals raise KeyboardInterrupt. What is ignored (nohup) stays ignored."""

    def __init__(self) -> None:
        self._answer = SurfacingSignal(KeyboardInterrupt)
        self._former: dict[signal.Signals, Any] = {}

    @property
    def asked(self) -> bool:
        """A signal came."""
        return self._answer.asked

    def __enter__(self) -> ended_like_interrupted:
        if threading.current_thread() is threading.main_thread():
            self._answer.__enter__()
            wanted = [number for number in _NUMBERS if signal.getsignal(number) is not signal.SIG_IGN]
            self._former = {number: signal.signal(number, self._answer) for number in wanted}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._answer.__exit__(kind, error, trace)
