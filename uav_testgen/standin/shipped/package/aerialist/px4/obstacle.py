"""Obstacles in the test frame: a box l along x, w along y, turned by r degrees; or a cylinder. Python 3.8."""

import math
from typing import NamedTuple

from shapely import affinity
from shapely.geometry import Point, box

from .._outside import config


class Obstacle(object):
    """Size and position; the outline in plan view is `geometry`."""

    USE_RADIANS = config("USE_RADIANS", cast=bool, default=False)
    CENTER_POSITION = True
    BOX = "box"
    CYLINDER = "cylinder"

    class Size(NamedTuple):
        """Length, width, height [m]; r is the radius of a cylinder."""

        l: float  # noqa: E741
        w: float
        h: float
        r: float = 0

    class Position(NamedTuple):
        """Centre of the base [m] and rotation."""

        x: float
        y: float
        z: float = 0
        r: float = 0

    def __init__(self, size, position, shape=BOX):
        self.size = size
        self.position = position
        self.shape = shape or self.BOX
        if self.shape == self.CYLINDER:
            self.geometry = Point(position.x, position.y).buffer(size.r or size.l / 2.0)
            self.unrotated_geometry = self.geometry
            return
        half = (size.l / 2.0, size.w / 2.0) if self.CENTER_POSITION else (0.0, 0.0)
        upright = box(-half[0], -half[1], size.l - half[0], size.w - half[1])
        turned = affinity.rotate(upright, position.r, "centroid", use_radians=self.USE_RADIANS)
        self.unrotated_geometry = affinity.translate(upright, position.x, position.y)
        self.geometry = affinity.translate(turned, position.x, position.y)

    def center(self):
        """The middle of the obstacle."""
        middle = self.geometry.centroid
        return Obstacle.Position(middle.x, middle.y, self.size.h / 2.0)

    def anchor_point(self):
        """The corner with the smallest coordinates before it is turned."""
        return Obstacle.Position(self.unrotated_geometry.bounds[0], self.unrotated_geometry.bounds[1], 0)

    def corner(self):
        """The corner of the bounding box with the smallest coordinates."""
        return Obstacle.Position(self.geometry.bounds[0], self.geometry.bounds[1], 0)

    def to_params(self):
        """l, w, h, x, y, z, r."""
        return [*self.size[:3], *self.position]

    def get_radians(self):
        """The rotation in radians."""
        return self.position.r if self.USE_RADIANS else math.radians(self.position.r)

    def get_degrees(self):
        """The rotation in degrees."""
        return math.degrees(self.position.r) if self.USE_RADIANS else self.position.r

    def plt_patch(self):
        """The outline for matplotlib."""
        from matplotlib.patches import Polygon

        return Polygon(list(self.geometry.exterior.coords), closed=True, color="gray", alpha=0.5)

    def intersects(self, other):
        """Do two obstacles overlap in plan view?"""
        return self.geometry.intersects(other.geometry)

    def distance(self, geometry):
        """Distance in plan view; to a line that crosses above the obstacle, the height above it."""
        distance = self.geometry.distance(geometry)
        if distance > 0 or not geometry.has_z:
            return distance
        crossing = self.geometry.intersection(geometry)
        parts = getattr(crossing, "geoms", [crossing])
        heights = [point[2] for part in parts for point in getattr(part, "coords", ()) if len(point) > 2]
        return min(heights) - self.size.h if heights and min(heights) > self.size.h else distance

    def to_dict(self):
        """Plain data."""
        return {"shape": self.shape, "size": self.size._asdict(), "position": self.position._asdict()}

    @classmethod
    def distance_to_many(cls, obstacles, line, buffer_width=0.0):
        """The smallest sum of the distances to all obstacles along a line."""
        spots = [Point(*point[:2]) for point in line.coords]
        return min(
            sum(max(o.geometry.distance(spot) - buffer_width, 0.0) for o in obstacles) for spot in spots
        )

    @classmethod
    def minimum_gap(cls, obstacles):
        """The smallest distance between two obstacles."""
        count = len(obstacles)
        pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
        return min(obstacles[i].geometry.distance(obstacles[j].geometry) for i, j in pairs)

    @classmethod
    def from_coordinates(cls, coordinates):
        """From l, w, h, x, y, z, r."""
        return cls(cls.Size(*coordinates[:3]), cls.Position(*coordinates[3:7]))

    @classmethod
    def from_coordinates_multiple(cls, coordinates):
        """From a flat list of seven numbers each."""
        return [
            cls.from_coordinates(coordinates[start : start + 7]) for start in range(0, len(coordinates), 7)
        ]

    @classmethod
    def from_dict(cls, obstacle):
        """Inverse of `to_dict`."""
        return cls(cls.Size(**obstacle["size"]), cls.Position(**obstacle["position"]), obstacle.get("shape"))

    @classmethod
    def from_dict_multiple(cls, obstacles):
        """Several of them."""
        return [cls.from_dict(obstacle) for obstacle in obstacles]
