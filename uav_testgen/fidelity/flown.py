"""Records of real flights, predicted: the same prediction every door gives, beside what was measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from uav_testgen.backend.base import Backend
from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import BackendError
from uav_testgen.core.processors import available_cores
from uav_testgen.core.rng import derive_seed
from uav_testgen.fidelity.records import Record
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError, ScatterConfig
from uav_testgen.loop.system import System
from uav_testgen.predict.distribution import Distribution, Run
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.predict.runs import predict
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan

Progress = Callable[[int, int], None]
CENTRE = "aerialist_centre"
"""The measure of records that do not say which: Aerialist's distance without the vehicle's half width."""


@dataclass(frozen=True, slots=True)
class FlownRecord:
    """A record with what the simulator says; `path_txyz` is the nominal flight."""

    record: Record
    seed: int
    distribution: Distribution
    """By the measure of the record."""
    path_txyz: FloatArray
    ending: Ending

    @property
    def distance_m(self) -> float:
        """The predicted least distance, by the measure of the record."""
        return self.distribution.expected_distance_m


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a worker sends back: small, whatever the flights were."""

    number: int
    runs: tuple[Run, ...]
    error: ModelError
    path_txyz: FloatArray
    ending: Ending


@dataclass(frozen=True, slots=True)
class RecordTask:
    """Predict one record."""

    number: int
    scenario: Scenario
    seed: int
    runs: int
    centre: bool
    scatter: ScatterConfig | None = None

    @property
    def flights(self) -> int:
        """The nominal run and the drawn ones."""
        return 1 + self.runs

    def run(self, backend: Backend) -> _Answer:
        """The prediction in short."""
        found = predict(backend, self.scenario, self.seed, self.runs, scatter=self.scatter)
        distribution = found.centre_distribution if self.centre else found.distribution
        flown = found.nominal.flight
        path = np.column_stack([flown.trajectory.t_s, flown.trajectory.position_enu_m])[::5]
        return _Answer(self.number, distribution.runs, distribution.error, path, flown.ending)

    def given_up(self, status: EvaluationStatus, message: str) -> _Answer:
        """A figure over all records cannot leave one out."""
        raise BackendError(f"{self.scenario.name}: {message}")


def fly_records(
    records: Sequence[Record],
    system: System,
    runs: int,
    seed: int,
    jobs: int = 0,
    progress: Progress | None = None,
    scatter: ScatterConfig | None = None,
    check_stop: Callable[[], None] = lambda: None,
) -> list[FlownRecord]:
    """Every record predicted with `runs` drawn runs; the same result for any number of jobs."""
    seeds = [derive_seed(seed, record.id) for record in records]
    tasks = [
        RecordTask(number, record.scenario, seeds[number], runs, record.measure == CENTRE, scatter)
        for number, record in enumerate(records)
    ]
    jobs = min(jobs or available_cores(), max(len(tasks), 1))
    plan = WorkerPlan("lfs", {"system": system.model_dump(mode="json")})
    answers: dict[int, _Answer] = {}
    with make_executor(plan, Placement(0 if jobs <= 1 else jobs)) as executor:
        for group in executor.run(tasks, check_stop):
            for answer in group:
                answers[answer.number] = answer
            if progress is not None:
                progress(len(answers) * (1 + runs), len(tasks) * (1 + runs))
    flown = []
    for number, record in enumerate(records):
        answer = answers[number]
        distribution = Distribution(answer.runs, answer.error)
        flown.append(FlownRecord(record, seeds[number], distribution, answer.path_txyz, answer.ending))
    return flown


def finite(flown: Sequence[FlownRecord]) -> list[FlownRecord]:
    """Those with a distance."""
    return [one for one in flown if math.isfinite(one.distance_m)]
