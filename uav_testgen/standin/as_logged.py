"""What a real simulation logs beyond the predicted flight: standing still before it, falling, waiting, the time limit.

A prediction ends when its outcome is known. The real simulation goes on: a vehicle that hit a wall falls, one that
hovers before an obstacle hovers until the simulation is stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.model import Ending, Flight, Trajectory

BEFORE_S = 1.0
"""On the ground before take-off."""
AFTER_S = 2.0
"""On the ground after landing."""
_PERIOD_S = 0.1
_GRAVITY_MPS2 = 9.81
_OPEN = (Ending.TIME_LIMIT, Ending.STUCK)


@dataclass(frozen=True, slots=True)
class Logged:
    """A flight as the simulation logs it. `unfinished`: nothing but a time limit ends it."""

    flight: Flight
    unfinished: bool
    stopped_s: float | None
    """When the simulation's time limit stopped it."""


def as_logged(flight: Flight, timeout_s: float | None) -> Logged:
    """The flight with what comes before and after it, cut at the simulation's time limit."""
    track = _with_start(flight.trajectory)
    open_end = flight.ending in _OPEN
    if flight.ending is Ending.COLLISION:
        track = _with_fall(track)
    elif flight.ending is Ending.GOAL_REACHED:
        track = _with_rest(track, 0.0, AFTER_S)
    if timeout_s is not None:
        if open_end and track.duration_s < timeout_s:
            track = _with_rest(track, float(track.position_enu_m[-1, 2]), timeout_s - track.duration_s)
        if track.duration_s > timeout_s + 1e-6:
            track = _cut(track, timeout_s)
            details = {**flight.details, "stopped_after_s": timeout_s}
            flight = replace(flight, ending=Ending.TIME_LIMIT, details=details)
            return Logged(replace(flight, trajectory=track), False, timeout_s)
    details = dict(flight.details)
    times_s = details.get("waypoint_times_s")
    if times_s is not None:
        details["waypoint_times_s"] = [round(t_s + BEFORE_S, 6) for t_s in times_s]
    stopped_s = timeout_s if open_end else None
    return Logged(
        replace(flight, trajectory=track, details=details), open_end and timeout_s is None, stopped_s
    )


def _with_start(track: Trajectory) -> Trajectory:
    """Standing at the origin of the estimate, which then drifts to where the flight begins.

    Readers of logs count positions from the first sample, so that one lies at the origin of the test.
    """
    t_s = np.arange(0.0, BEFORE_S - 0.5 * _PERIOD_S, _PERIOD_S)
    start = track.position_enu_m[0]
    share = (t_s / BEFORE_S)[:, None]
    origin = np.array([0.0, 0.0, start[2]])
    position = origin + share * (start - origin)
    return _joined(
        t_s, position, np.zeros_like(position), np.full(len(t_s), track.yaw_rad[0]), track, BEFORE_S
    )


def _joined(
    t_s: FloatArray,
    position: FloatArray,
    velocity: FloatArray,
    yaw: FloatArray,
    then: Trajectory,
    at_s: float,
) -> Trajectory:
    level = np.zeros(len(t_s))
    return Trajectory(
        np.concatenate([t_s, then.t_s - then.t_s[0] + at_s]),
        np.concatenate([position, then.position_enu_m]),
        np.concatenate([velocity, then.velocity_enu_mps]),
        np.concatenate([yaw, then.yaw_rad]),
        np.concatenate([level, then.roll_rad]),
        np.concatenate([level, then.pitch_rad]),
    )


def _with_rest(track: Trajectory, to_height_m: float, rest_s: float) -> Trajectory:
    """Stays where it is, settling to a height within the first second."""
    count = max(round(rest_s / _PERIOD_S), 1)
    t_s = _PERIOD_S * np.arange(1, count + 1)
    last = track.position_enu_m[-1]
    share = np.minimum(t_s, 1.0)
    height = last[2] + share * (to_height_m - last[2])
    position = np.column_stack([np.full(count, last[0]), np.full(count, last[1]), height])
    return _appended(track, np.asarray(t_s, dtype=np.float64), position)


def _with_fall(track: Trajectory) -> Trajectory:
    """Falls to the ground where it hit, and lies there."""
    last = track.position_enu_m[-1]
    fall_s = float(np.sqrt(2.0 * max(float(last[2]), 0.0) / _GRAVITY_MPS2))
    t_s = _PERIOD_S * np.arange(1, round((fall_s + AFTER_S) / _PERIOD_S) + 1)
    height = np.maximum(last[2] - 0.5 * _GRAVITY_MPS2 * t_s**2, 0.0)
    position = np.column_stack([np.full(len(t_s), last[0]), np.full(len(t_s), last[1]), height])
    return _appended(track, np.asarray(t_s, dtype=np.float64), position)


def _appended(track: Trajectory, later_s: FloatArray, position: FloatArray) -> Trajectory:
    t_s = np.concatenate([track.t_s, track.t_s[-1] + later_s])
    whole = np.concatenate([track.position_enu_m, position])
    velocity = np.concatenate([track.velocity_enu_mps, np.gradient(whole, t_s, axis=0)[len(track) :]])
    level = np.zeros(len(later_s))
    return Trajectory(
        t_s,
        whole,
        velocity,
        np.concatenate([track.yaw_rad, np.full(len(later_s), track.yaw_rad[-1])]),
        np.concatenate([track.roll_rad, level]),
        np.concatenate([track.pitch_rad, level]),
    )


def _cut(track: Trajectory, after_s: float) -> Trajectory:
    keep = track.t_s - track.t_s[0] <= after_s + 1e-6
    return Trajectory(
        track.t_s[keep],
        track.position_enu_m[keep],
        track.velocity_enu_mps[keep],
        track.yaw_rad[keep],
        track.roll_rad[keep],
        track.pitch_rad[keep],
    )
