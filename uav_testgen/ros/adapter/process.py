"""The planner's own process: started for a flight, ended after it, without ever waiting for it."""

from __future__ import annotations

import contextlib
import signal
import tempfile
from pathlib import Path
from typing import Final

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.graph.companions import Companions
from uav_testgen.graph.environment import PARENT_VARIABLE

_PATIENCE_S: Final = {signal.SIGINT: 2.0, signal.SIGKILL: 2.0}
_OUTLIVES_US_S: Final = 1.0


class PlannerProcess:
    """What `--start` names; nothing where the planner runs by itself."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._running: Companions | None = None

    @property
    def is_running(self) -> bool:
        """Is anything of it left?"""
        return self._running is not None and self._running.any_left()

    def start(self) -> None:
        """ConfigError if the program cannot be started."""
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="uav_testgen_planner_")
        environment = {PARENT_VARIABLE: ""}  # it is no node of the graph
        logs = Path(tempfile.mkdtemp(dir=self._folder.name))
        self._running = Companions([self.command], environment, logs, _PATIENCE_S, _OUTLIVES_US_S)
        self._running.start()

    def hurry(self) -> None:
        """Ask it to end, harder after a while; to be called until it has."""
        if self._running is not None:
            self._running.hurry()
            if not self._running.any_left():
                self._running.stop()
                self._running = None

    def trouble(self) -> str:
        """A sentence once it has failed or ended."""
        if self._running is None:
            return ""
        try:
            self._running.check()
        except UavTestgenError as error:
            return str(error)
        return "" if self._running.any_left() else f"--start '{self.command}' has ended"

    def close(self) -> None:
        """End it, waiting."""
        if self._running is not None:
            self._running.stop()
            self._running = None
        if self._folder is not None:
            with contextlib.suppress(OSError):
                self._folder.cleanup()
            self._folder = None
