"""The two kinds of work: screen a scenario, and fly one run at full resolution.

Both are pure functions of the task and the backend, so it does not matter which worker runs them,
when, or how often.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from uav_testgen.backend.base import Backend, VaryingBackend
from uav_testgen.backend.variation import difference, disturbed_scenario
from uav_testgen.core.errors import BackendTimeout, UavTestgenError
from uav_testgen.core.rng import derive_seed
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.generator.surrealist.fitness import most_dangerous
from uav_testgen.oracle.distribution import distribution_of
from uav_testgen.oracle.judge import judge
from uav_testgen.oracle.model import Verdict
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.model import Scenario
from uav_testgen.loop.scatter import ScatterConfig


def run_seeds(campaign_seed: int, number: int, repeats: int) -> tuple[int, ...]:
    """Seeds of the runs of one evaluation; they depend on its number and on nothing else."""
    return tuple(derive_seed(campaign_seed, "run", number, repeat) for repeat in range(repeats))


def refuse(number: int, scenario: Scenario) -> Evaluation | None:
    """The evaluation of a scenario that breaks a rule and is not flown; None for a good one."""
    broken = problems(scenario)
    if not broken:
        return None
    message = "; ".join(str(violation) for violation in broken)
    return _without_flight(number, scenario, EvaluationStatus.INVALID_SCENARIO, message)


def is_promising(verdict: Verdict, accept_below_m: float) -> bool:
    """True if the predicted (Aerialist) distance is below the acceptance distance."""
    distance_m = verdict.min_distance_aerialist_m
    return distance_m is not None and distance_m < accept_below_m


def failure_probability(verdicts: Sequence[Verdict], below_m: float, scatter: ScatterConfig) -> float:
    """How likely the next real flight comes nearer than a distance, by the runs and the model's error."""
    return distribution_of(verdicts, scatter.bias_of_run_m, scatter.error).probability_below(below_m)


def _without_flight(number: int, scenario: Scenario, status: EvaluationStatus, message: str) -> Evaluation:
    return Evaluation(number, scenario, status, message=message, details={"flights": 0})


def fly_run(
    backend: Backend, scenario: Scenario, seed: int, repeat: int, scatter: ScatterConfig | None
) -> Flight:
    """One run: the nominal one (repeat 0) exactly as the scenario says, the others disturbed by `scatter`."""
    if repeat == 0 or scatter is None:
        return backend.fly(scenario, seed)
    if isinstance(backend, VaryingBackend):
        return backend.fly_varied(scenario, seed, repeat, scatter)
    flight = backend.fly(disturbed_scenario(scenario, difference(scatter, seed, repeat)), seed)
    # It is a flight of the test, not of a test of its own.
    return replace(flight, scenario_id=scenario.id)


@dataclass(frozen=True, slots=True)
class ScreenTask:
    """Fly a scenario once, and with the further seeds if the first prediction is promising."""

    number: int
    scenario: Scenario
    seeds: tuple[int, ...]
    accept_below_m: float
    scatter: ScatterConfig
    keep_worst: bool = False
    """Keep the trajectory of the most dangerous run instead of the nominal one's."""

    @property
    def flights(self) -> int:
        """All runs, if the first is promising."""
        return len(self.seeds)

    def run(self, backend: Backend) -> Evaluation:
        """The evaluation; trouble of the backend becomes its status."""
        started_s = time.process_time()
        verdicts: list[Verdict] = []
        trajectories: list[Trajectory] = []
        try:
            for repeat, seed in enumerate(self.seeds):
                flight = fly_run(backend, self.scenario, seed, repeat, self.scatter)
                verdicts.append(judge(self.scenario, flight))
                if self.keep_worst or not trajectories:
                    trajectories.append(flight.trajectory)
                if not is_promising(verdicts[0], self.accept_below_m):
                    break
        except BackendTimeout as error:
            return self.given_up(EvaluationStatus.TIMEOUT, str(error))
        except UavTestgenError as error:
            return self.given_up(EvaluationStatus.BACKEND_ERROR, str(error))
        return Evaluation(
            number=self.number,
            scenario=self.scenario,
            status=EvaluationStatus.VALID,
            verdicts=tuple(verdicts),
            failure_probability=failure_probability(verdicts, self.accept_below_m, self.scatter),
            trajectory=self._kept(trajectories),
            details={"flights": len(verdicts), "cpu_s": round(time.process_time() - started_s, 6)},
        )

    def _kept(self, trajectories: Sequence[Trajectory]) -> Trajectory:
        if len(trajectories) == 1 or not self.scenario.obstacles:
            return trajectories[0]
        return trajectories[most_dangerous(self.scenario, trajectories)]

    def given_up(self, status: EvaluationStatus, message: str) -> Evaluation:
        """An evaluation that says nothing about the scenario."""
        return _without_flight(self.number, self.scenario, status, message)


@dataclass(frozen=True, slots=True)
class FlownRun:
    """One run at full resolution; `message` says why there is none."""

    number: int
    evaluation_number: int
    repeat: int
    flight: Flight | None
    verdict: Verdict | None
    message: str = ""


@dataclass(frozen=True, slots=True)
class FlyTask:
    """Fly one run of a chosen test and keep all of it; a recording goes to `record_to`."""

    number: int
    evaluation_number: int
    repeat: int
    scenario: Scenario
    seed: int
    scatter: ScatterConfig | None = None
    record_to: str | None = None

    @property
    def flights(self) -> int:
        """Exactly one."""
        return 1

    def run(self, backend: Backend) -> FlownRun:
        """The flight and its verdict."""
        try:
            if self.record_to is not None and backend.capabilities.records:
                backend.record_to(Path(self.record_to))  # type: ignore[attr-defined]
            flight = fly_run(backend, self.scenario, self.seed, self.repeat, self.scatter)
        except UavTestgenError as error:
            return self.given_up(EvaluationStatus.BACKEND_ERROR, str(error))
        verdict = judge(self.scenario, flight)
        return FlownRun(self.number, self.evaluation_number, self.repeat, flight, verdict)

    def given_up(self, status: EvaluationStatus, message: str) -> FlownRun:
        """No flight, and why."""
        return FlownRun(
            self.number, self.evaluation_number, self.repeat, None, None, f"{status.value}: {message}"
        )
