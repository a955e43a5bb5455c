"""Evaluating a test that is flown several times: one trajectory stands for all of them.

For a replication that is the average of the runs (DTW barycentre), for a generation the run with the
worst outcome, as in the paper. Every candidate is flown with the same seeds, so that two candidates
differ by what was changed and not by luck.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from uav_testgen.backend.base import Backend
from uav_testgen.campaign.screening import failure_probability, fly_run
from uav_testgen.core.errors import BackendTimeout, UavTestgenError
from uav_testgen.core.rng import derive_seed
from uav_testgen.flight.average import average_path, medoid
from uav_testgen.flight.model import Trajectory
from uav_testgen.generator.surrealist.fitness import most_dangerous
from uav_testgen.oracle.competition import UNSAFE_BELOW_M
from uav_testgen.oracle.judge import judge
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.model import Scenario
from uav_testgen.loop.scatter import ScatterConfig

Aggregate = Literal["average", "worst"]


def run_seeds(seed: int, runs: int, purpose: str = "run") -> tuple[int, ...]:
    """Seeds of the runs; the same for every candidate of a search."""
    return tuple(derive_seed(seed, purpose, number) for number in range(runs))


def averaged(trajectories: list[Trajectory]) -> Trajectory:
    """The barycentre of several flights, on the clock of the most central one."""
    flown = [trajectory for trajectory in trajectories if len(trajectory) > 0]
    if len(flown) < 2:
        return flown[0] if flown else trajectories[0]
    paths = [np.array(trajectory.position_enu_m) for trajectory in flown]
    central = flown[medoid(paths)]
    path = average_path(paths)
    velocity = np.gradient(path, central.t_s, axis=0) if len(path) > 1 else np.zeros_like(path)
    return Trajectory(central.t_s, path, velocity, central.yaw_rad)


@dataclass(frozen=True, slots=True)
class NeighbourTask:
    """Fly one candidate with every seed."""

    number: int
    scenario: Scenario
    seeds: tuple[int, ...]
    aggregate: Aggregate
    scatter: ScatterConfig

    @property
    def flights(self) -> int:
        """All runs."""
        return len(self.seeds)

    def run(self, backend: Backend) -> Evaluation:
        """The evaluation; trouble of the backend becomes its status."""
        started_s, cpu_s = time.monotonic(), time.process_time()
        try:
            flights = [
                fly_run(backend, self.scenario, seed, repeat, self.scatter)
                for repeat, seed in enumerate(self.seeds)
            ]
        except BackendTimeout as error:
            return self.given_up(EvaluationStatus.TIMEOUT, str(error))
        except UavTestgenError as error:
            return self.given_up(EvaluationStatus.BACKEND_ERROR, str(error))
        verdicts = tuple(judge(self.scenario, flight) for flight in flights)
        trajectories = [flight.trajectory for flight in flights]
        if self.aggregate == "average":
            trajectory = averaged(trajectories)
        else:
            trajectory = trajectories[most_dangerous(self.scenario, trajectories)]
        return Evaluation(
            number=self.number,
            scenario=self.scenario,
            status=EvaluationStatus.VALID,
            verdicts=verdicts,
            failure_probability=failure_probability(verdicts, UNSAFE_BELOW_M, self.scatter),
            trajectory=trajectory,
            details={
                "flights": len(flights),
                "wall_s": round(time.monotonic() - started_s, 4),
                "cpu_s": round(time.process_time() - cpu_s, 4),
            },
        )

    def given_up(self, status: EvaluationStatus, message: str) -> Evaluation:
        """An evaluation that says nothing about the scenario."""
        return Evaluation(self.number, self.scenario, status, message=message, details={"flights": 0})
