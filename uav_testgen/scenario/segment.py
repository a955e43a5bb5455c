"""The segment of interest: the leg of a mission that obstacles should obstruct.

Among the legs that cross both the western and the eastern border of the obstacle area (bottom and top
in Aerialist's test frame), it is the one closest to the area's middle line, measured at the middle of
the part inside. A mission with no such leg uses the leg with the longest part inside the area. Ties go
to the leg flown first.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.footprint import part_inside_m
from uav_testgen.scenario.model import Mission

# A leg that only grazes a corner of the area cannot be obstructed.
MIN_INSIDE_M = 1.0
_ON_BORDER_M = 1e-6


@dataclass(frozen=True, slots=True)
class Segment:
    """The part of one leg that lies inside the obstacle area, ENU plane, in the order of flight."""

    leg: int
    start_enu_m: tuple[float, float]
    end_enu_m: tuple[float, float]
    crosses_both_borders: bool

    @property
    def length_m(self) -> float:
        """Length of the part inside."""
        return math.dist(self.start_enu_m, self.end_enu_m)

    @property
    def direction(self) -> tuple[float, float]:
        """Unit vector of flight (east, north)."""
        east, north = (b - a for a, b in zip(self.start_enu_m, self.end_enu_m, strict=True))
        return (east / self.length_m, north / self.length_m)

    def at(self, share: float) -> tuple[float, float]:
        """The point a share 0…1 of the way along."""
        (x0, y0), (x1, y1) = self.start_enu_m, self.end_enu_m
        return (x0 + share * (x1 - x0), y0 + share * (y1 - y0))


def segments_inside(mission: Mission, arena: Arena) -> tuple[Segment, ...]:
    """Every leg's part inside the obstacle area, in the order of flight; too short ones are left out."""
    route = mission.route_enu_m
    found = []
    for leg, (start, end) in enumerate(itertools.pairwise(route)):
        part = part_inside_m(start, end, arena)
        if len(part) < 2 or math.dist(part[0], part[-1]) < MIN_INSIDE_M:
            continue
        ends = sorted((part[0][0], part[-1][0]))
        crosses = (
            abs(ends[0] - arena.east_min_m) < _ON_BORDER_M and abs(ends[1] - arena.east_max_m) < _ON_BORDER_M
        )
        found.append(Segment(leg, part[0], part[-1], crosses))
    return tuple(found)


def segment_of_interest(mission: Mission, arena: Arena) -> Segment:
    """The leg to obstruct; InvalidScenario if the mission never enters the obstacle area."""
    inside = segments_inside(mission, arena)
    if not inside:
        raise InvalidScenario(
            f"mission '{mission.name or 'unnamed'}': no leg enters the obstacle area "
            f"(east {arena.east_min_m:g} to {arena.east_max_m:g} m, north {arena.north_min_m:g} to "
            f"{arena.north_max_m:g} m), so no obstacle there can matter; choose an arena around the mission"
        )
    middle_north_m = 0.5 * (arena.north_min_m + arena.north_max_m)
    crossing = [segment for segment in inside if segment.crosses_both_borders]
    if crossing:
        return min(crossing, key=lambda segment: abs(segment.at(0.5)[1] - middle_north_m))
    return max(inside, key=lambda segment: segment.length_m)
