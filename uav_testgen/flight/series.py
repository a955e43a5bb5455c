"""One variable of a flight over time, by name: what a simulated flight can be compared with a log in.

Names are plain words, or `topic.field` of PX4's log for what a simulated flight has, too. Directions and signs
are those of the log: headings clockwise from north, roll to the right and pitch up positive, `x` north, `z` down.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.resample import period_averages

OBSTACLE_DISTANCE: Final = "obstacle_distance"
"""Nearest obstacle at the vehicle's height; it needs the obstacles, so it is no function of the motion alone."""
LOCAL_POSITION: Final = "vehicle_local_position"


@dataclass(frozen=True, slots=True)
class Kind:
    """A variable: its unit, how it is read from a motion, and after how much an angle repeats."""

    unit: str
    of: Callable[[Trajectory], FloatArray]
    turn: float | None = None


def _heading_rad(trajectory: Trajectory) -> FloatArray:
    return np.asarray(0.5 * np.pi - np.unwrap(trajectory.yaw_rad))


def _slope(trajectory: Trajectory, values: FloatArray) -> FloatArray:
    return np.asarray(np.gradient(values, trajectory.t_s)) if len(trajectory) > 1 else 0.0 * values


def _ned(values: FloatArray, axis: int) -> FloatArray:
    return (values[:, 1], values[:, 0], -values[:, 2])[axis]


def _position(axis: int) -> Callable[[Trajectory], FloatArray]:
    return lambda trajectory: _ned(trajectory.position_enu_m, axis)


def _velocity(axis: int) -> Callable[[Trajectory], FloatArray]:
    return lambda trajectory: _ned(trajectory.velocity_enu_mps, axis)


def _acceleration(axis: int) -> Callable[[Trajectory], FloatArray]:
    return lambda trajectory: _slope(trajectory, _ned(trajectory.velocity_enu_mps, axis))


KINDS: Final[dict[str, Kind]] = {
    "heading": Kind("deg", lambda flown: np.degrees(_heading_rad(flown)), 360.0),
    "height": Kind("m", lambda flown: np.asarray(flown.position_enu_m[:, 2])),
    "roll": Kind("deg", lambda flown: np.degrees(flown.roll_rad)),
    "pitch": Kind("deg", lambda flown: -np.degrees(flown.pitch_rad)),
    "yaw_rate": Kind("deg/s", lambda flown: np.degrees(_slope(flown, _heading_rad(flown)))),
    **{f"{LOCAL_POSITION}.{name}": Kind("m", _position(axis)) for axis, name in enumerate("xyz")},
    **{f"{LOCAL_POSITION}.v{name}": Kind("m/s", _velocity(axis)) for axis, name in enumerate("xyz")},
    **{f"{LOCAL_POSITION}.a{name}": Kind("m/s2", _acceleration(axis)) for axis, name in enumerate("xyz")},
    f"{LOCAL_POSITION}.heading": Kind("rad", _heading_rad, 2.0 * math.pi),
}
UNITS: Final[dict[str, str]] = {
    "trajectory": "m",
    "speed": "m/s",
    **{name: kind.unit for name, kind in KINDS.items()},
    OBSTACLE_DISTANCE: "m",
}
"""Everything that can be matched; the first two have several columns and are read from the averaged flight."""
OF_THE_PATH: Final = ("trajectory", "speed")


def turn_of(name: str) -> float | None:
    """After how much the variable repeats; None where it does not."""
    return KINDS[name].turn if name in KINDS else None


def half_seconds(t_s: FloatArray, values: FloatArray, turn: float | None = None) -> FloatArray:
    """One mean value (n, 1) per half second, as trajectories are compared; what is no number is left out."""
    usable = np.isfinite(values)
    steady = values[usable] if turn is None else np.unwrap(values[usable], period=turn)
    return period_averages(t_s[usable], steady[:, np.newaxis])[1]
