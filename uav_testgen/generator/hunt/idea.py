"""Layouts as a leg of the mission sees them: how far along, how far to the left, turned by how much.

What makes a drone fail is the way it meets an obstacle. In the frame of the leg that stays the same when a layout is
moved along it, mirrored, or put on another leg, so what was learned in one place is worth something in another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.model import Obstacle
from uav_testgen.scenario.segment import Segment


@dataclass(frozen=True, slots=True)
class Box:
    """One box; its length lies in the direction `turn_rad`, to the left of the flight direction."""

    along_m: float
    across_m: float
    turn_rad: float
    length_m: float
    width_m: float

    @property
    def tip_m(self) -> tuple[float, float]:
        """Where its length ends, along and across: round this end of a slanted wall the drone flies."""
        half_m = 0.5 * self.length_m
        return (
            self.along_m + half_m * math.cos(self.turn_rad),
            self.across_m + half_m * math.sin(self.turn_rad),
        )


def box_from_tip(tip_m: tuple[float, float], turn_rad: float, length_m: float, width_m: float) -> Box:
    """The box whose length ends here."""
    half_m = 0.5 * length_m
    along_m = tip_m[0] - half_m * math.cos(turn_rad)
    return Box(along_m, tip_m[1] - half_m * math.sin(turn_rad), turn_rad, length_m, width_m)


@dataclass(frozen=True, slots=True)
class Idea:
    """Boxes in the frame of one leg, whose origin is where the leg enters the obstacle area."""

    leg: int
    boxes: tuple[Box, ...]

    @property
    def along_m(self) -> float:
        """Where its boxes are, on average."""
        return math.fsum(box.along_m for box in self.boxes) / len(self.boxes)

    def moved(self, by_m: float) -> Idea:
        """The same, farther along."""
        return replace(self, boxes=tuple(replace(box, along_m=box.along_m + by_m) for box in self.boxes))

    def mirrored(self) -> Idea:
        """The same on the other side."""
        boxes = (replace(box, across_m=-box.across_m, turn_rad=-box.turn_rad) for box in self.boxes)
        return replace(self, boxes=tuple(boxes))


def obstacles_of(idea: Idea, segments: Sequence[Segment], height_m: float) -> tuple[Obstacle, ...]:
    """The boxes where they stand."""
    segment = segments[idea.leg]
    (east_m, north_m), (ahead_e, ahead_n) = segment.start_enu_m, segment.direction
    heading_rad = math.atan2(ahead_n, ahead_e)
    return tuple(
        wall(
            (
                east_m + box.along_m * ahead_e - box.across_m * ahead_n,
                north_m + box.along_m * ahead_n + box.across_m * ahead_e,
            ),
            heading_rad + box.turn_rad,
            box.length_m,
            box.width_m,
            height_m,
            f"box {number}",
        )
        for number, box in enumerate(idea.boxes, start=1)
    )


def idea_of(obstacles: Sequence[Obstacle], leg: int, segments: Sequence[Segment]) -> Idea:
    """Boxes that stand somewhere, as a leg sees them."""
    segment = segments[leg]
    (east_m, north_m), (ahead_e, ahead_n) = segment.start_enu_m, segment.direction
    heading_rad = math.atan2(ahead_n, ahead_e)
    boxes = []
    for obstacle in obstacles:
        d_east, d_north = obstacle.center_enu_m[0] - east_m, obstacle.center_enu_m[1] - north_m
        boxes.append(
            Box(
                d_east * ahead_e + d_north * ahead_n,
                d_north * ahead_e - d_east * ahead_n,
                obstacle.yaw_rad - heading_rad,
                obstacle.size_m[0],
                obstacle.size_m[1],
            )
        )
    return Idea(leg, tuple(boxes))
