"""How one idea becomes another."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from uav_testgen.generator.hunt.config import HuntConfig
from uav_testgen.generator.hunt.idea import Box, Idea, box_from_tip
from uav_testgen.scenario.arena import Arena

_ACROSS_RANGE_M = 8.0
_ALONG_RANGE_M = 8.0


class Variation:
    """Changes of an idea; each takes a random generator and an idea."""

    def __init__(self, config: HuntConfig, arena: Arena, legs: int) -> None:
        self._config = config
        self._arena = arena
        self._legs = legs
        self.ways: dict[str, Callable[[np.random.Generator, Idea], Idea]] = {
            "slide": self.slide,
            "vary": self.vary,
            "turn over": self.turn_over,
            "simplify": self.simplify,
        }

    def slide(self, rng: np.random.Generator, idea: Idea) -> Idea:
        """Along the leg, a little changed: other ground, the same encounter."""
        return self._changed(rng, idea.moved(float(rng.normal(0.0, self._config.slide_m))), 0.3)

    def vary(self, rng: np.random.Generator, idea: Idea) -> Idea:
        """A small change of everything."""
        return self._changed(rng, idea, 1.0)

    def turn_over(self, rng: np.random.Generator, idea: Idea) -> Idea:
        """On another leg or on the other side."""
        if self._legs > 1 and rng.random() < 0.5:
            other = int(rng.integers(self._legs - 1))
            idea = replace(idea, leg=other if other < idea.leg else other + 1)
        else:
            idea = idea.mirrored()
        return self._changed(rng, idea, 0.3)

    def simplify(self, rng: np.random.Generator, idea: Idea) -> Idea:
        """Without one of its boxes: a test with fewer obstacles is worth more. One box alone is varied."""
        if len(idea.boxes) < 2:
            return self.vary(rng, idea)
        gone = int(rng.integers(len(idea.boxes)))
        kept = tuple(box for place, box in enumerate(idea.boxes) if place != gone)
        return self._changed(rng, replace(idea, boxes=kept), 0.3)

    def _changed(self, rng: np.random.Generator, idea: Idea, share: float) -> Idea:
        return replace(
            idea, boxes=tuple(self._box(rng, box, share * self._config.step) for box in idea.boxes)
        )

    def _box(self, rng: np.random.Generator, box: Box, step: float) -> Box:
        noise = rng.normal(0.0, step, 5)
        low_m, high_m = self._arena.min_side_m, self._arena.max_side_m

        def side(value_m: float, by: float) -> float:
            return float(min(max(value_m + by * (high_m - low_m), low_m), high_m))

        along_m, across_m = box.tip_m
        return box_from_tip(
            (along_m + float(noise[0]) * _ALONG_RANGE_M, across_m + float(noise[1]) * _ACROSS_RANGE_M),
            box.turn_rad + float(noise[2]) * 0.5 * math.pi,
            side(box.length_m, float(noise[3])),
            # Thin walls stay thin as often as not.
            side(box.width_m, float(noise[4]) if rng.random() < 0.5 else 0.0),
        )
