"""Runs one program and ends it when whoever asked for it is gone.

    python -m uav_testgen.core.keeper SECONDS group|tree PROGRAM ARGUMENTS...

Standard input is the lifeline: it stays open as long as the asker lives, however that one ends. After it is
closed the program has SECONDS left (a vehicle in the air needs its autopilot to come down). The program
itself gets a terminal on which nothing is ever typed: the shell of PX4 would spin on a closed input, and the
`docker exec -it` of Aerialist wants a terminal.

With `tree`, everything the program started ends with it, also what left its process group and what its parents
left behind: such processes become ours, because we ask the kernel for orphans.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from uav_testgen.core.programs import TREE, foreign_environment

_LOOK_EVERY_S = 0.2
_PATIENCE_S = {signal.SIGINT: 5.0, signal.SIGTERM: 3.0, signal.SIGKILL: 1.0}
_TREE_PATIENCE_S = {signal.SIGTERM: 3.0, signal.SIGKILL: 1.0}
_PR_SET_CHILD_SUBREAPER = 36


def keep(words: list[str], grace_s: float, ends: str) -> int:
    """Exit code of the program, as a shell would give it."""
    # Signals are meant for the program, which is in the same group; we end when it does.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    whole_tree = ends == TREE and _take_orphans()
    _never_typed_on, terminal = os.openpty()
    program = subprocess.Popen(words, stdin=terminal, env=foreign_environment(os.environ))
    lifeline: int | None = sys.stdin.fileno()
    end_s = float("inf")
    while program.poll() is None:
        if lifeline is None:
            time.sleep(_LOOK_EVERY_S)
        elif select.select([lifeline], [], [], _LOOK_EVERY_S)[0] and not os.read(lifeline, 1024):
            lifeline, end_s = None, time.monotonic() + grace_s
        if time.monotonic() > end_s:
            if whole_tree:
                _end_tree(program, _PATIENCE_S)
            else:
                _end(program)
    if whole_tree:
        _end_tree(program, _TREE_PATIENCE_S)
    return program.returncode if program.returncode >= 0 else 128 - program.returncode


def _end(program: subprocess.Popen[bytes]) -> None:
    for number, patience_s in _PATIENCE_S.items():
        os.killpg(0, number)
        deadline_s = time.monotonic() + patience_s
        while time.monotonic() < deadline_s and program.poll() is None:
            time.sleep(_LOOK_EVERY_S)
        if program.poll() is not None:
            return


def _end_tree(program: subprocess.Popen[bytes], patience: dict[signal.Signals, float]) -> None:
    """Every process that comes from us, however deep, is told to end and then made to."""
    for number, patience_s in patience.items():
        for one in _descendants():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, number)
        deadline_s = time.monotonic() + patience_s
        while True:
            program.poll()
            if not _living(program):
                return
            if time.monotonic() > deadline_s:
                break
            time.sleep(_LOOK_EVERY_S / 4.0)


def _living(program: subprocess.Popen[bytes]) -> list[int]:
    """Descendants that run; orphans that have ended are taken off the kernel's list."""
    living = []
    for one in _descendants():
        if one != program.pid:
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(one, os.WNOHANG)[0]:
                    continue
        living.append(one)
    return living


def _descendants() -> list[int]:
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name in parentheses may hold anything; what follows it does not.
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    found, newest = [], [os.getpid()]
    while newest:
        newest = [one for one, parent in parents.items() if parent in newest]
        found += newest
    return found


def _take_orphans() -> bool:
    """Processes whose parents end become our children. False where the kernel cannot do that."""
    with contextlib.suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    return False


if __name__ == "__main__":
    sys.exit(keep(sys.argv[3:], float(sys.argv[1]), sys.argv[2]))
