"""The body of a worker process: build the backend once, then run what comes."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import signal
from multiprocessing.connection import Connection
from typing import Any

from uav_testgen.backend.base import Backend, BackendAbsent
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.surfacing_signal import SurfacingSignal
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.work.executor import Task, WorkerPlan

log = logging.getLogger(__name__)
_PR_SET_PDEATHSIG = 1


def worker_main(pipe: Connection, plan: WorkerPlan) -> None:
    """Answer ("ready",), then ("done", result) for every task, until the pipe closes or nobody is there to fly."""
    # Ctrl-C goes to the whole terminal group; only the driver decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # SIGTERM leaves through the backend's __exit__, so that nodes or containers it started end too.
    with SurfacingSignal(SystemExit, once=True) as leave:
        signal.signal(signal.SIGTERM, leave)
        _end_with_parent()
        try:
            _serve(pipe, plan)
        except (EOFError, BrokenPipeError, ConnectionResetError, SystemExit):
            return  # the driver is gone, has finished or wants no more
        except BackendAbsent as error:
            pipe.send(("absent", str(error)))
        except UavTestgenError as error:
            pipe.send(("cannot start", str(error)))


def _serve(pipe: Connection, plan: WorkerPlan) -> None:
    from uav_testgen.backend.registry import make_backend

    with make_backend(plan.backend, plan.settings) as backend:
        pipe.send(("ready",))
        while True:
            task: Task = pipe.recv()
            pipe.send(("done", run_task(task, backend)))


def run_task(task: Task, backend: Backend) -> Any:
    """The result of a task; a bug met by one scenario becomes its result and does not stop the campaign.

    BackendAbsent passes: it is not about this scenario.
    """
    try:
        return task.run(backend)
    except BackendAbsent:
        raise
    except Exception as error:
        log.debug("task %d met a bug", task.number, exc_info=True)
        message = f"unexpected {type(error).__name__}: {error}"
        return task.given_up(EvaluationStatus.BACKEND_ERROR, message)


def _end_with_parent() -> None:
    """A driver that was killed leaves nobody flying: what flies now is flown again by its successor."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
