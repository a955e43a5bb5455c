"""The two kinds of work: predict a scenario, and fly one run at full resolution.

Both are pure functions of the task and the backend, so it does not matter which worker runs them,
when, or how often.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from uav_testgen.backend.base import Backend, BackendAbsent
from uav_testgen.core.errors import BackendTimeout, UavTestgenError
from uav_testgen.core.rng import derive_seed
from uav_testgen.flight.average import average_path, medoid
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.flight.ulog.newest import keep
from uav_testgen.generator.surrealist.fitness import most_dangerous
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.model import Verdict
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.predict.prediction import Prediction
from uav_testgen.predict.runs import predict, predict_run
from uav_testgen.predict.stages import Stages, most_runs
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.model import Scenario

Kept = Literal["nominal", "worst", "average"]
"""Which trajectory stands for all runs: the nominal one, the most dangerous one, or their average."""


class Measure(Protocol):
    """What a search wants to know of all flights of a test; plain picklable data."""

    def measure(self, flights: Sequence[Flight], scenario: Scenario) -> dict[str, Any]:
        """Plain JSON that goes into the details of the evaluation, so that resuming needs no flight again."""
        ...


def evaluation_seed(campaign_seed: int, number: int) -> int:
    """Seed of an evaluation; it depends on the campaign and on its number and on nothing else."""
    return derive_seed(campaign_seed, "evaluation", number)


def refuse(number: int, scenario: Scenario) -> Evaluation | None:
    """The evaluation of a scenario that breaks a rule and is not flown; None for a good one."""
    broken = problems(scenario)
    if not broken:
        return None
    message = "; ".join(str(violation) for violation in broken)
    return _without_flight(number, scenario, EvaluationStatus.INVALID_SCENARIO, message)


def unflown(number: int, scenario: Scenario, why: str) -> Evaluation:
    """The evaluation of a scenario that could not be simulated at all."""
    return _without_flight(number, scenario, EvaluationStatus.INVALID_SCENARIO, why)


def _without_flight(number: int, scenario: Scenario, status: EvaluationStatus, message: str) -> Evaluation:
    return Evaluation(number, scenario, status, message=message, details={"flights": 0})


@dataclass(frozen=True, slots=True)
class ScreenTask:
    """Predict a scenario: the nominal run, and in stages as many drawn ones as it proves worth."""

    number: int
    scenario: Scenario
    seed: int
    stages: Stages = ()
    scatter: ScatterConfig | None = None
    """Instead of the backend's own."""
    keep: Kept = "nominal"
    measure: Measure | None = None
    requirements: tuple[str, ...] = ()
    ranked_by: str = ""
    """The requirement that is searched for; empty: whichever is closest to being broken."""

    @property
    def flights(self) -> int:
        """All runs, if it reaches every stage."""
        return 1 + most_runs(self.stages)

    def run(self, backend: Backend) -> Evaluation:
        """The evaluation; trouble of the backend becomes its status."""
        started_s, cpu_s = time.monotonic(), time.process_time()
        try:
            prediction = predict(
                backend,
                self.scenario,
                self.seed,
                scatter=self.scatter,
                stages=self.stages,
                requirements=self.requirements,
            )
            measured = self._measured([run.flight for run in prediction.flown])
        except BackendAbsent:
            raise
        except BackendTimeout as error:
            return self.given_up(EvaluationStatus.TIMEOUT, str(error))
        except UavTestgenError as error:
            return self.given_up(EvaluationStatus.BACKEND_ERROR, str(error))
        spent = {
            "wall_s": round(time.monotonic() - started_s, 4),
            "cpu_s": round(time.process_time() - cpu_s, 6),
        }
        return self._evaluation(prediction, spent, measured)

    def evaluation_of(self, prediction: Prediction, spent: dict[str, Any]) -> Evaluation:
        """The evaluation of flights that are there already; trouble of a measure becomes its status."""
        try:
            measured = self._measured([run.flight for run in prediction.flown])
        except UavTestgenError as error:
            return self.given_up(EvaluationStatus.BACKEND_ERROR, str(error))
        return self._evaluation(prediction, spent, measured)

    def _evaluation(
        self, prediction: Prediction, spent: dict[str, Any], measured: dict[str, Any]
    ) -> Evaluation:
        runs = prediction.flown
        return Evaluation(
            number=self.number,
            scenario=self.scenario,
            status=_status(prediction),
            verdicts=tuple(run.verdict for run in runs),
            distances_m=tuple(run.distance_m for run in runs),
            distance_m=prediction.distance_m,
            failure_probability=prediction.failure_probability,
            margin=prediction.margin_of(self.ranked_by) if self.ranked_by else prediction.margin,
            expected_points=prediction.expected_points,
            trajectory=self._kept([run.flight.trajectory for run in runs]),
            message=_planner_trouble(prediction),
            details={
                "seed": self.seed,
                "flights": len(runs),
                **spent,
                **measured,
                **_interval(prediction),
                **_planner_traceback(prediction),
            },
        )

    def _measured(self, flights: Sequence[Flight]) -> dict[str, Any]:
        """Of the runs that count: the drawn ones, or the nominal one where there are no others."""
        return {} if self.measure is None else self.measure.measure(flights[1:] or flights, self.scenario)

    def _kept(self, trajectories: Sequence[Trajectory]) -> Trajectory:
        if self.keep == "average":
            return averaged(trajectories[1:] or trajectories)
        if self.keep == "nominal" or len(trajectories) == 1 or not self.scenario.obstacles:
            return trajectories[0]
        return trajectories[most_dangerous(self.scenario, list(trajectories))]

    def given_up(self, status: EvaluationStatus, message: str) -> Evaluation:
        """An evaluation that says nothing about the scenario."""
        return _without_flight(self.number, self.scenario, status, message)


def _interval(prediction: Prediction) -> dict[str, Any]:
    """Where a real flight's distance lies; whatever a search keeps was chosen by what is predicted here."""
    found = replace(prediction, chosen_by_search=True).distance_interval
    return {} if found is None else {"distance_interval": found.to_json()}


def _status(prediction: Prediction) -> EvaluationStatus:
    """Valid if some run says something; else named after what the planner did."""
    ending = prediction.nominal.flight.ending
    if prediction.conclusive or not ending.is_trouble_of_planner:
        return EvaluationStatus.VALID
    return EvaluationStatus(ending.value)


def _planner_trouble(prediction: Prediction) -> str:
    """What the planner's code did wrong in the first run that it ended, with the place; empty if nothing."""
    for run in prediction.flown:
        if run.flight.ending.is_trouble_of_planner:
            number = "the nominal run" if run.number == 0 else f"run {run.number}"
            return f"{number} ended with {run.flight.ending.value}: {run.flight.details.get('planner_error', '')}"
    return ""


def _planner_traceback(prediction: Prediction) -> dict[str, str]:
    """The traceback of that run, so that a search keeps what a single flight keeps."""
    for run in prediction.flown:
        if run.flight.ending.is_trouble_of_planner and "planner_traceback" in run.flight.details:
            return {"planner_traceback": str(run.flight.details["planner_traceback"])}
    return {}


def averaged(trajectories: Sequence[Trajectory]) -> Trajectory:
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
class FlownRun:
    """One run at full resolution; `message` says why there is none."""

    number: int
    evaluation_number: int
    repeat: int
    """0 is the nominal run."""
    flight: Flight | None
    verdict: Verdict | None
    distance_m: float | None = None
    """Corrected for the model's bias where the backend predicts."""
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
    log_to: str | None = None
    """Where a log of the vehicle itself is kept, if the backend has one."""
    requirements: tuple[str, ...] = ()

    @property
    def flights(self) -> int:
        """Exactly one."""
        return 1

    def run(self, backend: Backend) -> FlownRun:
        """The flight and its verdict."""
        try:
            if self.record_to is not None and backend.capabilities.records:
                backend.record_to(Path(self.record_to))  # type: ignore[attr-defined]
            if self.log_to is not None and hasattr(backend, "log_to"):
                backend.log_to(Path(self.log_to))
            found = predict_run(
                backend,
                self.scenario,
                self.seed,
                self.repeat,
                scatter=self.scatter,
                requirements=self.requirements,
            )
        except BackendAbsent:
            raise
        except BackendTimeout as error:
            return self.given_up(EvaluationStatus.TIMEOUT, str(error))
        except UavTestgenError as error:
            return self.given_up(EvaluationStatus.BACKEND_ERROR, str(error))
        self._keep_log(backend, found.flight)
        return FlownRun(
            self.number, self.evaluation_number, self.repeat, found.flight, found.verdict, found.distance_m
        )

    def _keep_log(self, backend: Backend, flight: Flight) -> None:
        """The simulator's own log, which holds its truth, beside the test."""
        log_of = getattr(backend, "log_of", None)
        log = log_of(flight) if log_of is not None and self.log_to is not None else None
        if log is not None and self.log_to is not None:
            with contextlib.suppress(OSError):  # a copy that fails costs no flight: the log itself stays
                flight.details["log"] = str(keep(log, Path(self.log_to)))

    def given_up(self, status: EvaluationStatus, message: str) -> FlownRun:
        """No flight, and why."""
        return FlownRun(
            self.number, self.evaluation_number, self.repeat, None, None, None, f"{status.value}: {message}"
        )
