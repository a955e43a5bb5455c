"""The world of a scenario at time t, in readable NumPy: positions, distances, what is inside what.

The formulas for points are written out in NumPy in each shape's module, independent of the compiled ones; a test
holds the two together. Everything between samples goes to the compiled code.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.scenario.model import Scenario
from uav_testgen.shape.base import Size, Triangles
from uav_testgen.shape.forms import FORMS
from uav_testgen.shape.kinds import SHAPE_OF, Shape
from uav_testgen.shape.mesh import hull
from uav_testgen.shape.ring import ring
from uav_testgen.shape.row import TRIANGLE_COLUMNS
from uav_testgen.world.distance import trajectory_distance
from uav_testgen.world.ground import height_at
from uav_testgen.world.layout import COS_YAW, CX, CZ, FORM, HX, HZ, SHAPE, SIN_YAW
from uav_testgen.world.motion import centres_at
from uav_testgen.world.packed import PackedWorld, pack


class Closest(NamedTuple):
    """Where a trajectory comes closest to one obstacle."""

    distance_m: float
    t_s: float


class Scene:
    """Obstacles and ground of a scenario; all queries are exact and take the time into account."""

    def __init__(self, world: PackedWorld) -> None:
        self.world = world

    @classmethod
    def of(cls, scenario: Scenario) -> Scene:
        """The scene of a scenario."""
        return cls(pack(scenario))

    @property
    def obstacle_count(self) -> int:
        """Number of obstacles."""
        return int(self.world.obstacles.shape[0])

    def centres_enu_m(self, t_s: float) -> FloatArray:
        """Centres (n, 3) of the obstacles at time t."""
        return centres_at(self.world.obstacles, t_s)

    def distances_m(self, points_enu_m: ArrayLike, t_s: float, *, horizontal: bool = False) -> FloatArray:
        """Distance (points, obstacles) at time t; 0 inside; `horizontal` measures in plan view."""
        points = np.atleast_2d(np.asarray(points_enu_m, dtype=np.float64))
        centres = self.centres_enu_m(t_s)
        columns = [
            distance_to(row, centre, points, horizontal=horizontal)
            for row, centre in zip(self.world.obstacles, centres, strict=True)
        ]
        return np.stack(columns, axis=1) if columns else np.empty((len(points), 0))

    def contains(self, point_enu_m: ArrayLike, t_s: float) -> NDArray[np.bool_]:
        """For every obstacle: is the point inside it (or on its surface) at time t?"""
        return np.asarray(self.distances_m(point_enu_m, t_s)[0] == 0.0)

    def ground_height_m(self, x_m: float, y_m: float) -> float:
        """Height of the ground at (x, y); NaN where the scenario has none."""
        ground = self.world.ground
        return float(height_at(ground.vector, ground.heights, x_m, y_m))

    def closest(
        self, t_s: ArrayLike, positions_enu_m: ArrayLike, *, horizontal: bool = False
    ) -> tuple[Closest, ...]:
        """Per obstacle the least distance of a trajectory, also between its samples, and when it occurs."""
        times = np.ascontiguousarray(t_s, dtype=np.float64)
        positions = np.ascontiguousarray(positions_enu_m, dtype=np.float64).reshape(-1, 3)
        if times.shape != (len(positions),):
            raise ValueError(f"{times.shape} times do not fit {len(positions)} positions")
        if not (np.all(np.isfinite(times)) and np.all(np.diff(times) >= 0.0)):
            raise ValueError("the times of a trajectory must be finite and must not decrease")
        return tuple(
            Closest(*trajectory_distance(row, times, positions, horizontal)) for row in self.world.obstacles
        )

    def least_distance_m(
        self, t_s: ArrayLike, positions_enu_m: ArrayLike, *, horizontal: bool = False
    ) -> tuple[float, float, int]:
        """(distance, time, obstacle index) of the closest approach; (inf, nan, -1) without obstacles."""
        each = self.closest(t_s, positions_enu_m, horizontal=horizontal)
        if not each:
            return math.inf, math.nan, -1
        index = min(range(len(each)), key=lambda k: each[k].distance_m)
        return each[index].distance_m, each[index].t_s, index


def distance_to(
    row: FloatArray, centre_enu_m: FloatArray, points_enu_m: FloatArray, *, horizontal: bool = False
) -> FloatArray:
    """Distance of many points to one obstacle whose centre is at `centre_enu_m`."""
    relative = points_enu_m - centre_enu_m
    x = row[COS_YAW] * relative[:, 0] + row[SIN_YAW] * relative[:, 1]
    y = row[COS_YAW] * relative[:, 1] - row[SIN_YAW] * relative[:, 0]
    z = np.zeros_like(x) if horizontal else relative[:, 2]
    body = np.stack([x, y, z], axis=1)
    shape, size_m, triangles = body_of(row)
    return FORMS[shape].distance(body, size_m, triangles, horizontal)


def body_of(row: FloatArray) -> tuple[Shape, Size, Triangles]:
    """Shape, full extents [m] and (of a mesh) triangles of a packed obstacle."""
    half = row[HX : HZ + 1]
    first = int(row[FORM])
    triangles: Triangles = ()
    if first:
        end = first + 1 + TRIANGLE_COLUMNS * int(row[first])
        shares = row[first + 1 : end].reshape(-1, 3, 3) / half
        triangles = tuple(tuple((x, y, z) for x, y, z in one) for one in shares.tolist())  # type: ignore[misc]
    return SHAPE_OF[float(row[SHAPE])], (2.0 * half[0], 2.0 * half[1], 2.0 * half[2]), triangles


def outline_enu_m(
    row: FloatArray, centre_enu_m: FloatArray | None = None, *, corners: int = 64
) -> FloatArray:
    """Footprint polygon (k, 2): corners of a box, a regular polygon for round ones, the hull of a mesh."""
    centre = row[CX : CZ + 1] if centre_enu_m is None else centre_enu_m
    shape, size_m, triangles = body_of(row)
    outline = FORMS[shape].outline(size_m, triangles)
    if outline.radius_m is not None:
        body = ring(outline.radius_m, corners)
    else:
        one = (
            outline.pieces[0]
            if len(outline.pieces) == 1
            else hull(p for piece in outline.pieces for p in piece)
        )
        body = np.array(one)
    turn = np.array([[row[COS_YAW], -row[SIN_YAW]], [row[SIN_YAW], row[COS_YAW]]])
    return np.asarray(body @ turn.T + centre[:2])
