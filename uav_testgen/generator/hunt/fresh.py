"""Where ideas come from: a thin or thick box in the way of a leg, and the two walls of `prgen`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from uav_testgen.generator.hunt.idea import Box, Idea, idea_of
from uav_testgen.generator.prgen import PrgenConfig, PrgenGenerator
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.segment import Segment


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
        if self._most >= 2 and rng.random() < 0.15:
            return self._two_walls(rng)
        return self._one_box(rng)

    def leg(self, rng: np.random.Generator) -> int:
        """One of the legs, long ones more often."""
        return int(rng.choice(len(self._segments), p=self._shares))

    def _one_box(self, rng: np.random.Generator) -> Idea:
        leg, arena = self.leg(rng), self._arena
        length_m = rng.uniform(arena.min_side_m, arena.max_side_m)
        width_m = arena.min_side_m if rng.random() < 0.5 else rng.uniform(arena.min_side_m, arena.max_side_m)
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
