"""The signals of a flight that formulas can ask for: one number per sample."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.defaults import VEHICLE_HALF_WIDTH_M
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.oracle.stl.units import DEGREE, METRE, PLAIN, SECOND, SPEED, TURN_RATE, Unit
from uav_testgen.scenario.model import Scenario
from uav_testgen.world.layout import CX, CZ
from uav_testgen.world.scene import Scene, distance_to

UNITS: Final[dict[str, Unit]] = {
    "distance": METRE,
    "plan_distance": METRE,
    "clearance": METRE,
    "altitude": METRE,
    "speed": SPEED,
    "ground_speed": SPEED,
    "vertical_speed": SPEED,
    "tilt": DEGREE,
    "yaw_rate": TURN_RATE,
    "goal_distance": METRE,
    "leg": PLAIN,
    "time": SECOND,
    "east": METRE,
    "north": METRE,
}
MEANINGS: Final[dict[str, str]] = {
    "distance": "from the vehicle's centre to the nearest obstacle's surface, in 3-D",
    "plan_distance": "the same, seen from above",
    "clearance": "plan_distance less half the vehicle's width, not below 0: near Aerialist's distance",
    "altitude": "height above the launch level",
    "speed": "length of the velocity",
    "ground_speed": "its horizontal part",
    "vertical_speed": "its vertical part, upwards positive",
    "tilt": "angle between the vehicle's axis and the vertical",
    "yaw_rate": "how quickly the heading changes, counter-clockwise positive",
    "goal_distance": "to the last waypoint, in 3-D",
    "leg": "number of the waypoint flown to, from 1",
    "time": "since the flight began",
    "east": "position east of the origin",
    "north": "position north of the origin",
}
"""What each means; `distance_1`, `distance_2`, … are the distances in 3-D to the obstacles in their order."""
_EACH = re.compile(r"distance_([1-9]\d{0,2})", re.ASCII)
_REACHED_M = 1.0


def unit_of_signal(name: str) -> Unit | None:
    """The unit of a signal of a flight; None where there is no such signal."""
    return METRE if _EACH.fullmatch(name) else UNITS.get(name)


def signals_of(
    scenario: Scenario, flight: Flight, names: Iterable[str] | None = None
) -> dict[str, FloatArray]:
    """The wanted signals of a flight (all of them, with one distance per obstacle, if none are named).

    Without obstacles distances are infinite, and so is the one to an obstacle that the scene does not have.
    """
    if names is None:
        names = [*UNITS, *(f"distance_{number + 1}" for number in range(len(scenario.obstacles)))]
    wanted = list(names)
    found: dict[str, FloatArray] = {}
    if any(("distance" in name and name != "goal_distance") or name == "clearance" for name in wanted):
        found |= _distances(scenario, flight.trajectory, wanted)
    for name in wanted:
        if name not in found:
            found[name] = np.asarray(_SIMPLE[name](scenario, flight), dtype=np.float64)
    return {name: found[name] for name in wanted}


def _distances(scenario: Scenario, flown: Trajectory, wanted: list[str]) -> Mapping[str, FloatArray]:
    scene = Scene.of(scenario)
    away = np.full(len(flown), np.inf)
    each = [int(match.group(1)) for match in map(_EACH.fullmatch, wanted) if match]
    found: dict[str, FloatArray] = {}
    if "distance" in wanted or each:
        exact = _each_m(scenario, scene, flown, horizontal=False)
        found["distance"] = exact.min(axis=0, initial=np.inf) if len(exact) else away
        found |= {f"distance_{k}": exact[k - 1] if k <= len(exact) else away for k in each}
    if "plan_distance" in wanted or "clearance" in wanted:
        plan = _each_m(scenario, scene, flown, horizontal=True)
        found["plan_distance"] = plan.min(axis=0, initial=np.inf) if len(plan) else away
        found["clearance"] = np.maximum(found["plan_distance"] - VEHICLE_HALF_WIDTH_M, 0.0)
    return found


def _each_m(scenario: Scenario, scene: Scene, flown: Trajectory, *, horizontal: bool) -> FloatArray:
    """Distances (obstacles, samples)."""
    points = flown.position_enu_m
    rows = scene.world.obstacles
    moving = [number for number, one in enumerate(scenario.obstacles) if one.motion is not None]
    where = np.stack([scene.centres_enu_m(float(t))[moving] for t in flown.t_s], axis=1) if moving else None
    columns = []
    for number, row in enumerate(rows):
        centre = row[CX : CZ + 1]
        if where is not None and number in moving:
            centre = where[moving.index(number)]
        columns.append(distance_to(row, centre, points, horizontal=horizontal))
    return np.stack(columns) if columns else np.empty((0, len(points)))


def _tilt_deg(scenario: Scenario, flight: Flight) -> FloatArray:
    flown = flight.trajectory
    upright = np.clip(np.cos(flown.roll_rad) * np.cos(flown.pitch_rad), -1.0, 1.0)
    return np.asarray(np.degrees(np.arccos(upright)))


def _yaw_rate_degps(scenario: Scenario, flight: Flight) -> FloatArray:
    flown = flight.trajectory
    if len(flown) < 2:
        return np.zeros(len(flown))
    return np.asarray(np.degrees(np.gradient(np.unwrap(flown.yaw_rad), flown.t_s)))


def _goal_distance_m(scenario: Scenario, flight: Flight) -> FloatArray:
    goal = np.array(scenario.mission.route_enu_m[-1])
    return np.asarray(np.linalg.norm(flight.trajectory.position_enu_m - goal, axis=1))


def _leg(scenario: Scenario, flight: Flight) -> FloatArray:
    """From the times at which waypoints were reached; where nobody recorded them, from the motion."""
    flown = flight.trajectory
    count = len(scenario.mission.waypoints)
    reached_s = flight.details.get("waypoint_times_s")
    if not isinstance(reached_s, list):
        reached_s = _reached_s(scenario, flown)
    passed = np.searchsorted(np.array(reached_s, dtype=np.float64), flown.t_s, side="right")
    return np.asarray(np.minimum(1.0 + passed, float(count)))


def _reached_s(scenario: Scenario, flown: Trajectory) -> list[float]:
    times: list[float] = []
    first = 0
    for waypoint in scenario.mission.waypoints:
        away_m = np.linalg.norm(flown.position_enu_m[first:] - np.array(waypoint.position_enu_m), axis=1)
        near = np.flatnonzero(away_m < _REACHED_M)
        if not len(near):
            break
        first += int(near[0])
        times.append(float(flown.t_s[first]))
    return times


_SIMPLE: Final[dict[str, Callable[[Scenario, Flight], FloatArray]]] = {
    "altitude": lambda scenario, flight: flight.trajectory.position_enu_m[:, 2],
    "speed": lambda scenario, flight: np.linalg.norm(flight.trajectory.velocity_enu_mps, axis=1),
    "ground_speed": lambda scenario, flight: np.linalg.norm(
        flight.trajectory.velocity_enu_mps[:, :2], axis=1
    ),
    "vertical_speed": lambda scenario, flight: flight.trajectory.velocity_enu_mps[:, 2],
    "tilt": _tilt_deg,
    "yaw_rate": _yaw_rate_degps,
    "goal_distance": _goal_distance_m,
    "leg": _leg,
    "time": lambda scenario, flight: flight.trajectory.t_s - flight.trajectory.t_s[:1],
    "east": lambda scenario, flight: flight.trajectory.position_enu_m[:, 0],
    "north": lambda scenario, flight: flight.trajectory.position_enu_m[:, 1],
}
