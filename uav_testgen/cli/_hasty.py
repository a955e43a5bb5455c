"""Interrupted before anything has begun: leave at once, without a word of what was being imported.

An exception would surface in the middle of an import, where C extensions print it and turn it into another.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from uav_testgen.core.exit_codes import ExitCode

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """While nothing is open that has to be closed; whoever opens something installs its own answer."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # A command started with nohup goes on when its terminal is closed.
    wanted = [number for number in _NUMBERS if signal.getsignal(number) is not signal.SIG_IGN]
    former = {number: signal.signal(number, _leave) for number in wanted}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.stderr.write("uav-testgen: interrupted before anything began; run the same command again\n")
    sys.stderr.flush()
    os._exit(ExitCode.INTERRUPTED)
