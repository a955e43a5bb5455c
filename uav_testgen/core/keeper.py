"""Runs one program and ends it when whoever asked for it is gone.

    python -m uav_testgen.core.keeper SECONDS PROGRAM ARGUMENTS...

Standard input is the lifeline: it stays open as long as the asker lives, however that one ends. After it is
closed the program has SECONDS left (a vehicle in the air needs its autopilot to come down). The program
itself gets a terminal on which nothing is ever typed: the shell of PX4 would spin on a closed input, and the
`docker exec -it` of Aerialist wants a terminal.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

from uav_testgen.core.programs import foreign_environment

_LOOK_EVERY_S = 0.2
_PATIENCE_S = {signal.SIGINT: 5.0, signal.SIGTERM: 3.0, signal.SIGKILL: 1.0}


def keep(words: list[str], grace_s: float) -> int:
    """Exit code of the program, as a shell would give it."""
    # Signals are meant for the program, which is in the same group; we end when it does.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
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
            _end(program)
    return program.returncode if program.returncode >= 0 else 128 - program.returncode


def _end(program: subprocess.Popen[bytes]) -> None:
    for number, patience_s in _PATIENCE_S.items():
        os.killpg(0, number)
        deadline_s = time.monotonic() + patience_s
        while time.monotonic() < deadline_s and program.poll() is None:
            time.sleep(_LOOK_EVERY_S)
        if program.poll() is not None:
            return


if __name__ == "__main__":
    sys.exit(keep(sys.argv[2:], float(sys.argv[1])))
