"""Lexicographic preference with tolerances: distance first, then novelty, then duration.

A difference below the tolerance of an objective does not count, so that the next objective decides.
Comparing pairs that way is not transitive, so values are put into bands instead: the band of the
first objective, then the band of the second, then the third, and only then the exact values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def preference_order(objectives: NDArray[np.float64], tolerances: Sequence[float]) -> list[int]:
    """Row indices from the most to the least preferred; all objectives are minimised."""
    widths = np.asarray(tolerances, dtype=np.float64)
    if np.any(widths <= 0.0):
        raise ValueError("every tolerance must be positive")
    bands = np.floor(objectives / widths)
    # lexsort takes the most important key last.
    keys = [*reversed(list(objectives.T)), *reversed(list(bands.T))]
    return [int(index) for index in np.lexsort(keys)]


def tolerance_filter(objectives: NDArray[np.float64], tolerances: Sequence[float]) -> list[int]:
    """Rows worth keeping at the end: in order of preference, one of each band of all objectives."""
    widths = np.asarray(tolerances, dtype=np.float64)
    seen: set[tuple[float, ...]] = set()
    kept = []
    for index in preference_order(objectives, tolerances):
        band = tuple(np.floor(objectives[index] / widths).tolist())
        if band not in seen:
            seen.add(band)
            kept.append(index)
    return kept
