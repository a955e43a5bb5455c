"""A task that misbehaves on request, for tests of executors; importable by any worker."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.base import BackendAbsent
from uav_testgen.predict.evaluation import EvaluationStatus


@dataclass(frozen=True)
class Act:
    """A task that does something to its worker."""

    number: int
    what: str = "answer"
    marker: str = ""
    flights: int = 1

    def run(self, backend: Any) -> tuple[int, str]:
        """Do it."""
        if self.what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.what == "die once" and not Path(self.marker).exists():
            Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if self.what == "hang":
            time.sleep(600)
        if self.what == "nap":
            time.sleep(0.1)
        if self.what == "absent":
            raise BackendAbsent("nobody flies here")
        if self.what == "raise":
            raise RuntimeError("a bug")
        return self.number, "answered"

    def given_up(self, status: EvaluationStatus, message: str) -> tuple[int, str]:
        """Say why."""
        return self.number, f"{status.value}: {message}"
