"""How a worker process of this package is started: warm and quick, on a pipe of its own, ending with its parent.

The pipe is the lifeline: it closes when the parent is gone, whatever ended that, and a worker that finds its pipe
closed ends by itself.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from uav_testgen.core.own_python import as_given, given_to_programs, started_apart

# forkserver: no thread or lock of this process is copied into a worker.
_CONTEXT = multiprocessing.get_context("forkserver")


@dataclass(frozen=True, eq=False, slots=True)
class WorkerProcess:
    """A started process and this side of its pipe."""

    process: Any
    pipe: Connection

    def end(self, patience_s: float) -> None:
        """Close the pipe and end the process, by force if it takes longer."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(patience_s)
        self.process.kill()


def start_worker(body: Callable[..., None], *arguments: Any) -> WorkerProcess:
    """Run `body(pipe, *arguments)` in a process of its own."""
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(
        target=as_given,
        args=(body, given_to_programs(), theirs, *arguments),
        name="uav-testgen-worker",
        daemon=True,
    )
    with _main_stays_here(), started_apart():
        process.start()
    theirs.close()
    return WorkerProcess(process, ours)


@contextlib.contextmanager
def _main_stays_here() -> Iterator[None]:
    """Processes started meanwhile do not import the script that runs here.

    multiprocessing would, and a script that calls `campaign()` without asking for its `__name__` would start the same
    campaign in each of its workers. They need nothing of it: tasks and parts are imported by name.
    """
    main = sys.modules["__main__"]
    hidden = {name: getattr(main, name) for name in ("__file__", "__spec__") if hasattr(main, name)}
    try:
        main.__dict__.pop("__file__", None)
        main.__spec__ = None
        yield
    finally:
        for name, value in hidden.items():
            setattr(main, name, value)
