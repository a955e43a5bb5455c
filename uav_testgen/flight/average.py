"""The average of several flights of one test: DTW barycentre averaging.

Aerialist averages with a soft-DTW barycentre; this is the same idea with hard matchings: start from
the flight that is closest to all others, match every flight to it, replace each point by the mean of
what was matched to it, repeat. The flights' different speeds do not smear the path.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.similarity import dtw_m, matching

_SETTLED_M = 1e-3


def medoid(paths: Sequence[FloatArray]) -> int:
    """Index of the path with the smallest summed DTW to all others; the first of equals."""
    sums = [sum(dtw_m(one, other) for other in paths if other is not one) for one in paths]
    return int(np.argmin(sums))


def average_path(paths: Sequence[FloatArray], iterations: int = 10) -> FloatArray:
    """Barycentre (n, 3) of the given paths, with as many points as the most central one."""
    if not paths:
        raise ValueError("an average needs at least one path")
    center = np.array(paths[medoid(paths)], dtype=np.float64)
    if len(paths) == 1:
        return center
    for _ in range(iterations):
        total, count = np.zeros_like(center), np.zeros(len(center))
        for path in paths:
            pairs = matching(center, np.asarray(path, dtype=np.float64))
            np.add.at(total, pairs[:, 0], np.asarray(path)[pairs[:, 1]])
            np.add.at(count, pairs[:, 0], 1.0)
        moved = total / count[:, np.newaxis]
        step_m = float(np.max(np.abs(moved - center)))
        center = moved
        if step_m < _SETTLED_M:
            break
    return center
