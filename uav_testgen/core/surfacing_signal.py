"""A signal handler whose exception always arrives where it can end something.

Python runs a handler wherever it happens to be. In a destructor, or in a function that compiled code calls back
(LLVM does so all the time while it compiles), an exception cannot go on: Python prints it with a traceback and
drops it, and the signal is lost. So it is sent again a little later, until it arrives.
"""

from __future__ import annotations

import os
import sys
import threading
from types import FrameType, TracebackType
from typing import Any

_AGAIN_S = 0.02


class SurfacingSignal:
    """Handler that raises `kind`; while it is entered, an exception that was dropped comes again, unprinted.

    With `once`, further signals are ignored while the first one is on its way, so that no second exception
    breaks off what the first one cleans up.
    """

    def __init__(self, kind: type[BaseException], *, once: bool = False) -> None:
        self._kind = kind
        self._once = once
        self._number: int | None = None
        self._under_way = False
        self._entered = False
        self._former: Any = None

    @property
    def asked(self) -> bool:
        """A signal came. Compilers and C extensions may turn the exception into another one."""
        return self._number is not None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """To be given to `signal.signal`."""
        self._number = number
        if self._once and self._under_way:
            return
        self._under_way = True
        raise self._kind

    def __enter__(self) -> SurfacingSignal:
        self._former, sys.unraisablehook = sys.unraisablehook, self._dropped
        self._entered = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered = False
        sys.unraisablehook = self._former

    def _dropped(self, what: sys.UnraisableHookArgs) -> None:
        if self._number is None or not issubclass(what.exc_type, self._kind):
            self._former(what)
            return
        self._under_way = False
        again = threading.Timer(_AGAIN_S, self._again)
        again.daemon = True
        again.start()

    def _again(self) -> None:
        if self._entered and self._number is not None:
            os.kill(os.getpid(), self._number)
