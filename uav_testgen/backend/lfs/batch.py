"""Many flights over all cores: worker processes that take chunks, results in the order asked.

Processes are started by a fork server, which inherits no threads and no ROS or Open3D state. The compiled
code comes from the cache on disk; the first process that needs it compiles, so that the others do not.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from uav_testgen.core.errors import BackendError
from uav_testgen.flight.model import Flight
from uav_testgen.scenario.model import Mission, Scenario, Waypoint

if TYPE_CHECKING:
    from multiprocessing.pool import Pool

    from uav_testgen.backend.lfs.backend import LfsBackend
    from uav_testgen.backend.lfs.config import LfsConfig

Progress = Callable[[int, int], None]
_Task = tuple[int, list[Scenario], list[int]]

_worker_backend: LfsBackend | None = None  # one per worker process, made by `_start_worker`


def available_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start_worker(config: LfsConfig) -> None:
    global _worker_backend
    from uav_testgen.backend.lfs.backend import LfsBackend

    _worker_backend = LfsBackend(config)


def _fly_chunk(task: _Task) -> tuple[int, list[Flight]]:
    first, scenarios, seeds = task
    assert _worker_backend is not None
    return first, [_worker_backend.fly(s, seed) for s, seed in zip(scenarios, seeds, strict=True)]


class WorkerPool:
    """Worker processes that stay alive between batches."""

    def __init__(self, config: LfsConfig, jobs: int) -> None:
        self.jobs = jobs
        context = multiprocessing.get_context("forkserver")
        self._pool: Pool = context.Pool(jobs, _start_worker, (config,))

    def run(self, tasks: Sequence[_Task]):  # type: ignore[no-untyped-def]
        """Finished chunks as they arrive."""
        return self._pool.imap_unordered(_fly_chunk, tasks)

    def close(self) -> None:
        """Stop the workers at once."""
        self._pool.terminate()
        self._pool.join()


def fly_batch(
    backend: LfsBackend,
    scenarios: Sequence[Scenario],
    seeds: Sequence[int],
    jobs: int,
    progress: Progress | None,
) -> list[Flight]:
    """All flights in order. One job flies here; more jobs fly in worker processes."""
    if len(scenarios) != len(seeds):
        raise BackendError(f"{len(scenarios)} scenarios need as many seeds, got {len(seeds)}")
    total = len(scenarios)
    jobs = min(jobs or available_cores(), max(total, 1))
    if jobs <= 1 or total <= 1:
        flights = []
        for done, (scenario, seed) in enumerate(zip(scenarios, seeds, strict=True), start=1):
            flights.append(backend.fly(scenario, seed))
            if progress is not None:
                progress(done, total)
        return flights
    pool = _pool_of(backend, jobs)
    size = max(1, min(backend.config.chunk, -(-total // (2 * jobs))))
    tasks: list[_Task] = [
        (first, list(scenarios[first : first + size]), list(seeds[first : first + size]))
        for first in range(0, total, size)
    ]
    results: list[Flight | None] = [None] * total
    done = 0
    try:
        for first, flights in pool.run(tasks):
            results[first : first + len(flights)] = flights
            done += len(flights)
            if progress is not None:
                progress(done, total)
    except BaseException:
        backend.close()  # an interrupted pool would go on flying
        raise
    return [flight for flight in results if flight is not None]


def _pool_of(backend: LfsBackend, jobs: int) -> WorkerPool:
    pool: WorkerPool | None = backend._pool
    if pool is None or pool.jobs != jobs:
        backend.close()
        if not backend.config.is_stepwise:
            _warm_up(backend)
        pool = backend._pool = WorkerPool(backend.config, jobs)
    return pool


def _warm_up(backend: LfsBackend) -> None:
    """One tiny flight here, so that the workers find compiled code on disk."""
    mission = Mission(
        waypoints=(Waypoint(position_enu_m=(1.0, 0.0, 10.0)),),
        home_enu_m=(0.0, 0.0, 10.0),
        takeoff=False,
        land=False,
    )
    backend.fly(Scenario(mission=mission), 0)
