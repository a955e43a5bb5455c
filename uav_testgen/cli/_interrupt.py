"""SIGTERM and a closed terminal end a command like Ctrl-C does: through every clean-up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NUMBERS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ended_like_interrupted() -> Iterator[None]:
    """While it is entered, the signals raise KeyboardInterrupt."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    former = {number: signal.signal(number, interrupt) for number in _NUMBERS}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
