"""The process that `guarded` starts: `python -m uav_testgen.backend.lfs.guarded_process FD`."""

from __future__ import annotations

import faulthandler
import signal
import sys
from multiprocessing.connection import Connection

from uav_testgen.core.errors import UavTestgenError


def main(descriptor: int) -> None:
    """Fly what comes through the pipe until it closes."""
    # Ctrl-C goes to the whole terminal group; only the process that asked decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = Connection(descriptor)
    try:
        path, report = pipe.recv()
        sys.path[:] = path  # what the caller can import can be imported here
        with open(report, "w", encoding="utf-8") as file:
            faulthandler.enable(file)
            _serve(pipe, file)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # nobody is interested any more


def _serve(pipe: Connection, file: object) -> None:
    from uav_testgen.loop.planner_watch import EndsProcess
    from uav_testgen.loop.stepwise import fly_stepwise

    while True:
        system, scenario, seed, options = pipe.recv()
        watch = EndsProcess(options.limits, file)
        try:
            answer: tuple[str, object] = ("flown", fly_stepwise(system, scenario, seed, options, watch=watch))
        except UavTestgenError as error:
            answer = ("failed", error)
        except Exception as error:
            answer = ("failed", f"unexpected {type(error).__name__} in the flight: {error}")
        pipe.send(answer)


if __name__ == "__main__":
    main(int(sys.argv[1]))
