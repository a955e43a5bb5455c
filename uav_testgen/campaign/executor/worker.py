"""The body of a worker process: build the backend once, then run what comes."""

from __future__ import annotations

import signal
from multiprocessing.connection import Connection
from types import FrameType

from uav_testgen.campaign.executor.base import Task, WorkerPlan
from uav_testgen.errors import UavTestgenError
from uav_testgen.generator.base import EvaluationStatus


def worker_main(pipe: Connection, plan: WorkerPlan) -> None:
    """Answer ("ready",), then ("done", result) for every task, until the pipe closes."""
    # Ctrl-C goes to the whole terminal group; only the driver decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # SIGTERM leaves through the backend's __exit__, so that nodes or containers it started end too.
    signal.signal(signal.SIGTERM, _leave)
    from uav_testgen.backend.registry import make_backend

    try:
        with make_backend(plan.backend, plan.settings) as backend:
            pipe.send(("ready",))
            while True:
                task: Task = pipe.recv()
                try:
                    result = task.run(backend)
                except Exception as error:  # a bug met by one scenario must not stop the campaign
                    message = f"unexpected {type(error).__name__}: {error}"
                    result = task.given_up(EvaluationStatus.BACKEND_ERROR, message)
                pipe.send(("done", result))
    except (EOFError, BrokenPipeError, ConnectionResetError, SystemExit):
        return  # the driver is gone, has finished or wants no more
    except UavTestgenError as error:
        pipe.send(("cannot start", str(error)))


def _leave(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)
