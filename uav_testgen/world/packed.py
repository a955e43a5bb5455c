"""A scenario's physical world as plain arrays: what kernels, renderers and oracles take."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.scenario.model import LinearMotion, MotionMode, Obstacle, Scenario
from uav_testgen.shape.kinds import KIND_OF
from uav_testgen.shape.mesh import scaled
from uav_testgen.world.layout import (
    BACK_AND_FORTH,
    CX,
    CZ,
    FORM,
    HX,
    HZ,
    LEG_COLUMNS,
    LENGTH,
    MODE,
    OBSTACLE_COLUMNS,
    ONCE,
    POLYLINE_BACK_AND_FORTH,
    POLYLINE_ONCE,
    SHAPE,
    STATIC,
    TO_X,
)
from uav_testgen.world.motion import place_obstacles
from uav_testgen.world.terrain import Ground, build_ground

VIEW_MARGIN_M = 80.0
"""Ground is modelled this far beyond mission and obstacles: camera range plus any sensible detour."""

LEAST_MOTION_M = 1e-3
"""A shorter way is no motion: it changes nothing that is seen or judged and would turn round endlessly."""

_MODES = {MotionMode.ONCE: ONCE, MotionMode.BACK_AND_FORTH: BACK_AND_FORTH}
_POLYLINE_MODES = {MotionMode.ONCE: POLYLINE_ONCE, MotionMode.BACK_AND_FORTH: POLYLINE_BACK_AND_FORTH}


class PackedWorld(NamedTuple):
    """Obstacles (n, 17 or more) as laid out in `world.layout`, and the ground."""

    obstacles: FloatArray
    ground: Ground

    @property
    def moving(self) -> bool:
        """True if any obstacle moves, so that it has to be placed anew for every instant."""
        return bool(np.any(self.obstacles[:, MODE] != STATIC))

    def placed_at(self, t_s: float) -> FloatArray:
        """The obstacle rows with their centres at time t (a fresh array)."""
        placed = np.empty_like(self.obstacles)
        place_obstacles(self.obstacles, t_s, placed)
        return placed


def pack_obstacle(obstacle: Obstacle) -> FloatArray:
    """One obstacle as a row of 17 numbers, or more if it follows a polyline or is a mesh."""
    row = np.zeros(OBSTACLE_COLUMNS)
    row[SHAPE] = KIND_OF[obstacle.shape]
    row[CX : CZ + 1] = obstacle.center_enu_m
    row[HX : HZ + 1] = [0.5 * size for size in obstacle.size_m]
    row[HZ + 1 : TO_X] = math.cos(obstacle.yaw_rad), math.sin(obstacle.yaw_rad)
    motion = obstacle.motion
    if motion is None:
        row[TO_X : TO_X + 3] = obstacle.center_enu_m
    else:
        length_m = math.dist(obstacle.center_enu_m, motion.to_enu_m)
        mode = _MODES[motion.mode] if length_m >= LEAST_MOTION_M else STATIC
        row[TO_X : LENGTH + 1] = *motion.to_enu_m, motion.speed_mps, motion.start_s, mode, length_m
        if motion.via_enu_m:
            row = _with_legs(row, obstacle, motion)
    return _with_triangles(row, obstacle) if obstacle.triangles else row


def _with_legs(row: FloatArray, obstacle: Obstacle, motion: LinearMotion) -> FloatArray:
    """The row of an obstacle that follows a polyline; legs too short to matter are left out."""
    legs: list[float] = []
    here, way_m = obstacle.center_enu_m, 0.0
    for corner in (*motion.via_enu_m, motion.to_enu_m):
        length_m = math.dist(here, corner)
        if length_m >= LEAST_MOTION_M:
            way_m += length_m
            legs += [*corner, way_m]
            here = corner
    row[LENGTH] = way_m
    row[MODE] = _POLYLINE_MODES[motion.mode] if legs else STATIC
    return np.array([*row, len(legs) / LEG_COLUMNS, *legs])


def _with_triangles(row: FloatArray, obstacle: Obstacle) -> FloatArray:
    """The row of a mesh: its triangles in metres follow the legs of its motion."""
    row = row if len(row) > OBSTACLE_COLUMNS else np.array([*row, 0.0])
    row[FORM] = len(row)
    corners = scaled(obstacle.triangles, obstacle.size_m)
    return np.concatenate([row, [float(len(corners))], corners.ravel()])


def pack_obstacles(obstacles: Iterable[Obstacle]) -> FloatArray:
    """Rows of all obstacles, shape (n, 17) or wider, also for n = 0."""
    rows = [pack_obstacle(obstacle) for obstacle in obstacles]
    # All rows are as wide as the widest; only polylines and meshes need more than the usual columns.
    packed = np.zeros((len(rows), max([OBSTACLE_COLUMNS, *map(len, rows)])))
    for k, row in enumerate(rows):
        packed[k, : len(row)] = row
    return packed


def pack(scenario: Scenario) -> PackedWorld:
    """The world of a scenario."""
    obstacles = pack_obstacles(scenario.obstacles)
    places = [scenario.mission.home_enu_m, *scenario.mission.route_enu_m]
    places += [corner for obstacle in scenario.obstacles for corner in obstacle.way_enu_m]
    x = [place[0] for place in places]
    y = [place[1] for place in places]
    low_m = (min(x) - VIEW_MARGIN_M, min(y) - VIEW_MARGIN_M)
    high_m = (max(x) + VIEW_MARGIN_M, max(y) + VIEW_MARGIN_M)
    return PackedWorld(obstacles, build_ground(scenario.terrain, low_m, high_m))
