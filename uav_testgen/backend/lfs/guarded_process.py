"""The process that `guarded` starts: `python -m uav_testgen.backend.lfs.guarded_process FD PARENT`."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection

from uav_testgen.core.errors import UavTestgenError

_LOOK_EVERY_S = 0.5


def main(descriptor: int, parent: int) -> None:
    """Fly what comes through the pipe until it closes."""
    # Ctrl-C goes to the whole terminal group; only the process that asked decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Somebody may kill that process while the planner thinks, and then nobody reads our pipe.
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    pipe = Connection(descriptor)
    try:
        path, report, kept = pipe.recv()
        sys.path[:] = path  # what the caller can import can be imported here
        with open(report, "w", encoding="utf-8") as file, open(kept, "wb", buffering=0) as track:
            faulthandler.enable(file)
            _serve(pipe, file, track)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # nobody is interested any more


def _end_with(parent: int) -> None:
    """Not by a signal of the kernel's: that comes when the thread ends that started us, not when the process does."""
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY_S)
    os._exit(1)


def _serve(pipe: Connection, file: object, track: object) -> None:
    from uav_testgen.backend.lfs.announced import announced
    from uav_testgen.loop.planner_watch import EndsProcess
    from uav_testgen.loop.stepwise import fly_stepwise

    while True:
        system, scenario, seed, options = pipe.recv()
        watch = EndsProcess(options.limits, file, track)
        try:
            with announced(system):
                flight = fly_stepwise(system, scenario, seed, options, watch=watch)
            answer: tuple[str, object] = ("flown", flight)
        except UavTestgenError as error:
            answer = ("failed", error)
        except Exception as error:
            answer = ("failed", f"unexpected {type(error).__name__} in the flight: {error}")
        pipe.send(answer)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
