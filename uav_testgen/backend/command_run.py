"""One run of a user's simulator: a time limit, its output in a file, and nothing left behind."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from uav_testgen.core.errors import BackendError
from uav_testgen.core.programs import TREE, end_group, last_words, start_kept

_TO_END_S = 12.0
_LOOK_S = 0.25
MOST_OUTPUT_BYTES = 256 * 1024 * 1024
"""A simulator that repeats one error for ever would fill the disk before its time is up."""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """How it ended. `code` is None if it was stopped because it took too long or said too much."""

    code: int | None
    limit_s: float
    wall_s: float
    last_words: str
    flooded: bool = False
    """It was stopped because of its output."""

    @property
    def timed_out(self) -> bool:
        """Was it stopped because it took too long?"""
        return self.code is None and not self.flooded

    def __str__(self) -> str:
        words = f" (it said: {self.last_words})" if self.last_words else ""
        if self.flooded:
            most_mb = MOST_OUTPUT_BYTES // 1024**2
            return f"stopped because it printed more than {most_mb} MiB{words}"
        if self.timed_out:
            return f"stopped after its limit of {self.limit_s:g} s{words}"
        return f"ended with code {self.code} after {self.wall_s:.1f} s{words}"


def run_command(
    words: Sequence[str], environment: Mapping[str, str], output: Path, limit_s: float
) -> CommandRun:
    """Start it, wait, end it and whatever it started; BackendError if it cannot be started."""
    began_s = time.monotonic()
    with output.open("ab") as stream:
        try:
            process = start_kept(words, environment, stream, 0.0, ends=TREE)
        except OSError as error:
            raise BackendError(f"{words[0]}: cannot be started ({error.strerror})") from None
        code: int | None = None
        flooded = False
        try:
            while code is None and not flooded and (left_s := began_s + limit_s - time.monotonic()) > 0.0:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    code = process.wait(timeout=min(left_s, _LOOK_S))
                flooded = code is None and os.fstat(stream.fileno()).st_size > MOST_OUTPUT_BYTES
        finally:
            # The keeper ends all that comes from the command once nobody holds its standard input.
            if process.stdin is not None:
                process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_TO_END_S)
            end_group(process)
    return CommandRun(code, limit_s, time.monotonic() - began_s, last_words(output), flooded)
