"""`prgen`: the pseudo-random generator of PRGenUAV-LFS, two thin walls that force an S-shaped path.

The first wall obstructs the segment of interest. It meets the segment at an obtuse angle, so that the
shorter part A (one third of its length) leads ahead and the planner follows it. The second wall stands
perpendicular to the first beyond the end of part A, 1.75 times as long, close enough that the vehicle
has to turn sharply round that end and far enough that it can::

            goal                      A     direction of the wall's shorter part
             ^        second          gap   between the end of A and the second wall
             |      /  wall           ahead share of the second wall beyond the first wall's line
        \\    |     /
      B  \\---+---A   (gap)
             |     /
             |    /
           start

The paper describes one case (its Figure 1) and transforms it for the others. Here everything is
expressed along the flight direction, which is that transformation: part A lies on the side to which
the leg drifts while it crosses the area (for a leg without drift, towards the farther border), and a
leg flown the other way round gets the layout turned by half a circle.
"""

from __future__ import annotations

import math

import numpy as np
from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.generator.sampling import Layout, SamplingGenerator
from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.segment import Segment, segment_of_interest


class PrgenConfig(RoomConfig):
    """Ranges the layouts are drawn from; widths, height, split and length ratio are the paper's.

    The paper does not publish its ranges. These were chosen among seven candidates by a few dozen flights
    on missions 2, 4 and 5 in the low-fidelity simulator; differences between the better candidates were
    within chance, but a second wall farther back left the vehicle stuck more often.
    """

    width_m: float = Field(default=2.0, gt=0, le=20, description="Width of both walls [m]")
    height_m: float = Field(default=20.0, gt=0, le=1000, description="Height of both walls [m]")
    diagonal_min_m: float = Field(default=6.0, gt=0, description="Shortest diagonal of the first base [m]")
    diagonal_max_m: float = Field(default=11.6, gt=0, description="Longest diagonal of the first base [m]")
    obtuse_min_deg: float = Field(
        default=95.0, gt=90, lt=180, description="Smallest angle between part A and the way back [deg]"
    )
    obtuse_max_deg: float = Field(
        default=135.0, gt=90, lt=180, description="Largest angle between part A and the way back [deg]"
    )
    part_a_share: float = Field(default=1.0 / 3.0, gt=0, lt=1, description="Part A over the first wall")
    length_ratio: float = Field(default=1.75, gt=0, description="Length of the second wall over the first")
    gap_min_m: float = Field(default=4.0, gt=0, description="Narrowest gap between the walls [m]")
    gap_max_m: float = Field(default=6.0, gt=0, description="Widest gap between the walls [m]")
    ahead_min: float = Field(default=0.35, ge=0, le=1, description="Least share of the second wall ahead")
    ahead_max: float = Field(default=0.65, ge=0, le=1, description="Largest share of the second wall ahead")
    mirror_share: float = Field(
        default=0.0, ge=0, le=1, description="Share of proposals with part A on the other side (the paper: 0)"
    )
    max_tries: int = Field(default=2000, ge=1, description="Draws per proposal before giving up")

    @model_validator(mode="after")
    def _ordered(self) -> PrgenConfig:
        for low, high in (("diagonal_min_m", "diagonal_max_m"), ("obtuse_min_deg", "obtuse_max_deg")):
            if getattr(self, low) > getattr(self, high):
                raise ValueError(f"{low} must not be above {high}")
        for low, high in (("gap_min_m", "gap_max_m"), ("ahead_min", "ahead_max")):
            if getattr(self, low) > getattr(self, high):
                raise ValueError(f"{low} must not be above {high}")
        if self.diagonal_min_m <= self.width_m:
            raise ValueError("diagonal_min_m must be above width_m")
        return self


class PrgenGenerator(SamplingGenerator):
    """Two walls on the segment of interest, drawn anew for every proposal."""

    name = "prgen"
    config_type = PrgenConfig

    def __init__(self, base: Scenario, config: PrgenConfig | None = None, seed: int = 0) -> None:
        self._config = config or PrgenConfig()
        super().__init__(base, seed, self._config.max_tries)
        self._arena = base.arena
        self._segment = segment_of_interest(base.mission, base.arena)

    def draw(self, rng: np.random.Generator) -> Layout | None:
        """First wall, then the second relative to it; None where a containment constraint fails."""
        config = self._config
        # The second wall must not exceed the longest side the arena allows.
        longest_m = self._arena.max_side_m / config.length_ratio
        diagonal_max_m = min(config.diagonal_max_m, math.hypot(longest_m, config.width_m))
        diagonal_m = rng.uniform(min(config.diagonal_min_m, diagonal_max_m), diagonal_max_m)
        length_m = math.sqrt(diagonal_m**2 - config.width_m**2)
        obtuse_rad = math.radians(rng.uniform(config.obtuse_min_deg, config.obtuse_max_deg))
        mirrored = bool(rng.random() < config.mirror_share)
        side = -self.part_a_side if mirrored else self.part_a_side
        flight_rad = math.atan2(self._segment.direction[1], self._segment.direction[0])
        # Seen against the flight direction part A makes the acute complement of the obtuse angle.
        a_rad = flight_rad + side * (math.pi - obtuse_rad)
        crossing = self._crossing_point(rng, diagonal_m, length_m, a_rad)
        if crossing is None or not self._has_room(crossing, diagonal_m, side):
            return None
        gap_m = rng.uniform(config.gap_min_m, config.gap_max_m)
        ahead = rng.uniform(config.ahead_min, config.ahead_max)
        return self._walls(crossing, a_rad, side, length_m, gap_m, ahead)

    @property
    def segment(self) -> Segment:
        """The leg that is obstructed."""
        return self._segment

    @property
    def part_a_side(self) -> int:
        """+1 if part A lies to the left of the flight direction, -1 if to the right."""
        east, north = self._segment.direction
        drift = north
        if abs(north) < 1e-9:
            middle_north_m = 0.5 * (self._arena.north_min_m + self._arena.north_max_m)
            drift = 1.0 if self._segment.at(0.5)[1] < middle_north_m else -1.0
        # Left of a flight towards the east is north.
        return 1 if drift * (east if east != 0.0 else 1.0) > 0.0 else -1

    def _crossing_point(
        self, rng: np.random.Generator, diagonal_m: float, length_m: float, a_rad: float
    ) -> tuple[float, float] | None:
        """Where the first wall meets the segment; None where that is beyond its end."""
        segment, half_m = self._segment, 0.5 * diagonal_m
        if not segment.crosses_both_borders:
            if segment.length_m <= diagonal_m:
                return None
            return segment.at(rng.uniform(half_m, segment.length_m - half_m) / segment.length_m)
        low_m, high_m = self._arena.east_min_m + half_m, self._arena.east_max_m - half_m
        if low_m >= high_m:
            return None
        # The base's own coordinate is drawn so that even a diagonal across the borders stays inside;
        # the crossing point lies off the centre by what part A is shorter than half the wall.
        center_east_m = rng.uniform(low_m, high_m)
        east_m = center_east_m + (0.5 - self._config.part_a_share) * length_m * math.cos(a_rad)
        (start_east, _), (end_east, _) = segment.start_enu_m, segment.end_enu_m
        share = (east_m - start_east) / (end_east - start_east)
        return segment.at(share) if 0.0 <= share <= 1.0 else None

    def _has_room(self, crossing: tuple[float, float], diagonal_m: float, side: int) -> bool:
        """Even a diagonal parallel to the border leaves both its ends inside the area."""
        if not self._segment.crosses_both_borders:
            return True
        to_south_m = crossing[1] - self._arena.north_min_m
        to_north_m = self._arena.north_max_m - crossing[1]
        a_is_north = side * self._segment.direction[0] > 0.0
        room_a_m, room_b_m = (to_north_m, to_south_m) if a_is_north else (to_south_m, to_north_m)
        share = self._config.part_a_share
        return share * diagonal_m < room_a_m and (1.0 - share) * diagonal_m < room_b_m

    def _walls(
        self,
        crossing: tuple[float, float],
        a_rad: float,
        side: int,
        length_m: float,
        gap_m: float,
        ahead: float,
    ) -> Layout:
        config = self._config
        along = (math.cos(a_rad), math.sin(a_rad))
        # Perpendicular to part A, on the goal's side.
        onward = (math.sin(a_rad) * side, -math.cos(a_rad) * side)
        first_m = (config.part_a_share - 0.5) * length_m
        second_length_m = config.length_ratio * length_m
        second_m = config.part_a_share * length_m + gap_m + 0.5 * config.width_m
        onward_m = (ahead - 0.5) * second_length_m
        first = wall(
            (crossing[0] + first_m * along[0], crossing[1] + first_m * along[1]),
            a_rad,
            length_m,
            config.width_m,
            config.height_m,
            "first wall",
        )
        second = wall(
            (
                crossing[0] + second_m * along[0] + onward_m * onward[0],
                crossing[1] + second_m * along[1] + onward_m * onward[1],
            ),
            a_rad + 0.5 * math.pi,
            second_length_m,
            config.width_m,
            config.height_m,
            "second wall",
        )
        return (first, second)
