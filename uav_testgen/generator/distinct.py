"""No layout twice: what a search has accepted to fly, and whether a further layout would repeat any of it.

Two tests whose obstacles cover nearly the same ground count as one in a suite, so flying the second
would spend a simulation on nothing. The overlap is known before anything is flown.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uav_testgen.scenario.footprint import Layouts, overlap_matrix
from uav_testgen.scenario.model import Obstacle

# Diversity is a mean over the individuals; so many of them show it, and the number of pairs stays small.
_MOST_COMPARED = 100

Layout = Sequence[Obstacle]


class DistinctLayouts:
    """Accepts a layout unless it overlaps too much with one that was accepted before."""

    def __init__(self, max_overlap: float) -> None:
        self._max_overlap = max_overlap
        self._accepted = Layouts()

    def accepts(self, layout: Layout) -> bool:
        """True for a layout unlike all accepted ones, which it then joins."""
        if self._accepted.overlaps_more_than(layout, self._max_overlap):
            return False
        self._accepted.add(layout)
        return True


def diversity(layouts: Sequence[Layout]) -> float:
    """1 minus the overlap with the most similar other layout, on average: 0 for clones, 1 for strangers."""
    places = np.unique(np.linspace(0, len(layouts) - 1, min(len(layouts), _MOST_COMPARED)).astype(int))
    overlaps = overlap_matrix([layouts[place] for place in places])
    np.fill_diagonal(overlaps, 0.0)
    return float(np.mean(1.0 - np.max(overlaps, axis=1)))
