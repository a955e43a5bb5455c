"""The true path of a simulated flight, from the ground truth in its ULog.

A simulator logs where the vehicle really was (`*_groundtruth`) beside PX4's estimate. The record of a flight
holds the estimate, by the clock of whoever recorded it; log and record are brought together by the estimate,
which both have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.ulog.topics import Columns, read_topics

FloatArray = NDArray[np.float64]
ESTIMATE, TRUTH = "vehicle_local_position", "vehicle_local_position_groundtruth"
_OFF_THE_GROUND_M = 0.5
_SHIFTS_S = np.arange(-3.0, 3.0001, 0.05)
_SAME_FLIGHT_M = 0.5
"""Estimates of the record and of the log must agree this well, or the log is of another flight."""


@dataclass(frozen=True, slots=True)
class TruePath:
    """The true trajectory at the times of the record, and how far the estimate was off."""

    trajectory: Trajectory
    horizontal_rms_m: float
    horizontal_max_m: float
    vertical_rms_m: float


def true_path(log: Path, recorded: Trajectory, pace: float = 1.0) -> TruePath:
    """Where the vehicle was at the times of `recorded`; InputFileError if the log does not tell.

    `pace`: seconds of the vehicle for each second of the record.
    """
    topics = read_topics(log, (ESTIMATE, TRUTH)).topics
    for name in (ESTIMATE, TRUTH):
        if len(topics.get(name, {}).get("timestamp", ())) < 2:
            raise InputFileError(f"{log}: no {name} in it; a simulated flight logs it by default")
    log_t_s, estimate = _track(topics[ESTIMATE])
    truth_t_s, truth = _track(topics[TRUTH])
    launch = recorded.position_enu_m[0]
    estimate, truth = estimate + launch, truth + launch
    t_s = _log_times(log, recorded, log_t_s, estimate, pace)
    position = _at(t_s, truth_t_s, truth)
    velocity = np.gradient(position, recorded.t_s, axis=0)
    off = recorded.position_enu_m - position
    horizontal = np.hypot(off[:, 0], off[:, 1])
    return TruePath(
        replace(recorded, position_enu_m=position, velocity_enu_mps=velocity),
        float(np.sqrt(np.mean(horizontal**2))),
        float(np.max(horizontal)),
        float(np.sqrt(np.mean(off[:, 2] ** 2))),
    )


def _track(columns: Columns) -> tuple[FloatArray, FloatArray]:
    """(times, ENU from where it stood first)."""
    ned = np.column_stack([columns[name] for name in ("x", "y", "z")])
    usable = np.all(np.isfinite(ned), axis=1)
    usable[1:] &= np.diff(columns["timestamp"]) > 0
    t_s, ned = 1e-6 * columns["timestamp"][usable], ned[usable]
    up = ned[0, 2] - ned[:, 2]
    ground = ned[: max(1, _first_above(up) // 2)].mean(axis=0)
    relative = ned - ground
    return t_s, np.column_stack([relative[:, 1], relative[:, 0], -relative[:, 2]])


def _first_above(height_m: FloatArray) -> int:
    found = np.flatnonzero(height_m > _OFF_THE_GROUND_M)
    return int(found[0]) if len(found) else 0


def _log_times(
    log: Path, recorded: Trajectory, log_t_s: FloatArray, estimate: FloatArray, pace: float
) -> FloatArray:
    """The log's time for each sample of the record: from the take-off, then by the best fit."""
    taken_off = _first_above(recorded.position_enu_m[:, 2] - recorded.position_enu_m[0, 2])
    guess_s = log_t_s[_first_above(estimate[:, 2] - estimate[0, 2])]
    since_s = pace * (recorded.t_s - recorded.t_s[taken_off])
    # The mean difference does not count: both have an origin of their own, told from a noisy estimate.
    errors = []
    for shift_s in _SHIFTS_S:
        off = _at(guess_s + since_s + shift_s, log_t_s, estimate) - recorded.position_enu_m
        errors.append(float(np.sqrt(np.mean(np.var(off, axis=0)))))
    best = int(np.argmin(errors))
    if errors[best] > _SAME_FLIGHT_M:
        raise InputFileError(
            f"{log}: its estimate is {errors[best]:.1f} m off the recorded one: a log of another flight"
        )
    return np.asarray(guess_s + since_s + _SHIFTS_S[best])


def _at(t_s: FloatArray, known_s: FloatArray, values: FloatArray) -> FloatArray:
    return np.column_stack([np.interp(t_s, known_s, values[:, axis]) for axis in range(3)])
