"""Interrupted before anything has begun, or when everything is done: no word of what was being imported or removed.

An exception would surface in the middle of an import, where C extensions print it and turn it into another. And
a command whose result is printed and written is done: its exit code is known, and a signal that comes while Python
takes itself apart does not change it.
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


def answer_around_the_command() -> None:
    """For the whole of this process, wherever no command has an answer of its own: until `command_is_done` it leaves
    at once."""
    for number in _NUMBERS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)


def command_is_done() -> None:
    """A first signal changes nothing any more; a second one ends a process that does not come to its end."""
    for number in _NUMBERS:
        if signal.getsignal(number) is _leave:
            signal.signal(number, _let_it_end)


def _let_it_end(_number: int, _frame: FrameType | None) -> None:
    for number in _NUMBERS:
        if signal.getsignal(number) is _let_it_end:
            signal.signal(number, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.stderr.write("uav-testgen: interrupted before anything began; run the same command again\n")
    sys.stderr.flush()
    os._exit(ExitCode.INTERRUPTED)
