"""How near a flight came to the obstacles, by three measures.

* 3-D: exact distance from the vehicle's centre to the nearest surface, also between samples.
* horizontal: the same in plan view.
* Aerialist's: the line through 0.5 s averages, in plan view, minus half the vehicle's width, not below
  0. Where that is 0 because the line passes over an obstacle, the height above its top counts instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.obstacle_poses import ObstaclePoses
from uav_testgen.flight.resample import period_averages
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.scenario.model import Obstacle, Scenario, Shape
from uav_testgen.shape.forms import FORMS
from uav_testgen.world.scene import Scene

_ROUNDING_M = 1e-6
"""More than rounding moves an outline; what lies within it gets the exact look."""


@dataclass(frozen=True, slots=True)
class Approach:
    """A closest approach: how near, when, to which obstacle."""

    distance_m: float
    moment_s: float
    obstacle_index: int


@dataclass(frozen=True, slots=True)
class Separation:
    """The closest approach of one flight by each measure."""

    exact: Approach
    horizontal: Approach
    aerialist: Approach

    def by(self, measure: str) -> Approach:
        """The approach by the name of its measure: aerialist, horizontal or 3d."""
        return {"aerialist": self.aerialist, "horizontal": self.horizontal, "3d": self.exact}[measure]


def separation(
    scenario: Scenario,
    trajectory: Trajectory,
    config: OracleConfig | None = None,
    seen: Mapping[int, ObstaclePoses] | None = None,
) -> Separation | None:
    """Closest approaches of a flight; None without obstacles or samples.

    `seen`: where obstacles really were, by their index; the others are where the scene says.
    """
    if not scenario.obstacles or len(trajectory) == 0:
        return None
    if seen:
        return _by_sight(scenario, trajectory, config, seen)
    config = config or OracleConfig()
    scene = Scene.of(scenario)
    t_s, positions = trajectory.t_s, trajectory.position_enu_m
    return Separation(
        exact=Approach(*scene.least_distance_m(t_s, positions)),
        horizontal=Approach(*scene.least_distance_m(t_s, positions, horizontal=True)),
        aerialist=aerialist_approach(scenario, scene, trajectory, config),
    )


def _by_sight(
    scenario: Scenario, trajectory: Trajectory, config: OracleConfig | None, seen: Mapping[int, ObstaclePoses]
) -> Separation | None:
    """An obstacle that was seen rests in its own frame, where the vehicle takes a way of its own round it."""
    found = []
    for index, obstacle in enumerate(scenario.obstacles):
        if index in seen:
            obstacle = obstacle.model_copy(
                update={"center_enu_m": (0.0, 0.0, 0.0), "yaw_rad": 0.0, "motion": None}
            )
            way = _in_its_frame(trajectory, seen[index])
        else:
            way = trajectory
        near = separation(scenario.with_obstacles((obstacle,)), way, config)
        assert near is not None
        found.append((index, near))

    def least(measure: str) -> Approach:
        index, near = min(found, key=lambda pair: pair[1].by(measure).distance_m)
        return replace(near.by(measure), obstacle_index=index)

    return Separation(least("3d"), least("horizontal"), least("aerialist"))


def _in_its_frame(trajectory: Trajectory, poses: ObstaclePoses) -> Trajectory:
    """The flight relative to a moving, turning obstacle, at the times of both."""
    inside = (poses.t_s > trajectory.t_s[0]) & (poses.t_s < trajectory.t_s[-1])
    t_s = np.unique(np.concatenate([trajectory.t_s, poses.t_s[inside]]))
    position = np.column_stack(
        [np.interp(t_s, trajectory.t_s, trajectory.position_enu_m[:, axis]) for axis in range(3)]
    )
    centre, yaw = poses.at(t_s)
    east, north, up = (position - centre).T
    turned = np.column_stack(
        [np.cos(yaw) * east + np.sin(yaw) * north, np.cos(yaw) * north - np.sin(yaw) * east, up]
    )
    return Trajectory(t_s, turned, np.zeros_like(turned), np.zeros(len(t_s)))


def aerialist_approach(
    scenario: Scenario, scene: Scene, trajectory: Trajectory, config: OracleConfig
) -> Approach:
    """Aerialist's minimum distance over all obstacles, with its moment."""
    t_s, line = period_averages(trajectory.t_s, trajectory.position_enu_m, config.sampling_period_s)
    found = []
    for index, (obstacle, closest) in enumerate(
        zip(scenario.obstacles, scene.closest(t_s, line, horizontal=True), strict=True)
    ):
        distance_m = max(closest.distance_m - 0.5 * config.vehicle_width_m, 0.0)
        if distance_m == 0.0 and obstacle.motion is None:
            height_m = lowest_crossing_m(obstacle, line)
            if height_m is None:
                height_m = float(np.interp(closest.t_s, t_s, line[:, 2]))
            distance_m = max(height_m - obstacle.top_m, 0.0)
        found.append(Approach(distance_m, closest.t_s, index))
    return min(found, key=lambda approach: approach.distance_m)


def lowest_crossing_m(obstacle: Obstacle, line_enu_m: FloatArray) -> float | None:
    """Lowest height of a line where it lies over the obstacle's footprint; None if it never does."""
    own = _own_axes(obstacle, line_enu_m)
    lowest = math.inf
    if len(own) == 1:
        own = np.vstack([own, own])
    for index in _may_be_over(obstacle, own):
        start, end = own[index], own[index + 1]
        for inside in _shares_inside(obstacle, start[:2], end[:2]):
            # Height changes linearly, so its minimum is at one end of the part inside.
            lowest = min(lowest, *(float(start[2] + share * (end[2] - start[2])) for share in inside))
    return lowest if math.isfinite(lowest) else None


def _may_be_over(obstacle: Obstacle, own: FloatArray) -> list[int]:
    """Parts of a line, by the number of their start, that are not wholly on one side of the footprint.

    Only these need the exact look: a flight has hundreds of parts, few of them near any one obstacle.
    """
    outline = FORMS[obstacle.shape].outline(obstacle.size_m, obstacle.triangles)
    if outline.radius_m is not None:
        lowest, highest = np.full(2, -outline.radius_m), np.full(2, outline.radius_m)
    else:
        corners = np.array([corner for piece in outline.pieces for corner in piece])
        lowest, highest = corners.min(axis=0), corners.max(axis=0)
    ahead = np.minimum(own[:-1, :2], own[1:, :2]) <= highest + _ROUNDING_M
    behind = np.maximum(own[:-1, :2], own[1:, :2]) >= lowest - _ROUNDING_M
    return [int(index) for index in np.flatnonzero((ahead & behind).all(axis=1))]


def _own_axes(obstacle: Obstacle, points_enu_m: FloatArray) -> FloatArray:
    """Points in the obstacle's own horizontal axes, heights kept."""
    offset = points_enu_m - np.array([*obstacle.center_enu_m[:2], 0.0])
    cosine, sine = math.cos(obstacle.yaw_rad), math.sin(obstacle.yaw_rad)
    return np.column_stack(
        [
            cosine * offset[:, 0] + sine * offset[:, 1],
            cosine * offset[:, 1] - sine * offset[:, 0],
            offset[:, 2],
        ]
    )


def _shares_inside(obstacle: Obstacle, start: FloatArray, end: FloatArray) -> list[tuple[float, float]]:
    """The shares of a straight way in the obstacle's own axes between which it is inside the footprint."""
    outline = FORMS[obstacle.shape].outline(obstacle.size_m, obstacle.triangles)
    if outline.radius_m is not None:
        found = [_inside_circle(outline.radius_m, start, end)]
    elif obstacle.shape is Shape.BOX:
        found = [_inside_box(obstacle.size_m, start, end)]
    else:
        found = [_inside_polygon(np.array(piece), start, end) for piece in outline.pieces]
    cut = [(max(low, 0.0), min(high, 1.0)) for low, high in (one for one in found if one is not None)]
    return [(low, high) for low, high in cut if low <= high]


def _inside_circle(radius_m: float, start: FloatArray, end: FloatArray) -> tuple[float, float] | None:
    way = end - start
    a, b, c = float(way @ way), float(start @ way), float(start @ start) - radius_m**2
    if a == 0.0:
        return (0.0, 1.0) if c <= 0.0 else None
    root = b * b - a * c
    if root < 0.0:
        return None
    return (-b - math.sqrt(root)) / a, (-b + math.sqrt(root)) / a


def _inside_box(
    size_m: tuple[float, float, float], start: FloatArray, end: FloatArray
) -> tuple[float, float] | None:
    way = end - start
    low, high = 0.0, 1.0
    for axis in range(2):
        half_m = 0.5 * size_m[axis]
        if way[axis] == 0.0:
            if abs(start[axis]) > half_m:
                return None
            continue
        one, other = (-half_m - start[axis]) / way[axis], (half_m - start[axis]) / way[axis]
        low, high = max(low, min(one, other)), min(high, max(one, other))
    return low, high


def _inside_polygon(corners: FloatArray, start: FloatArray, end: FloatArray) -> tuple[float, float] | None:
    """For a convex polygon, counter-clockwise: inside is left of every edge."""
    way = end - start
    low, high = 0.0, 1.0
    for corner, edge in zip(corners, np.roll(corners, -1, axis=0) - corners, strict=True):
        left = float(edge[0] * (start[1] - corner[1]) - edge[1] * (start[0] - corner[0]))
        rate = float(edge[0] * way[1] - edge[1] * way[0])
        if rate == 0.0:
            if left < 0.0:
                return None
        elif rate > 0.0:
            low = max(low, -left / rate)
        else:
            high = min(high, -left / rate)
    return low, high
