"""The first population of a search: boxes near random points of the mission's route, each layout allowed.

A box thrown at the route with sides of up to 20 m leaves the area or lies on another box nearly always, so
boxes are drawn one by one until each keeps the rules beside those before it, and whole layouts until a way
through exists. Every individual of the first population can then be flown and teaches the search something.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.space import GENES_PER_BOX, BoxSpace
from uav_testgen.scenario.validity import is_valid

Vector = NDArray[np.float64]

# Far more draws than a layout in a competition's arena needs (about ten for a box, two for a layout).
_TRIES_PER_BOX = 100
_TRIES_PER_LAYOUT = 30
_TRIES_PER_POINT = 100


class PathSeeds:
    """Draws layouts along the route of a base scenario."""

    def __init__(self, base: Scenario, space: BoxSpace, spread_m: float, rng: np.random.Generator) -> None:
        self._base = base
        self._space = space
        self._spread_m = spread_m
        self._rng = rng
        self._exhausted = False
        self._route = np.array(base.mission.route_enu_m)[:, :2]

    @property
    def exhausted(self) -> bool:
        """True once no acceptable layout was found: the arena has no room, or no more room for new ones."""
        return self._exhausted

    def draw(self, count: int, accepts: Callable[[Vector], bool]) -> list[Vector]:
        """`count` accepted layouts; once exhausted, whatever is drawn: it counts as invalid and is bred away."""
        drawn: list[Vector] = []
        for _ in range(count):
            layout = self._layout()
            for _ in range(_TRIES_PER_LAYOUT):
                if self._exhausted or accepts(layout):
                    break
                layout = self._layout()
            else:
                self._exhausted = True
            drawn.append(layout)
        return drawn

    def _layout(self) -> Vector:
        boxes: list[Vector] = []
        has_room = not self._exhausted
        for number in range(1, self._space.count + 1):
            boxes.append(self._box())
            space, tries = BoxSpace(self._space.arena, number), 1
            while has_room and not is_valid(self._base.with_obstacles(space.decode(np.concatenate(boxes)))):
                boxes[-1] = self._box()
                tries += 1
                has_room = tries <= _TRIES_PER_BOX
        return np.concatenate(boxes)

    def _box(self) -> Vector:
        east_m, north_m = self._point_on_route()
        return self._space.encode_box(north_m, east_m, self._rng.random(GENES_PER_BOX - 2))

    def _point_on_route(self) -> tuple[float, float]:
        """Near a random point of the part of the route that crosses the arena."""
        arena, route = self._base.arena, self._route
        point = route[0]
        for _ in range(_TRIES_PER_POINT):
            leg = int(self._rng.integers(0, len(route) - 1))
            point = route[leg] + self._rng.random() * (route[leg + 1] - route[leg])
            point = point + self._rng.normal(0.0, self._spread_m, 2)
            in_east = arena.east_min_m < point[0] < arena.east_max_m
            if in_east and arena.north_min_m < point[1] < arena.north_max_m:
                break
        return float(point[0]), float(point[1])
