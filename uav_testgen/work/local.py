"""Worker processes on this machine, each with a warm backend, each on its own pipe.

A pipe per worker (instead of a shared queue) tells exactly which task a dead worker held, so only
that task is tried again, and only a task that keeps killing workers is put in quarantine. Workers
end by themselves when the driver is gone, because their pipe closes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any

from uav_testgen.backend.base import BackendAbsent
from uav_testgen.core.errors import BackendError
from uav_testgen.work.bundles import Bundles
from uav_testgen.work.executor import Task, WorkerPlan
from uav_testgen.work.process import WorkerProcess, start_worker
from uav_testgen.work.worker import worker_main

# Longest time before a Ctrl-C is noticed.
_POLL_S = 0.2
# Time for backends to stop what they started; a user who pressed Ctrl-C does not wait that long.
_GRACE_S = 20.0
_HASTY_GRACE_S = 0.7
# A worker imports and compiles before its first answer; this bounds only that.
_START_TIMEOUT_S = 600.0


@dataclass
class _Worker:
    started: WorkerProcess
    ready: bool = False
    task: Task | None = None
    since_s: float = 0.0
    silent: bool = False

    @property
    def process(self) -> Any:
        return self.started.process

    @property
    def pipe(self) -> Connection:
        return self.started.pipe


class LocalExecutor:
    """`jobs` processes; results come in order of completion."""

    def __init__(
        self, plan: WorkerPlan, jobs: int, *, flight_timeout_s: float = 300.0, tries: int = 3
    ) -> None:
        self._plan = plan
        self._jobs = jobs
        self._flight_timeout_s = flight_timeout_s
        self._tries = tries
        self._workers: list[_Worker] = []
        self._failed_starts = 0
        # The first worker compiles what must be compiled; the others then find it in the cache.
        self._warm = False

    def __enter__(self) -> LocalExecutor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(_GRACE_S if error is None else _HASTY_GRACE_S)

    def run(self, tasks: Sequence[Task], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        """Groups of results as they are finished."""
        bundles = Bundles(tasks, self._tries, one_by_one=True)
        while bundles.open_count:
            check_stop()
            self._staff(min(self._jobs, bundles.open_count) if self._warm else 1)
            self._hand_out(bundles)
            finished = [*self._collect(bundles), *self._dead_or_late(bundles)]
            if finished:
                yield finished

    def close(self, grace_s: float = _GRACE_S) -> None:
        """End all workers; whatever they computed and did not send is computed again later.

        Each gets time to stop what its backend started. One that needs longer is left to finish that by
        itself, as it has no task and no pipe any more.
        """
        for worker in self._workers:
            worker.pipe.close()
            if worker.task is not None or not worker.ready:
                worker.process.terminate()
        end_s = time.monotonic() + grace_s
        for worker in self._workers:
            worker.process.join(max(0.0, end_s - time.monotonic()))
            if worker.process.is_alive():
                worker.process.terminate()
        self._workers = []

    def _staff(self, wanted: int) -> None:
        while len(self._workers) < wanted:
            self._workers.append(_Worker(start_worker(worker_main, self._plan), since_s=time.monotonic()))

    def _hand_out(self, bundles: Bundles) -> None:
        for worker in self._workers:
            if not worker.ready or worker.task is not None:
                continue
            bundle = bundles.take(len(self._workers))
            if not bundle:
                return
            try:
                worker.pipe.send(bundle[0])
            except (BrokenPipeError, OSError):
                bundles.put_back(bundle)
                continue
            worker.task = bundle[0]
            worker.since_s = time.monotonic()

    def _collect(self, bundles: Bundles) -> list[Any]:
        finished: list[Any] = []
        by_pipe = {worker.pipe: worker for worker in self._workers}
        for pipe in wait(list(by_pipe), timeout=_POLL_S):
            worker = by_pipe[pipe]  # type: ignore[index]
            try:
                message = worker.pipe.recv()
            except (EOFError, OSError):
                worker.silent = True  # nothing more will come; `_dead_or_late` takes it away
                continue
            if message[0] == "ready":
                worker.ready = True
                self._failed_starts = 0
            elif message[0] == "absent":
                raise BackendAbsent(message[1])
            elif message[0] == "cannot start":
                raise BackendError(f"backend '{self._plan.backend}' cannot start: {message[1]}")
            else:
                assert worker.task is not None
                finished += bundles.finished([worker.task], [message[1]], time.monotonic() - worker.since_s)
                worker.task = None
                self._warm = True
        return finished

    def _dead_or_late(self, bundles: Bundles) -> list[Any]:
        given_up: list[Any] = []
        now_s = time.monotonic()
        for worker in list(self._workers):
            limit_s = self._flight_limit_s(worker)
            late = (worker.task is not None or not worker.ready) and now_s - worker.since_s > limit_s
            dead = worker.silent or not worker.process.is_alive()
            if not dead and not late:
                continue
            if not late and not worker.silent and worker.pipe.poll():
                continue  # it answered before it died: collected next time
            self._workers.remove(worker)
            worker.started.end(5.0)
            if worker.task is None:
                self._count_failed_start(worker, late)
            elif late:
                given_up += bundles.late([worker.task], self._flight_timeout_s)
            else:
                given_up += bundles.lost([worker.task], machine_lost=False)
        return given_up

    def _flight_limit_s(self, worker: _Worker) -> float:
        """All runs of one task together; a worker that has not started yet gets its own limit."""
        if worker.task is None:
            return _START_TIMEOUT_S
        return self._flight_timeout_s * worker.task.flights

    def _count_failed_start(self, worker: _Worker, late: bool) -> None:
        if worker.ready:
            return  # an idle worker was killed from outside: simply replaced
        self._failed_starts += 1
        if late or self._failed_starts >= self._tries:
            what = "did not get ready" if late else f"died at the start (exit code {worker.process.exitcode})"
            raise BackendError(
                f"a worker for backend '{self._plan.backend}' {what}; run with --jobs 0 to see the reason"
            )
