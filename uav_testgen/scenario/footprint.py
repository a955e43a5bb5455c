"""Plan-view geometry of obstacles: the one file that knows shapely.

Outlines are computed from an obstacle when they are asked for and never kept beside it; the last ones are
remembered by the obstacle's value, because every rule asks for the same outlines again. A moving obstacle is
represented by the whole strip it can cover, so rules about it hold at every moment.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely
from shapely import MultiPolygon, Polygon
from shapely.affinity import translate
from shapely.geometry.polygon import orient
from shapely.ops import unary_union

from uav_testgen.core.arrays import FloatArray
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.model import Obstacle, Point
from uav_testgen.shape.base import Place
from uav_testgen.shape.forms import FORMS
from uav_testgen.shape.mesh import hull

# Sides of a quarter circle: the polygon of a round obstacle is at most 0.02 % of its radius too small.
_QUARTER_SIDES = 32
_REMEMBERED = 256


def footprint(obstacle: Obstacle) -> Polygon | MultiPolygon:
    """Ground that a resting obstacle covers, in the ENU plane. Of a mesh: the union of its projected triangles."""
    east, north, _ = obstacle.center_enu_m
    outline = FORMS[obstacle.shape].outline(obstacle.size_m, obstacle.triangles)
    if outline.radius_m is not None:
        return shapely.Point(east, north).buffer(outline.radius_m, quad_segs=_QUARTER_SIDES)
    pieces = [Polygon(_placed(obstacle, piece)) for piece in outline.pieces]
    return pieces[0] if len(pieces) == 1 else unary_union(pieces)


def outline_places(obstacle: Obstacle, round_corners: int = 32) -> list[Place]:
    """Corners of the convex hull of the footprint, counter-clockwise; round ones as regular polygons."""
    outline = FORMS[obstacle.shape].outline(obstacle.size_m, obstacle.triangles)
    if outline.radius_m is not None:
        east, north, _ = obstacle.center_enu_m
        radius = outline.radius_m
        angles = (2.0 * math.pi * k / round_corners for k in range(round_corners))
        return [(east + radius * math.cos(angle), north + radius * math.sin(angle)) for angle in angles]
    if len(outline.pieces) == 1:
        return _placed(obstacle, outline.pieces[0])
    return _placed(obstacle, hull(place for piece in outline.pieces for place in piece))


def footprint_rings(obstacle: Obstacle) -> list[list[Place]]:
    """Borders of the footprint, counter-clockwise, and of its holes, clockwise; each ends where it begins."""
    covered = footprint(obstacle)
    return [
        [(float(x), float(y)) for x, y in ring.coords]
        for part in map(orient, getattr(covered, "geoms", [covered]))
        for ring in (part.exterior, *part.interiors)
    ]


def _placed(obstacle: Obstacle, own: Iterable[Place]) -> list[Place]:
    """Places in the obstacle's own axes as places in the ENU plane."""
    east, north, _ = obstacle.center_enu_m
    cosine, sine = math.cos(obstacle.yaw_rad), math.sin(obstacle.yaw_rad)
    return [(east + cosine * x - sine * y, north + sine * x + cosine * y) for x, y in own]


@lru_cache(maxsize=_REMEMBERED)
def swept_footprint(obstacle: Obstacle) -> Polygon | MultiPolygon:
    """Everything the obstacle covers while it moves; its footprint if it rests."""
    resting = footprint(obstacle)
    if obstacle.motion is None:
        return resting
    east, north, _ = obstacle.center_enu_m
    ends = [resting, *(translate(resting, x - east, y - north) for x, y, _ in obstacle.way_enu_m[1:])]
    # A convex shape in straight motion covers exactly the convex hull of its two ends. A mesh covers less than
    # that where it is hollow; rules keep its hull free.
    legs = [shapely.GeometryCollection(list(two)).convex_hull for two in pairwise(ends)]
    return legs[0] if len(legs) == 1 else shapely.unary_union(legs)


def bounds_enu_m(obstacle: Obstacle) -> tuple[float, float, float, float]:
    """(east min, north min, east max, north max) of everything the obstacle covers."""
    outline = FORMS[obstacle.shape].outline(obstacle.size_m, obstacle.triangles)
    if obstacle.motion is None and outline.radius_m is None:
        # The same numbers without a polygon: a sampling generator asks this of everything it draws.
        places = [place for piece in outline.pieces for place in _placed(obstacle, piece)]
        easts, norths = [east for east, _ in places], [north for _, north in places]
        return (min(easts), min(norths), max(easts), max(norths))
    east_min, north_min, east_max, north_max = swept_footprint(obstacle).bounds
    return (float(east_min), float(north_min), float(east_max), float(north_max))


def gap_m(one: Obstacle, other: Obstacle) -> float:
    """Smallest horizontal distance between two obstacles; 0 where they touch or overlap."""
    return float(swept_footprint(one).distance(swept_footprint(other)))


def overlap_area_m2(one: Obstacle, other: Obstacle) -> float:
    """Common area of two obstacles in plan view."""
    return float(swept_footprint(one).intersection(swept_footprint(other)).area)


def distance_to_point_m(obstacle: Obstacle, east_m: float, north_m: float) -> float:
    """Horizontal distance from a point to the obstacle; 0 inside."""
    return float(swept_footprint(obstacle).distance(shapely.Point(east_m, north_m)))


def part_inside_m(start: Point, end: Point, arena: Arena) -> tuple[tuple[float, float], ...]:
    """The part of a straight leg inside the obstacle area, as (start, end) in the order of flight."""
    area = shapely.box(arena.east_min_m, arena.north_min_m, arena.east_max_m, arena.north_max_m)
    part = shapely.LineString([start[:2], end[:2]]).intersection(area)
    if part.is_empty or part.geom_type != "LineString":
        return ()
    return tuple((float(x), float(y)) for x, y in part.coords)


def obstacle_iou(one: Sequence[Obstacle], other: Sequence[Obstacle]) -> float:
    """Area of the intersection over the union of the ground two sets of obstacles cover; 1 if both empty."""
    first = unary_union([footprint(obstacle) for obstacle in one])
    second = unary_union([footprint(obstacle) for obstacle in other])
    union = float(first.union(second).area)
    return float(first.intersection(second).area) / union if union > 0.0 else 1.0


def _ground(obstacles: Sequence[Obstacle]) -> shapely.Geometry:
    return unary_union([footprint(obstacle) for obstacle in obstacles])


def overlap_matrix(layouts: Sequence[Sequence[Obstacle]]) -> FloatArray:
    """`obstacle_iou` of every pair of layouts."""
    grounds = np.array([_ground(layout) for layout in layouts])
    areas_m2 = shapely.area(grounds)
    common_m2 = shapely.area(shapely.intersection(grounds[:, np.newaxis], grounds[np.newaxis, :]))
    union_m2 = areas_m2[:, np.newaxis] + areas_m2[np.newaxis, :] - common_m2
    return np.asarray(np.divide(common_m2, union_m2, out=np.ones_like(common_m2), where=union_m2 > 0.0))


class Layouts:
    """Sets of obstacles that were seen, and how much a further one overlaps with them."""

    def __init__(self) -> None:
        self._grounds: list[shapely.Geometry] = []
        self._areas_m2: list[float] = []

    def add(self, obstacles: Sequence[Obstacle]) -> None:
        """Remember a layout."""
        ground = _ground(obstacles)
        self._grounds.append(ground)
        self._areas_m2.append(float(ground.area))

    def __len__(self) -> int:
        return len(self._grounds)

    def overlaps(self, obstacles: Sequence[Obstacle], first: int = 0) -> FloatArray:
        """`obstacle_iou` with every remembered layout from number `first` on."""
        ground = _ground(obstacles)
        common_m2 = shapely.area(shapely.intersection(np.array(self._grounds[first:]), ground))
        union_m2 = np.array(self._areas_m2[first:]) + float(ground.area) - common_m2
        return np.asarray(np.divide(common_m2, union_m2, out=np.ones_like(common_m2), where=union_m2 > 0.0))

    def overlaps_more_than(self, obstacles: Sequence[Obstacle], limit: float) -> bool:
        """Is the `obstacle_iou` with any remembered layout above the limit?"""
        ground = _ground(obstacles)
        area_m2, areas_m2 = float(ground.area), np.array(self._areas_m2)
        # The intersection is no larger than the smaller of two areas, so their ratio bounds the overlap.
        near = np.flatnonzero(np.minimum(areas_m2, area_m2) > limit * np.maximum(areas_m2, area_m2))
        known = np.array([self._grounds[place] for place in near])
        common_m2 = shapely.area(shapely.intersection(known, ground))
        return bool(np.any(common_m2 > limit * (areas_m2[near] + area_m2 - common_m2)))


class FreeSpace:
    """The points of a rectangle that keep a clearance from every obstacle."""

    def __init__(
        self,
        rectangle_enu_m: tuple[float, float, float, float],
        obstacles: Sequence[Obstacle],
        clearance_m: float,
    ) -> None:
        blocked = [
            swept_footprint(obstacle).buffer(clearance_m, quad_segs=_QUARTER_SIDES) for obstacle in obstacles
        ]
        free = shapely.box(*rectangle_enu_m).difference(unary_union(blocked))
        parts = getattr(free, "geoms", [free])
        self._components = [part for part in parts if not part.is_empty]
        for part in self._components:
            shapely.prepare(part)

    def component(self, east_m: float, north_m: float) -> int | None:
        """Number of the connected part that holds a point; None where it is blocked."""
        point = shapely.Point(east_m, north_m)
        for number, part in enumerate(self._components):
            if part.intersects(point):
                return number
        return None

    @property
    def component_count(self) -> int:
        """Into how many separate parts the obstacles cut the rectangle."""
        return len(self._components)
