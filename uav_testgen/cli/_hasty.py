"""Ctrl-C before anything has begun: leave at once, without a word of what was being imported.

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

EXIT_CODE = 130


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """While nothing is open that has to be closed; whoever opens something installs its own answer."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    former = signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.stderr.write("uav-testgen: interrupted\n")
    sys.stderr.flush()
    os._exit(EXIT_CODE)
