"""Requirements on the flight itself: completion, altitude, tilt, speed, duration, and where it may be.

Altitudes are above the take-off point. A flight without samples tells nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.oracle.finding import Finding
from uav_testgen.scenario.model import Scenario

_LEAST_LEFT_M = 0.01
"""A mission that was not completed is violated by at least this much, wherever it ended."""


def _positive(value: float, name: str) -> float:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or value <= 0.0
    ):
        raise ConfigError(f"{name} must be a number above 0, got {value!r}")
    return float(value)


def _nothing(name: str, unit: str, why: str = "No usable trajectory.") -> Finding:
    return Finding(name, None, unit, sentence=why)


def _usable(flight: Flight) -> bool:
    return len(flight.trajectory) > 0 and bool(np.isfinite(flight.trajectory.position_enu_m).all())


class MissionCompleted:
    """The mission is flown to its end."""

    name = "mission_completed"

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """Violated by the distance that was left to the last waypoint."""
        if flight.ending is Ending.GOAL_REACHED:
            text = f"The mission was completed after {flight.duration_s:.1f} s."
            return Finding(self.name, None, "m", flight.duration_s, text, holds=True)
        if flight.ending.is_trouble_of_planner or not _usable(flight):
            return _nothing(self.name, "m", f"The flight ended early: {flight.reason}.")
        left_m = float(
            np.linalg.norm(flight.trajectory.position_enu_m[-1] - scenario.mission.route_enu_m[-1])
        )
        return Finding(
            self.name, -max(left_m, _LEAST_LEFT_M), "m", float(flight.trajectory.t_s[-1]),
            f"The mission was not completed ({flight.reason}); {left_m:.1f} m were left to the last waypoint.",
        )  # fmt: skip


def _altitude_m(scenario: Scenario, flight: Flight) -> FloatArray:
    return np.asarray(flight.trajectory.position_enu_m[:, 2] - scenario.mission.home_enu_m[2])


class MaxAltitude:
    """Stay below `limit_m` (120) above the take-off point."""

    name = "max_altitude"

    def __init__(self, limit_m: float = 120.0) -> None:
        self.limit_m = _positive(limit_m, "limit_m")

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """The highest sample."""
        if not _usable(flight):
            return _nothing(self.name, "m")
        altitude_m = _altitude_m(scenario, flight)
        k = int(np.argmax(altitude_m))
        moment_s = float(flight.trajectory.t_s[k])
        text = f"Climbed to {altitude_m[k]:.2f} m after {moment_s:.1f} s, {self.limit_m:g} m are allowed."
        return Finding(self.name, self.limit_m - float(altitude_m[k]), "m", moment_s, text)


class MinAltitude:
    """Stay above `limit_m` (1) between the first climb and the last descent."""

    name = "min_altitude"

    def __init__(self, limit_m: float = 1.0) -> None:
        self.limit_m = _positive(limit_m, "limit_m")

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """The lowest sample in between; a flight that never got so high is too low by what was missing."""
        if not _usable(flight):
            return _nothing(self.name, "m")
        altitude_m = _altitude_m(scenario, flight)
        above = np.flatnonzero(altitude_m >= self.limit_m)
        if len(above) == 0:
            k = int(np.argmax(altitude_m))
        else:
            k = int(above[0] + np.argmin(altitude_m[above[0] : above[-1] + 1]))
        moment_s = float(flight.trajectory.t_s[k])
        what = "Never climbed above" if len(above) == 0 else "Flew as low as"
        text = f"{what} {altitude_m[k]:.2f} m (after {moment_s:.1f} s), {self.limit_m:g} m are required."
        return Finding(self.name, float(altitude_m[k]) - self.limit_m, "m", moment_s, text)


class MaxTilt:
    """Tilt the body by less than `limit_deg` (45) from level."""

    name = "max_tilt"

    def __init__(self, limit_deg: float = 45.0) -> None:
        self.limit_deg = _positive(limit_deg, "limit_deg")

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """The largest angle between the body's up and the world's."""
        track = flight.trajectory
        tilt_deg = np.degrees(np.arccos(np.clip(np.cos(track.roll_rad) * np.cos(track.pitch_rad), -1.0, 1.0)))
        if not np.isfinite(tilt_deg).any():
            return _nothing(self.name, "deg", "Roll and pitch were not recorded.")
        k = int(np.nanargmax(tilt_deg))
        moment_s = float(track.t_s[k])
        text = f"Tilted by {tilt_deg[k]:.1f}° after {moment_s:.1f} s, {self.limit_deg:g}° are allowed."
        return Finding(self.name, self.limit_deg - float(tilt_deg[k]), "deg", moment_s, text)


class MaxSpeed:
    """Fly slower than `limit_mps` (12) in space, or over ground with `horizontal=True`."""

    name = "max_speed"

    def __init__(self, limit_mps: float = 12.0, horizontal: bool = False) -> None:
        self.limit_mps, self.horizontal = _positive(limit_mps, "limit_mps"), bool(horizontal)

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """The fastest sample."""
        velocity = flight.trajectory.velocity_enu_mps[:, : 2 if self.horizontal else 3]
        speed_mps = np.linalg.norm(velocity, axis=1)
        if not np.isfinite(speed_mps).any():
            return _nothing(self.name, "m/s")
        k = int(np.nanargmax(speed_mps))
        moment_s = float(flight.trajectory.t_s[k])
        text = f"Flew at {speed_mps[k]:.2f} m/s after {moment_s:.1f} s, {self.limit_mps:g} m/s are allowed."
        return Finding(self.name, self.limit_mps - float(speed_mps[k]), "m/s", moment_s, text)


class MaxDuration:
    """Be over within `limit_s` (600)."""

    name = "max_duration"

    def __init__(self, limit_s: float = 600.0) -> None:
        self.limit_s = _positive(limit_s, "limit_s")

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """The time from the first to the last sample."""
        if not _usable(flight) or flight.ending.is_trouble_of_planner:
            return _nothing(self.name, "s")
        text = f"The flight took {flight.duration_s:.1f} s, {self.limit_s:g} s are allowed."
        moment_s = float(flight.trajectory.t_s[0]) + min(self.limit_s, flight.duration_s)
        return Finding(self.name, self.limit_s - flight.duration_s, "s", moment_s, text)


class Geofence:
    """Stay within `radius_m` (200) of the take-off point, and inside `east_m` and `north_m` where they are given."""

    name = "geofence"

    def __init__(
        self,
        radius_m: float | None = None,
        east_m: Sequence[float] | None = None,
        north_m: Sequence[float] | None = None,
    ) -> None:
        self.radius_m = 200.0 if radius_m is None and east_m is None and north_m is None else radius_m
        if self.radius_m is not None:
            _positive(self.radius_m, "radius_m")
        self.sides_m = [_side(east_m, "east_m"), _side(north_m, "north_m")]

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """The least distance to the fence from inside, in plan view; negative outside."""
        if not _usable(flight):
            return _nothing(self.name, "m")
        place = flight.trajectory.position_enu_m[:, :2]
        inside_m = np.full(len(place), np.inf)
        if self.radius_m is not None:
            away_m = np.linalg.norm(place - np.asarray(scenario.mission.home_enu_m[:2]), axis=1)
            inside_m = np.minimum(inside_m, self.radius_m - away_m)
        for axis, side_m in enumerate(self.sides_m):
            if side_m is not None:
                inside_m = np.minimum(
                    inside_m, np.minimum(place[:, axis] - side_m[0], side_m[1] - place[:, axis])
                )
        k = int(np.argmin(inside_m))
        moment_s = float(flight.trajectory.t_s[k])
        where = f"{abs(float(inside_m[k])):.2f} m {'inside' if inside_m[k] >= 0.0 else 'outside'} the fence"
        return Finding(self.name, float(inside_m[k]), "m", moment_s, f"Was {where} after {moment_s:.1f} s.")


def _side(given: Sequence[float] | None, name: str) -> tuple[float, float] | None:
    if given is None:
        return None
    try:
        low, high = (float(value) for value in given)
    except (TypeError, ValueError):
        raise ConfigError(f"{name} must be two numbers, such as [-50, 50]; got {given!r}") from None
    if not low < high:
        raise ConfigError(f"{name}: {low:g} must be below {high:g}")
    return low, high
