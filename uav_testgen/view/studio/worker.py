"""A warm flight worker: a process that keeps its backends, flies what it is sent and stops when told to."""

from __future__ import annotations

import json
import logging
import math
import os
import queue
import signal
import threading
import time
from collections import OrderedDict
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.scenario.model import Mission, Scenario, Waypoint

log = logging.getLogger(__name__)

MOST_BACKENDS = 4
PREVIEW_S = 0.085
"""CPU time of a preview: with the rest of a request the path is at the page's door after a tenth of a second."""


class Job(NamedTuple):
    """One piece of work: `run` flies run `number` of a scene, `record` keeps what the planner thought."""

    kind: str
    settings: dict[str, Any]
    """Fields of LfsConfig."""
    scenario: Scenario
    seed: int = 0
    number: int = 0
    is_preview: bool = False
    """While a handle moves: a flight that hovers for long is shown as far as it came."""


class Flown(NamedTuple):
    """What a worker answers to `run`."""

    run: Any
    """PredictedRun."""
    saved_steps: int
    is_unfinished: bool
    cpu_s: float
    """What the flight and its verdict took, however busy the machine is."""


def worker_main(pipe: Connection) -> None:
    """Answer (id, "done" | "failed" | "stopped", value) for every (id, job), until the pipe closes."""
    # Ctrl-C goes to the whole terminal group; only the server decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    worker = _Worker(pipe)
    listener = threading.Thread(target=worker.listen, daemon=True)
    listener.start()
    worker.work()


class _Worker:
    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._jobs: queue.SimpleQueue[tuple[int, Job] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._cancelled: set[int] = set()
        self._backends: OrderedDict[str, Any] = OrderedDict()
        self._current: tuple[int, Any] | None = None

    def listen(self) -> None:
        """Take orders; a cancelled job is stopped in mid-flight."""
        try:
            while True:
                what, job_id, job = self._pipe.recv()
                if what == "job":
                    self._jobs.put((job_id, job))
                    continue
                with self._lock:
                    self._cancelled.add(job_id)
                    if self._current is not None and self._current[0] == job_id:
                        self._current[1].stop()
        except (EOFError, OSError):
            os._exit(0)  # the server is gone: nothing is left to do, and nothing to lose

    def work(self) -> None:
        """Warm up, then fly what comes."""
        try:
            self._warm_up()
            self._pipe.send((-1, "ready", None))
        except UavTestgenError as error:
            self._pipe.send((-1, "cannot start", str(error)))
            return
        while True:
            taken = self._jobs.get()
            if taken is None:
                return
            self._pipe.send((taken[0], *self._answer(*taken)))

    def _answer(self, job_id: int, job: Job) -> tuple[str, Any]:
        from uav_testgen.view.studio.branch import FlightStopped

        try:
            backend = self._backend(job.settings)
            with self._lock:
                backend.allow()
                self._current = (job_id, backend)
                if job_id in self._cancelled:
                    backend.stop()
            return "done", self._do(job, backend)
        except FlightStopped:
            return "stopped", None
        except UavTestgenError as error:
            return "failed", str(error)
        except Exception as error:
            log.debug("job %d met a bug", job_id, exc_info=True)
            return "failed", f"unexpected {type(error).__name__}: {error}"
        finally:
            with self._lock:
                self._current = None
                self._cancelled.discard(job_id)

    def _do(self, job: Job, backend: Any) -> Any:
        if job.kind == "record":
            from uav_testgen.view.studio.recording import record

            return record(backend.system, job.scenario, job.seed, backend.is_stopped)
        from uav_testgen.predict.runs import predict_run

        backend.budget_s = PREVIEW_S if job.is_preview else math.inf
        begin_s = time.thread_time()
        run = predict_run(backend, job.scenario, job.seed, job.number)
        return Flown(run, backend.saved_steps, backend.is_unfinished, time.thread_time() - begin_s)

    def _backend(self, settings: dict[str, Any]) -> Any:
        from uav_testgen.backend.lfs import LfsConfig
        from uav_testgen.core.config import parse_config
        from uav_testgen.view.studio.live_backend import LiveBackend

        key = json.dumps(settings, sort_keys=True, default=str)
        if key not in self._backends:
            self._backends[key] = LiveBackend(parse_config(LfsConfig, settings, source="system"))
            while len(self._backends) > MOST_BACKENDS:
                self._backends.popitem(last=False)
        self._backends.move_to_end(key)
        return self._backends[key]

    def _warm_up(self) -> None:
        """Load (or compile) the kernels of both kinds of run on a mission of a few seconds."""
        from uav_testgen.predict.runs import predict_run

        mission = Mission(waypoints=(Waypoint(position_enu_m=(3.0, 0.0, 3.0)),), takeoff_altitude_m=3.0)
        backend = self._backend({})
        for number in (0, 1):
            predict_run(backend, Scenario(mission=mission), 0, number)
