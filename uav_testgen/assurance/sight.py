"""Could the vehicle have seen the place it came too near to? In plan view, over the time that a planner remembers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from uav_testgen.core.arrays import BoolArray, FloatArray
from uav_testgen.flight.model import Trajectory
from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.scenario.footprint import outline_places
from uav_testgen.scenario.model import Scenario
from uav_testgen.world.motion import centres_at
from uav_testgen.world.scene import Scene

_PLANNER = PlannerConfig()
REMEMBERED_S = _PLANNER.max_point_age_s
"""3DVFH* forgets what it has not seen for so long."""
REACH_M = _PLANNER.max_sensor_range_m
"""What is farther away it does not use."""
_OFF_THE_WALL_M = 0.05
"""A place on an outline is looked at from this far outside, or rounding would hide it behind its own wall."""


class Sight(NamedTuple):
    """How long a place was in reach before a moment: in view, or hidden behind an obstacle."""

    in_view_s: float
    hidden_s: float


def sight_of(
    scenario: Scenario, flown: Trajectory, at: int, index: int, place: FloatArray, view_rad: float
) -> Sight:
    """Sight of a place on the outline of obstacle `index`, before sample `at`; a moving obstacle takes it along."""
    t_s = flown.t_s
    before = np.flatnonzero((t_s >= t_s[at] - REMEMBERED_S) & (t_s <= t_s[at]))
    steps_s = np.diff(t_s[before], append=t_s[at])
    eyes = flown.position_enu_m[before]
    shifts = [_shifts(scenario, number, t_s[before]) for number in range(len(scenario.obstacles))]
    outwards = place - np.array(scenario.obstacles[index].center_enu_m[:2]) - shifts[index][-1]
    outwards *= _OFF_THE_WALL_M / max(float(np.hypot(*outwards)), _OFF_THE_WALL_M)
    target = place + outwards + shifts[index] - shifts[index][-1]
    away = target - eyes[:, :2]
    bearings = np.arctan2(away[:, 1], away[:, 0]) - flown.yaw_rad[before]
    ahead = np.abs((bearings + math.pi) % (2.0 * math.pi) - math.pi) <= 0.5 * view_rad
    in_reach = np.hypot(*away.T) <= REACH_M
    hidden = np.zeros(len(before), dtype=bool)
    for obstacle, shift in zip(scenario.obstacles, shifts, strict=True):
        as_high = (eyes[:, 2] >= obstacle.bottom_m) & (eyes[:, 2] <= obstacle.top_m)
        corners = np.array(outline_places(obstacle)) + shift[:, np.newaxis]
        hidden |= as_high & _crosses(eyes[:, :2], target, corners)
    return Sight(
        in_view_s=float(np.sum(steps_s[in_reach & ahead & ~hidden])),
        hidden_s=float(np.sum(steps_s[in_reach & hidden])),
    )


def _shifts(scenario: Scenario, index: int, t_s: FloatArray) -> FloatArray:
    """How far an obstacle has moved from where the scene has it, at each time."""
    obstacle = scenario.obstacles[index]
    if obstacle.motion is None:
        return np.zeros((len(t_s), 2))
    world = Scene.of(scenario).world.obstacles
    places = np.array([centres_at(world, float(moment_s))[index][:2] for moment_s in t_s])
    return np.asarray(places - np.array(obstacle.center_enu_m[:2]))


def _crosses(eyes: FloatArray, target: FloatArray, corners: FloatArray) -> BoolArray:
    """Does the line from each eye to its target cross an outline, given by its corners at each time?"""
    sides = np.roll(corners, -1, axis=1) - corners
    look = (target - eyes)[:, np.newaxis]
    to_side = corners - eyes[:, np.newaxis]
    turn = _cross(look, sides)
    turn = np.where(turn == 0.0, 1e-12, turn)
    along_look, along_side = _cross(to_side, sides) / turn, _cross(to_side, look) / turn
    met = (along_look > 0.0) & (along_look < 1.0) & (along_side >= 0.0) & (along_side <= 1.0)
    return np.asarray(np.any(met, axis=1))


def _cross(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])
