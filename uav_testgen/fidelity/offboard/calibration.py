"""Finding the numbers of PX4 in offboard mode from recordings: airframe, estimator's error, delay of the bench.

The firmware's gains and limits stay as they are. Each number is found where it shows: lags on steps flown with
nearly perfect sensors, drag and the estimator's error on flights of scenes, the delay in the speeds of the closed
loop. Every flight is also predicted by a system that was fitted without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.offboard.closed_loop import Comparison, fly_again, speed_difference_mps
from uav_testgen.fidelity.offboard.logs import OffboardLog
from uav_testgen.fidelity.offboard.replay import Replay, fly_setpoints, replay
from uav_testgen.loop.system import System
from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig
from uav_testgen.vehicle.px4_offboard.control import ERROR_DAMPING

Progress = Callable[[int, int], None]
DELAYS_S = (0.0, 0.04, 0.08, 0.12, 0.16, 0.2)
_FACTORS = ((0.5, 0.71, 1.0, 1.41, 2.0), (0.84, 1.0, 1.19), (0.92, 1.0, 1.09), (0.96, 1.0, 1.04))
"""Coarse to fine: each round starts from the best of the one before."""
_SLOW_MPS = 5.5
"""Faster steps reach the largest tilt, where a point mass is no good model."""
_LEAST_FLIGHTS = 3


@dataclass(frozen=True, slots=True)
class OffboardCalibration:
    """What was found and how good it is on flights it was not fitted on."""

    system: System
    replays: tuple[Replay, ...]
    comparisons: tuple[Comparison, ...]
    step_errors: dict[str, dict[str, float]]

    def figures(self) -> dict[str, Any]:
        """The summary that goes into the preset."""
        vehicle = self.system.vehicle
        assert isinstance(vehicle, Px4OffboardConfig)
        paths = [one.path_rms_m for one in self.replays]
        return {
            "flights": len(self.replays),
            "step_recordings": len(self.step_errors),
            "left_out_path_rms_m": round(math.sqrt(float(np.mean(np.square(paths)))), 3),
            "left_out_path_rms_largest_m": round(max(paths), 3),
            "inside_80": sum(one.inside for one in self.comparisons),
            "same_side": sum(one.same_side for one in self.comparisons),
            "passes": sum(one.passes for one in self.comparisons),
            "measure": "aerialist",
        }

    def to_json(self) -> dict[str, Any]:
        """Everything, as plain data."""
        return {
            **self.figures(),
            "system": self.system.model_dump(mode="json", exclude_defaults=True),
            "replays": [one.to_json() for one in self.replays],
            "steps": self.step_errors,
            "closed_loop": [one.to_json() for one in self.comparisons],
        }


def calibrate_offboard(
    logs: Sequence[OffboardLog], start: System, runs: int, seed: int, progress: Progress | None = None
) -> OffboardCalibration:
    """A system from recordings; every flight is left out once to see what the fit is worth."""
    flights = [log for log in logs if log.scenario is not None]
    steps = [log for log in logs if log.scenario is None]
    if len(flights) < _LEAST_FLIGHTS:
        raise InputFileError(
            f"{len(flights)} flights of scenes; {_LEAST_FLIGHTS} are needed, so that each can be left out"
        )
    on_steps = fit_lags(steps, _vehicle(start))
    lags = on_steps.model_copy(update={"drag_per_s": _vehicle(start).drag_per_s})
    replays, comparisons = [], []
    for number, log in enumerate(flights):
        others = [other for other in flights if other is not log]
        fitted = fit_system(others, start, lags, runs, seed)
        replays.append(replay(log, _vehicle(fitted)))
        comparisons.append(fly_again(log, fitted, runs, seed, error_given=True))
        if progress is not None:
            progress(number + 1, len(flights) + 1)
    system = fit_system(flights, start, lags, runs, seed)
    if progress is not None:
        progress(len(flights) + 1, len(flights) + 1)
    found = OffboardCalibration(
        system, tuple(replays), tuple(comparisons), {log.name: _step_errors(log, on_steps) for log in steps}
    )
    new = {"calibration": {**found.figures(), "seed": seed, "runs": runs}, "version": start.version + 1}
    return OffboardCalibration(
        system.model_copy(update=new), found.replays, found.comparisons, found.step_errors
    )


def fit_lags(steps: Sequence[OffboardLog], config: Px4OffboardConfig) -> Px4OffboardConfig:
    """Lags of tilt and yaw on steps, and their drag, which is the recording's own."""
    if not steps:
        return config

    def moving(trial: Px4OffboardConfig) -> float:
        return float(np.mean([_step_errors(log, trial)["velocity_rms_mps"] for log in steps]))

    def turning(trial: Px4OffboardConfig) -> float:
        return float(np.mean([_step_errors(log, trial)["yaw_rms_deg"] for log in steps]))

    fitted = _search(config, ("drag_per_s", "tilt_rate_lag_s"), moving)
    return _search(fitted, ("yaw_rate_lag_s", "yaw_acceleration_max_degps2"), turning)


def fit_system(
    flights: Sequence[OffboardLog], start: System, lags: Px4OffboardConfig, runs: int, seed: int
) -> System:
    """Drag, estimator's error, delay and spread from flights."""

    def apart(trial: Px4OffboardConfig) -> float:
        return float(np.mean([_position_rms_m(log, trial) for log in flights]))

    vehicle = _search(lags, ("drag_per_s",), apart)
    size_mps, period_s = velocity_error_of(flights)
    vehicle = vehicle.model_copy(update={"velocity_error_period_s": period_s})
    scatter = start.scatter.model_copy(update={"velocity_error_mps": size_mps})
    system = start.model_copy(update={"vehicle": vehicle, "scatter": scatter})

    def delayed(delay_s: float) -> System:
        late = vehicle.model_copy(update={"setpoint_delay_s": delay_s})
        return system.model_copy(update={"vehicle": late})

    system = delayed(min(DELAYS_S, key=lambda delay_s: speed_difference_mps(flights, delayed(delay_s), seed)))
    flown = [fly_again(log, system, runs, seed) for log in flights]
    return system.model_copy(update={"scatter": scatter.model_copy(update={"model_m": unexplained_m(flown)})})


def velocity_error_of(flights: Sequence[OffboardLog]) -> tuple[float, float]:
    """(standard deviation, period) of the horizontal error of PX4's velocity estimate.

    The period follows from where the autocorrelation of a damped oscillator crosses zero.
    """
    errors = [log.velocity_error_mps[:, :2] for log in flights]
    size_mps = float(np.sqrt(np.mean([np.var(error) for error in errors])))
    period_s = flights[0].period_s
    lag, correlation = 0, 1.0
    while correlation > 0.0 and (lag + 1) * period_s < 60.0:
        lag += 1
        correlation = float(
            np.mean([np.sum(e[:-lag] * e[lag:]) / np.sum(e * e) for e in errors if len(e) > lag])
        )
    share = math.sqrt(1.0 - ERROR_DAMPING**2)
    crossing_rad = math.atan2(share, ERROR_DAMPING)
    return round(size_mps, 2), round(2.0 * math.pi * share * lag * period_s / crossing_rad, 0)


def unexplained_m(flown: Sequence[Comparison]) -> float:
    """What the spread of the runs leaves of the errors of their median; never less than ten centimetres."""
    errors = [one.measured_m - float(np.median(one.runs_m)) for one in flown if one.runs_m]
    spreads = [float(np.var(one.runs_m)) for one in flown if one.runs_m]
    left = float(np.mean(np.square(errors)) - np.mean(spreads)) if errors else 0.0
    return round(math.sqrt(max(left, 0.01)), 2)


def _search(
    config: Px4OffboardConfig, names: Sequence[str], cost: Callable[[Px4OffboardConfig], float]
) -> Px4OffboardConfig:
    """One number after the other, coarse to fine; the start is always among the trials."""
    best, least = config, cost(config)
    for factors in _FACTORS:
        for name in names:
            middle = float(getattr(best, name))
            for factor in factors:
                trial = best.model_copy(update={name: middle * factor})
                if factor != 1.0 and (found := cost(trial)) < least:
                    best, least = trial, found
    return best.model_copy(update={name: float(f"{getattr(best, name):.3g}") for name in names})


def _position_rms_m(log: OffboardLog, config: Px4OffboardConfig) -> float:
    """At the same moments, with the recorded error of the estimate given."""
    apart = fly_setpoints(log, config, given_error=True)[:, :2] - log.position_enu_m[:, :2]
    return float(np.sqrt(np.mean(np.sum(apart * apart, axis=1))))


def _step_errors(log: OffboardLog, config: Px4OffboardConfig) -> dict[str, float]:
    """Velocities, since a position that was reached by velocities keeps every error made before."""
    flown = fly_setpoints(log, config)
    velocity: FloatArray = np.gradient(flown[:, :2], log.period_s, axis=0) - log.velocity_enu_mps[:, :2]
    slow = np.hypot(log.velocity_enu_mps[:, 0], log.velocity_enu_mps[:, 1]) < _SLOW_MPS
    turned = (flown[:, 3] - log.yaw_rad + np.pi) % (2.0 * np.pi) - np.pi
    height = flown[:, 2] - log.position_enu_m[:, 2]
    return {
        "velocity_rms_mps": round(float(np.sqrt(np.mean(np.sum(velocity[slow] ** 2, axis=1)))), 4),
        "height_rms_m": round(float(np.sqrt(np.mean(height * height))), 4),
        "yaw_rms_deg": round(float(np.degrees(np.sqrt(np.mean(turned * turned)))), 3),
    }


def _vehicle(system: System) -> Px4OffboardConfig:
    if not isinstance(system.vehicle, Px4OffboardConfig):
        raise InputFileError(f"system '{system.name}' does not fly in offboard mode; start from px4_offboard")
    return system.vehicle
