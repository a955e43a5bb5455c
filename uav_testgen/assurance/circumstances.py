"""What happened around the moment a flight came closest to an obstacle: facts that mechanisms are told from."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from uav_testgen.assurance.sight import sight_of
from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.stl.signals import signals_of
from uav_testgen.scenario.footprint import outline_places
from uav_testgen.scenario.model import Obstacle, Scenario
from uav_testgen.world.motion import centres_at
from uav_testgen.world.scene import Scene

_BEFORE_S = 5.0
_LONG_BEFORE_S = 25.0
_SLOW_MPS = 0.25


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Facts about the closest approach; seconds count from the beginning of the flight."""

    moment_s: float
    obstacle_index: int
    distance_m: float
    """In plan view, from the vehicle's centre."""
    leg: int
    altitude_share: float
    """Of the mission's height at that moment: below 1 while climbing."""
    is_moving: bool
    bearing_deg: float
    """Nearest point of the obstacle, from the heading, left positive."""
    unseen_share: float
    """Of the seconds before, how long its nearest point was outside the camera's view."""
    in_view_s: float
    """Of the 20 s before, how long that place was in the camera's view and reach, with nothing between."""
    hidden_s: float
    """Of the 20 s before, how long that place was in reach behind an obstacle."""
    to_corner_m: float
    """From the nearest point of its outline to the nearest corner; infinite for round ones."""
    other_side_m: float
    """Nearest obstacle on the other side of the vehicle; infinite where there is none."""
    turns: int
    """Changes of the turning direction in the seconds before."""
    hovered_s: float
    """Time almost at rest in the half minute before."""
    passed_before: bool
    """Was it passed on an earlier leg?"""

    def to_json(self) -> dict[str, Any]:
        """Plain data; infinite is null."""
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in asdict(self).items()
        }


def circumstances(scenario: Scenario, flight: Flight, view_rad: float) -> Circumstances | None:
    """The facts of a flight; None without obstacles or samples. `view_rad` is the camera's horizontal view."""
    verdict = judge(scenario, flight)
    if verdict.obstacle_index is None or verdict.moment_s is None or len(flight.trajectory) < 2:
        return None
    flown = flight.trajectory
    t_s = flown.t_s - flown.t_s[0]
    at = min(int(np.searchsorted(t_s, verdict.moment_s)), len(t_s) - 1)
    obstacle = scenario.obstacles[verdict.obstacle_index]
    before = np.flatnonzero((t_s >= t_s[at] - _BEFORE_S) & (t_s <= t_s[at]))
    long_before = (t_s >= t_s[at] - _LONG_BEFORE_S) & (t_s <= t_s[at])
    signals = signals_of(scenario, flight, ["leg", "yaw_rate", "speed"])
    near = [
        _nearest(scenario, verdict.obstacle_index, flown.position_enu_m[k], float(flown.t_s[k]))
        for k in before
    ]
    bearings = np.array([_bearing_rad(flown.position_enu_m[k], float(flown.yaw_rad[k]), place)
                         for k, place in zip(before, near, strict=True)])  # fmt: skip
    place = near[-1]
    here = flown.position_enu_m[at]
    route_m = max(point[2] for point in scenario.mission.route_enu_m)
    corners = np.array(outline_places(_placed(scenario, verdict.obstacle_index, float(flown.t_s[at]))))
    away_m = float(np.hypot(*(place - here[:2])))
    steps_s = np.gradient(t_s)
    sight = sight_of(scenario, flown, at, verdict.obstacle_index, place, view_rad)
    return Circumstances(
        moment_s=float(t_s[at]),
        obstacle_index=verdict.obstacle_index,
        distance_m=away_m,
        leg=int(signals["leg"][at]),
        altitude_share=float(here[2] / route_m) if route_m > 0.0 else 1.0,
        is_moving=obstacle.motion is not None,
        bearing_deg=math.degrees(float(bearings[-1])),
        unseen_share=float(np.mean(np.abs(bearings) > 0.5 * view_rad)),
        in_view_s=sight.in_view_s,
        hidden_s=sight.hidden_s,
        to_corner_m=_to_corner_m(obstacle, corners, place),
        other_side_m=_other_side_m(scenario, verdict.obstacle_index, here, place, float(flown.t_s[at])),
        turns=_turns(signals["yaw_rate"][before]),
        hovered_s=float(np.sum(steps_s[long_before & (signals["speed"] < _SLOW_MPS)])),
        passed_before=_passed_before(scenario, verdict.obstacle_index, flight, signals["leg"], at, away_m),
    )


def _placed(scenario: Scenario, index: int, t_s: float) -> Obstacle:
    obstacle = scenario.obstacles[index]
    if obstacle.motion is None:
        return obstacle
    centre = centres_at(Scene.of(scenario).world.obstacles, t_s)[index]
    return obstacle.model_copy(update={"center_enu_m": tuple(centre.tolist())})


def _nearest(scenario: Scenario, index: int, point: FloatArray, t_s: float) -> FloatArray:
    """Nearest point of an obstacle's outline, in plan view."""
    corners = np.array(outline_places(_placed(scenario, index, t_s)))
    ends = np.roll(corners, -1, axis=0)
    way = ends - corners
    length = np.maximum(np.einsum("ij,ij->i", way, way), 1e-12)
    share = np.clip(np.einsum("ij,ij->i", point[:2] - corners, way) / length, 0.0, 1.0)
    places = corners + share[:, np.newaxis] * way
    return np.asarray(places[int(np.argmin(np.hypot(*(places - point[:2]).T)))])


def _bearing_rad(point: FloatArray, yaw_rad: float, place: FloatArray) -> float:
    east, north = place - point[:2]
    return (math.atan2(north, east) - yaw_rad + math.pi) % (2.0 * math.pi) - math.pi


def _to_corner_m(obstacle: Obstacle, corners: FloatArray, place: FloatArray) -> float:
    if len(corners) > 8:  # a round one, drawn with many corners
        return math.inf
    return float(np.min(np.hypot(*(corners - place).T)))


def _other_side_m(scenario: Scenario, index: int, here: FloatArray, place: FloatArray, t_s: float) -> float:
    towards = place - here[:2]
    least = math.inf
    for other in range(len(scenario.obstacles)):
        if other == index:
            continue
        there = _nearest(scenario, other, here, t_s) - here[:2]
        if float(there @ towards) < 0.0:
            least = min(least, float(np.hypot(*there)))
    return least


def _turns(rates_degps: FloatArray) -> int:
    """How often the turning direction changed, small movements left out."""
    signs = np.sign(rates_degps[np.abs(rates_degps) > 8.0])
    return int(np.sum(signs[1:] != signs[:-1]))


def _passed_before(
    scenario: Scenario, index: int, flight: Flight, legs: FloatArray, at: int, away_m: float
) -> bool:
    """Was it within sight's reach on an earlier leg?"""
    earlier = legs < legs[at]
    if not np.any(earlier):
        return False
    distance = signals_of(scenario, flight, [f"distance_{index + 1}"])[f"distance_{index + 1}"]
    return bool(np.min(distance[earlier]) < max(4.0, 2.0 * away_m))
