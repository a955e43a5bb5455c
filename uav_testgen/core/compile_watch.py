"""Word whenever kernels are compiled, and for how long.

Numba compiles silently, in the middle of the first call. A minute of silence looks like a fault, to users of
the command, of the library and of a worker process alike. Numba reports the beginning and the end of each
compilation (not of loading from the cache); what takes longer than a moment is announced.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event

from uav_testgen.core.compile_cache import remove_stale_folders

_log = logging.getLogger(__name__)
_MOMENT_S = 1.0
_UNNAMED = "functions of the simulator"


class CompileWatch(event.Listener):
    """Follows Numba's compiler; one of them is enough (`WATCH`)."""

    def __init__(self) -> None:
        self.seconds = 0.0
        """Time this process has spent compiling."""
        self.quiet = False
        """Set by whoever announces compiling in words of their own."""
        self._lock = threading.RLock()
        self._depth = 0
        self._collected = False
        self._began_s = 0.0
        self._what = ""
        self._told = False
        self._timer: threading.Timer | None = None

    def on_start(self, event: event.Event) -> None:
        """A function is about to be compiled; the functions it calls follow before it ends."""
        with self._lock:
            self._depth += 1
            if self._depth > 1:
                return
            self._began_s = time.perf_counter()
            # Compiling makes many objects that live as long as it takes: looking for dead ones among them
            # again and again finds none.
            self._collected = gc.isenabled()
            gc.disable()
            if not self._told and not self.quiet:
                self._timer = threading.Timer(_MOMENT_S, self._tell)
                self._timer.daemon = True
                self._timer.start()

    def on_end(self, event: event.Event) -> None:
        """It is compiled, or cannot be."""
        with self._lock:
            self._depth -= 1
            if self._depth > 0:
                return
            if self._collected:
                gc.enable()
            took_s = time.perf_counter() - self._began_s
            self.seconds += took_s
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._told and not self._what:
                self._finish(took_s)

    @contextmanager
    def named(self, what: str) -> Iterator[None]:
        """Whatever is compiled inside is announced once, under this name."""
        if self._what:
            yield
            return
        self._what, before_s = what, self.seconds
        try:
            yield
        finally:
            with self._lock:
                if self._told:
                    self._finish(self.seconds - before_s)
                self._what = ""

    def _tell(self) -> None:
        with self._lock:
            if self._depth and not self._told:
                self._told = True
                # A warning, because Python shows those without any handler.
                _log.warning("compiling %s for this machine (once, about a minute)", self._what or _UNNAMED)

    def _finish(self, took_s: float) -> None:
        self._told = False
        _log.warning("compiled %s in %.1f s", self._what or _UNNAMED, took_s)
        remove_stale_folders()


WATCH = CompileWatch()
event.register("numba:compile", WATCH)
