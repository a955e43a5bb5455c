"""Records flown in the simulator: runs, distribution, the nominal path; one by one or over all cores."""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from uav_testgen.backend.ensemble import fly_run
from uav_testgen.backend.lfs.batch import available_cores
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.core.rng import derive_seed
from uav_testgen.fidelity.records import Record
from uav_testgen.flight.model import Ending
from uav_testgen.oracle.distribution import Distribution, Run
from uav_testgen.scenario.model import Mission, Scenario, Waypoint
from uav_testgen.loop.scatter import ScatterConfig

if TYPE_CHECKING:
    from multiprocessing.pool import Pool

Progress = Callable[[int, int], None]
_Task = tuple[int, Scenario, int, int]


@dataclass(frozen=True, slots=True)
class Prediction:
    """A record with what the simulator says; `path_txyz` is the undisturbed flight."""

    record: Record
    distribution: Distribution
    path_txyz: NDArray[np.float64]
    ending: Ending

    @property
    def distance_m(self) -> float:
        """The predicted least distance."""
        return self.distribution.expected_distance_m


_settings: tuple[LfsConfig, ScatterConfig] | None = None  # one per worker process


def _start_worker(config: LfsConfig, scatter: ScatterConfig) -> None:
    global _settings
    _settings = (config, scatter)


def _fly_task(task: _Task) -> tuple[int, int, Run, NDArray[np.float64]]:
    assert _settings is not None
    number, scenario, seed, run = task
    outcome, flight = fly_run(scenario, *_settings, seed, run)
    path = np.zeros((0, 4))
    if run == 0:
        trajectory = flight.trajectory
        path = np.column_stack([trajectory.t_s, trajectory.position_enu_m])[::5]
    return number, run, outcome, path


def fly_records(
    records: Sequence[Record],
    config: LfsConfig,
    scatter: ScatterConfig,
    runs: int,
    seed: int,
    jobs: int = 0,
    progress: Progress | None = None,
) -> list[Prediction]:
    """Every record flown `runs` times; the same result for any number of jobs."""
    tasks: list[_Task] = [
        (number, record.scenario, derive_seed(seed, record.id), run)
        for number, record in enumerate(records)
        for run in range(runs)
    ]
    jobs = min(jobs or available_cores(), max(len(tasks), 1))
    outcomes: list[list[Run | None]] = [[None] * runs for _ in records]
    paths: list[NDArray[np.float64]] = [np.zeros((0, 4)) for _ in records]

    def take(done: int, answer: tuple[int, int, Run, NDArray[np.float64]]) -> None:
        number, run, outcome, path = answer
        outcomes[number][run] = outcome
        if run == 0:
            paths[number] = path
        if progress is not None:
            progress(done, len(tasks))

    _start_worker(config, scatter)
    if jobs <= 1:
        for done, task in enumerate(tasks, start=1):
            take(done, _fly_task(task))
    else:
        _fly_task((0, _short_scenario(), 0, 0))  # compiles once, here, so that the workers need not
        pool: Pool
        context = multiprocessing.get_context("forkserver")
        with context.Pool(jobs, _start_worker, (config, scatter)) as pool:
            for done, answer in enumerate(pool.imap_unordered(_fly_task, tasks, chunksize=4), start=1):
                take(done, answer)
    predictions = []
    for record, group, path in zip(records, outcomes, paths, strict=True):
        flown = tuple(run for run in group if run is not None)
        distribution = Distribution(flown, scatter.error)
        predictions.append(Prediction(record, distribution, path, flown[0].ending))
    return predictions


def _short_scenario() -> Scenario:
    return Scenario(
        mission=Mission(
            waypoints=(Waypoint(position_enu_m=(1.0, 0.0, 10.0)),),
            home_enu_m=(0.0, 0.0, 10.0),
            takeoff=False,
            land=False,
        )
    )


def finite(predictions: Sequence[Prediction]) -> list[Prediction]:
    """Those with a distance."""
    return [p for p in predictions if math.isfinite(p.distance_m)]
