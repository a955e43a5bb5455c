"""Scenes that a live PX4 flew, predicted with the planner in the loop and compared with what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import derive_seed
from uav_testgen.fidelity import paths
from uav_testgen.fidelity.offboard.given_error import with_error_of
from uav_testgen.fidelity.offboard.logs import OffboardLog
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.loop.own_vehicle import hand_over
from uav_testgen.loop.system import System
from uav_testgen.oracle.separation import separation
from uav_testgen.predict.prediction import PredictedRun, Prediction
from uav_testgen.predict.runs import predict
from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig

LOW, HIGH = 0.1, 0.9
"""Ends of the 80 % interval."""
_FLYING_M = 5.0
_SHARES = (25, 50, 75, 95)


@dataclass(frozen=True, slots=True)
class Given:
    """The scene flown with the recorded error of the velocity estimate, which nobody knows before the flight."""

    nominal_m: float
    same_side: int
    same_side_runs: tuple[float, ...]
    path_m: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One recorded flight beside its prediction; distances by Aerialist's measure."""

    name: str
    measured_m: float
    """By PX4's estimate, as the bench judges without a log."""
    measured_truth_m: float
    nominal_m: float
    runs_m: tuple[float, ...]
    low_m: float
    high_m: float
    same_side: int
    """Of the nominal run: obstacles passed on the recorded side..."""
    passes: int
    """...out of those in the way of a leg."""
    path_m: float
    """Mean distance of the nominal path from the recorded one."""
    same_side_runs: tuple[float, ...] = ()
    """For each pass, the share of the drawn runs that went round on the recorded side."""
    given: Given | None = None
    """With the error of PX4's velocity estimate as it was in this flight."""

    @property
    def inside(self) -> bool:
        """Is the measured distance in the predicted 80 % interval?"""
        return self.low_m <= self.measured_m <= self.high_m

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        plain = {
            key: round(value, 3) if isinstance(value, float) else value for key, value in asdict(self).items()
        }
        shares = [round(share, 3) for share in self.same_side_runs]
        given = {} if self.given is None else {"given": _rounded(asdict(self.given))}
        runs_m = [round(run, 3) for run in self.runs_m]
        return {**plain, "runs_m": runs_m, "same_side_runs": shares, **given, "inside": self.inside}


def _rounded(plain: dict[str, Any]) -> dict[str, Any]:
    return {
        key: [round(one, 3) for one in value] if isinstance(value, tuple) else round(value, 3)
        for key, value in plain.items()
    }


def measured_m(log: OffboardLog, position_enu_m: FloatArray) -> float:
    """Least distance of a recorded path."""
    assert log.scenario is not None
    still = np.zeros_like(position_enu_m)
    found = separation(log.scenario, Trajectory(log.t_s, position_enu_m, still, log.yaw_rad))
    return found.aerialist.distance_m if found is not None else float("inf")


def fly_again(
    log: OffboardLog, system: System, runs: int, seed: int, *, error_given: bool = False
) -> Comparison:
    """Predict one recorded scene; `error_given`: once more, knowing the error of its velocity estimate."""
    assert log.scenario is not None
    with LfsBackend(LfsConfig(system=system)) as backend:
        found = predict(backend, log.scenario, derive_seed(seed, log.name), runs)
    one = _sides(log, found)
    return Comparison(
        name=log.name,
        measured_m=measured_m(log, log.position_enu_m),
        measured_truth_m=measured_m(log, log.true_enu_m),
        nominal_m=_nominal_m(found),
        runs_m=tuple(run.distance_m for run in found.runs if run.distance_m is not None),
        low_m=found.distribution.quantile_m(LOW),
        high_m=found.distribution.quantile_m(HIGH),
        same_side=one.same,
        passes=one.passes,
        path_m=one.path_m,
        same_side_runs=one.runs,
        given=_given(log, system, runs, seed) if error_given else None,
    )


def _given(log: OffboardLog, system: System, runs: int, seed: int) -> Given:
    assert log.scenario is not None and isinstance(system.vehicle, Px4OffboardConfig)
    vehicle = hand_over(with_error_of(log, system.vehicle))
    with LfsBackend(LfsConfig(system=system, vehicle=vehicle)) as backend:
        scatter = system.scatter.model_copy(update={"velocity_error_mps": 0.0})
        found = predict(backend, log.scenario, derive_seed(seed, log.name), runs, scatter=scatter)
    one = _sides(log, found)
    return Given(_nominal_m(found), one.same, one.runs, one.path_m)


def _nominal_m(found: Prediction) -> float:
    distance_m = found.nominal.distance_m
    return distance_m if distance_m is not None else float("inf")


class _Sides(NamedTuple):
    same: int
    passes: int
    runs: tuple[float, ...]
    path_m: float


def _sides(log: OffboardLog, found: Prediction) -> _Sides:
    """Where nominal and drawn runs went round the obstacles beside where the recorded flight did."""
    assert log.scenario is not None
    corners, obstacles = np.array(log.scenario.mission.route_enu_m)[:, :2], log.scenario.obstacles
    recorded = paths.at_height(log.position_enu_m)

    def beside(run: PredictedRun) -> dict[tuple[int, int], bool]:
        path = paths.at_height(run.flight.trajectory.position_enu_m)
        return paths.same_side_by_pass(path, recorded, corners, obstacles)

    nominal, drawn = beside(found.nominal), [beside(run) for run in found.runs]
    return _Sides(
        same=sum(nominal.values()),
        passes=len(nominal),
        runs=tuple(sum(run.get(one, False) for run in drawn) / len(drawn) for one in nominal)
        if drawn
        else (),
        path_m=paths.path_error_m(paths.at_height(found.nominal.flight.trajectory.position_enu_m), recorded)
        or 0.0,
    )


def speed_difference_mps(logs: Sequence[OffboardLog], system: System, seed: int) -> float:
    """Mean difference of the quartiles (and of the fastest 5 %) of the speed between nominal and recorded flights."""
    apart = []
    with LfsBackend(LfsConfig(system=system)) as backend:
        for log in logs:
            assert log.scenario is not None
            flown = backend.fly(log.scenario, derive_seed(seed, log.name))
            recorded = np.hypot(log.velocity_enu_mps[:, 0], log.velocity_enu_mps[:, 1])
            apart.append(np.percentile(_speeds(flown), _SHARES) - np.percentile(recorded, _SHARES))
    return float(np.mean(np.abs(apart)))


def _speeds(flight: Flight) -> FloatArray:
    """Horizontal speeds between take-off and landing."""
    trajectory = flight.trajectory
    up = np.flatnonzero(trajectory.position_enu_m[:, 2] > _FLYING_M)
    velocity = trajectory.velocity_enu_mps[up]
    return np.asarray(np.hypot(velocity[:, 0], velocity[:, 1]))
