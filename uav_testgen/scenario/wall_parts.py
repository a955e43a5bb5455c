"""How a wall obstructs the segment of interest: where they meet, its parts A and B, the angle between them.

Part A is the shorter part of the wall's length, the one that leads the vehicle ahead. The angle is the one
between part A and the way back along the segment; PRGenUAV-LFS wants it obtuse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.scenario.model import Obstacle, Scenario, Shape
from uav_testgen.scenario.segment import Segment, segment_of_interest

Place = tuple[float, float]
_PARALLEL = 1e-9


@dataclass(frozen=True, slots=True)
class WallParts:
    """A wall cut in two by the segment, ENU plane."""

    obstacle: Obstacle
    segment: Segment
    crossing_enu_m: Place
    end_a_enu_m: Place
    end_b_enu_m: Place

    @property
    def part_a_m(self) -> float:
        """Length of the shorter part."""
        return math.dist(self.crossing_enu_m, self.end_a_enu_m)

    @property
    def part_b_m(self) -> float:
        """Length of the longer part."""
        return math.dist(self.crossing_enu_m, self.end_b_enu_m)

    @property
    def angle_deg(self) -> float:
        """Between part A and the way back along the segment."""
        east, north = (a - c for a, c in zip(self.end_a_enu_m, self.crossing_enu_m, strict=True))
        back_east, back_north = (-step for step in self.segment.direction)
        cosine = (east * back_east + north * back_north) / math.hypot(east, north)
        return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def first_wall(scenario: Scenario) -> WallParts:
    """The box that the segment of interest meets first; InvalidScenario if none is in its way."""
    segment = segment_of_interest(scenario.mission, scenario.arena)
    found = [parts for one in scenario.obstacles if (parts := _parts(one, segment)) is not None]
    if not found:
        raise InvalidScenario(
            f"'{scenario.name or 'the scenario'}': no box crosses the segment of interest, so there are no "
            "parts A and B; use a scene of generator prgen, such as config/scenarios/figure1.yaml"
        )
    return min(found, key=lambda parts: math.dist(segment.start_enu_m, parts.crossing_enu_m))


def _parts(obstacle: Obstacle, segment: Segment) -> WallParts | None:
    if obstacle.shape is not Shape.BOX:
        return None
    length_m, width_m, _ = obstacle.size_m
    along_rad = obstacle.yaw_rad if length_m >= width_m else obstacle.yaw_rad + 0.5 * math.pi
    half_m = 0.5 * max(length_m, width_m)
    along = (math.cos(along_rad), math.sin(along_rad))
    flight = segment.direction
    across = along[0] * flight[1] - along[1] * flight[0]
    if abs(across) < _PARALLEL:
        return None
    center, start = obstacle.center_enu_m[:2], segment.start_enu_m
    to_start = (start[0] - center[0], start[1] - center[1])
    on_wall_m = (to_start[0] * flight[1] - to_start[1] * flight[0]) / across
    on_segment_m = (to_start[0] * along[1] - to_start[1] * along[0]) / across
    if abs(on_wall_m) >= half_m or not 0.0 <= on_segment_m <= segment.length_m:
        return None

    def at(distance_m: float) -> Place:
        return (center[0] + distance_m * along[0], center[1] + distance_m * along[1])

    near, far = (half_m, -half_m) if on_wall_m >= 0.0 else (-half_m, half_m)
    return WallParts(obstacle, segment, at(on_wall_m), at(near), at(far))
