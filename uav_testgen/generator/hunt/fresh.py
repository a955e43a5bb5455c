"""Where ideas come from: a slanted wall in the way of a leg, a box anywhere near it, the two walls of `prgen`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from uav_testgen.generator.hunt.idea import Box, Idea, box_from_tip, idea_of
from uav_testgen.generator.prgen import PrgenConfig, PrgenGenerator
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.segment import Segment

# Chosen on missions 2, 4 and 5 with seeds that no table reports (from 101 on): of 360 boxes anywhere near a leg the
# nearest were thin walls whose left end leads, of those the ones turned by about 63 degrees with that end 5 to 6.5 m
# beside the track.
_TWO_WALLS_SHARE = 0.1
_SLANTED_UP_TO = 0.85


class FreshIdeas:
    """Draws ideas that descend from no other."""

    def __init__(self, base: Scenario, segments: Sequence[Segment], max_obstacles: int) -> None:
        self._arena = base.arena
        self._segments = segments
        self._most = max_obstacles
        self._walls = PrgenGenerator(base, PrgenConfig(mirror_share=0.5), 0)
        lengths = np.array([segment.length_m for segment in segments])
        self._shares = lengths / lengths.sum()
        self._leg_of_walls = [segment.leg for segment in segments].index(self._walls.segment.leg)

    def draw(self, rng: np.random.Generator) -> Idea | None:
        """One idea; None where this draw leads nowhere."""
        kind = rng.random()
        if self._most >= 2 and kind < _TWO_WALLS_SHARE:
            return self._two_walls(rng)
        return self._slanted_wall(rng) if kind < _SLANTED_UP_TO else self._any_box(rng)

    def beside(self, rng: np.random.Generator, idea: Idea) -> Idea:
        """An idea with one more wall near its last, where the drone may want to escape."""
        last = idea.boxes[-1]
        more = Box(
            along_m=last.along_m + float(rng.uniform(-8.0, 12.0)),
            across_m=last.across_m + float(rng.uniform(-10.0, 10.0)),
            turn_rad=float(rng.uniform(0.0, math.pi)),
            length_m=float(rng.uniform(self._arena.min_side_m, self._arena.max_side_m)),
            width_m=self._arena.min_side_m,
        )
        return Idea(idea.leg, (*idea.boxes, more))

    def leg(self, rng: np.random.Generator) -> int:
        """One of the legs, long ones more often."""
        return int(rng.choice(len(self._segments), p=self._shares))

    def _slanted_wall(self, rng: np.random.Generator) -> Idea:
        """A long thin wall across the leg, its left end ahead and a few metres beside the track.

        The drone follows it to the left and turns right round that end. Its camera looks to the left of the course, so
        there it no longer sees the wall.
        """
        leg, arena = self.leg(rng), self._arena
        tip_m = (float(rng.uniform(0.1, 1.0)) * self._segments[leg].length_m, float(rng.uniform(4.6, 6.8)))
        turn_rad = math.radians(float(rng.uniform(54.0, 70.0)))
        length_m = float(rng.uniform(0.65, 1.0)) * arena.max_side_m
        return Idea(leg, (box_from_tip(tip_m, turn_rad, length_m, arena.min_side_m),))

    def _any_box(self, rng: np.random.Generator) -> Idea:
        leg, arena = self.leg(rng), self._arena
        length_m, width_m = rng.uniform(arena.min_side_m, arena.max_side_m, 2)
        box = Box(
            along_m=float(rng.uniform(0.0, self._segments[leg].length_m)),
            across_m=float(rng.uniform(-8.0, 8.0)),
            turn_rad=float(rng.uniform(0.0, math.pi)),
            length_m=float(length_m),
            width_m=float(width_m),
        )
        return Idea(leg, (box,))

    def _two_walls(self, rng: np.random.Generator) -> Idea | None:
        layout = self._walls.draw(rng)
        return None if layout is None else idea_of(layout, self._leg_of_walls, self._segments)
