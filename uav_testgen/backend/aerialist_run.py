"""One run of `aerialist exec`: an argument list without a shell, a time limit, and what came of it.

Aerialist ends with code 1 for everything it does not like, and with 0 although no log was written. So what
counts is the log: a readable one is an outcome of the test, everything else is trouble of the simulator.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from uav_testgen.core.errors import BackendError
from uav_testgen.core.programs import end_group, last_words, start_kept

WHERE_IT_IS = "say where it is: --settings FILE with a line 'command: PATH'"

_DOCKER_S = 30.0


class RunEnd(str, Enum):
    """How the process ended."""

    FINISHED = "finished"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    NO_LOG = "left no log"


@dataclass(frozen=True, slots=True)
class Run:
    """What one execution left behind."""

    end: RunEnd
    code: int | None
    wall_s: float
    logs: tuple[Path, ...]
    last_words: str

    def __str__(self) -> str:
        code = f" (code {self.code})" if self.code else ""
        words = f": {self.last_words}" if self.last_words else ""
        return f"aerialist {self.end.value}{code} after {self.wall_s:.0f} s{words}"


def execute(command: Sequence[str], folder: Path, environment: Mapping[str, str], timeout_s: float) -> Run:
    """Run it in its folder and collect every ULog found there; BackendError if it cannot be started."""
    output = folder / "aerialist.log"
    began_s = time.monotonic()
    with output.open("ab") as stream:
        try:
            # A worker that is killed must not leave a simulator behind: the job is flown again elsewhere.
            process = start_kept(command, {**os.environ, **environment}, stream, 0.0, folder)
        except OSError as error:
            raise BackendError(
                f"{command[0]}: {error.strerror}; install Aerialist, or {WHERE_IT_IS}"
            ) from None
        try:
            code: int | None = process.wait(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            end_group(process)
            if process.stdin is not None:
                process.stdin.close()
    # Whatever it left is looked at, also after a failure: a plot that cannot be drawn must not cost a flight.
    logs = tuple(sorted(folder.rglob("*.ulg")))
    if code is None:
        end = RunEnd.TIMED_OUT
    elif logs:
        end = RunEnd.FINISHED if code == 0 else RunEnd.FAILED
    else:
        end = RunEnd.FAILED if code else RunEnd.NO_LOG
    return Run(end, code, time.monotonic() - began_s, logs, last_words(output))


def end_container(name: str) -> None:
    """Best effort: a container that Aerialist had no chance to end would run for ever."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(["docker", "kill", name], capture_output=True, timeout=_DOCKER_S, check=False)
