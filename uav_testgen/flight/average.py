"""The average of several flights of one test: DTW barycentre averaging.

Aerialist averages with a soft-DTW barycentre; this is the same idea with hard matchings: start from
the flight that is closest to all others, match every flight to it, replace each point by the mean of
what was matched to it, repeat. The flights' different speeds do not smear the path.

Three things keep the average as smooth as the flights it is made of:

* Paths are matched as points at equal distances along the way. Samples at equal times crowd where the
  vehicle hovers, and a matching may put a whole crowd on one point and leave its neighbours to others.
* Every flight has one vote on every point: first the mean of its own matched points, then the mean over the
  flights. With one vote for each matched point, an average of two flights side by side jumps to whichever
  has more points at that place: a sawtooth.
* Flights that take different ways round an obstacle have no average worth its name (it would lead through the
  obstacle). Where the length of the average is not that of the flights, the most central flight stands for all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.similarity import dtw_m, matching

_SETTLED_M = 1e-3
# Points along the way: fine enough for a turn of the vehicle, few enough for matchings of long flights.
_SPACING_M = 0.1
_MOST_POINTS = 1000
# An average that is longer or shorter than the median flight by more than this is none.
_LENGTH_TOLERANCE = 0.05


def medoid(paths: Sequence[FloatArray]) -> int:
    """Index of the path with the smallest summed DTW to all others; the first of equals."""
    sums = [sum(dtw_m(one, other) for other in paths if other is not one) for one in paths]
    return int(np.argmin(sums))


def length_m(path: FloatArray) -> float:
    """Length of the way along a path."""
    return float(_walked_m(path)[-1])


def average_path(paths: Sequence[FloatArray], iterations: int = 10) -> FloatArray:
    """Barycentre (n, 3) of the given paths, point by point at the progress of the most central one."""
    if not paths:
        raise ValueError("an average needs at least one path")
    ways = [np.asarray(path, dtype=np.float64) for path in paths]
    central = ways[medoid(ways)]
    lengths_m = [length_m(way) for way in ways]
    typical_m = float(np.median(lengths_m))
    if len(ways) == 1 or typical_m == 0.0:
        return np.array(central)
    count = int(np.clip(max(lengths_m) / _SPACING_M, 2, _MOST_POINTS))
    center = _barycentre(_evenly(central, count), [_evenly(way, count) for way in ways], iterations)
    if abs(length_m(center) - typical_m) > _LENGTH_TOLERANCE * typical_m:
        return np.array(central)
    progress = _walked_m(central) / max(length_m(central), 1e-12)
    return _at(center, progress)


def _barycentre(center: FloatArray, ways: Sequence[FloatArray], iterations: int) -> FloatArray:
    for _ in range(iterations):
        moved = np.mean([_matched_mean(center, way) for way in ways], axis=0)
        # At equal distances again, so that the next matching finds no crowds either.
        moved = _evenly(moved, len(moved))
        step_m = float(np.max(np.abs(moved - center)))
        center = moved
        if step_m < _SETTLED_M:
            break
    return center


def _matched_mean(center: FloatArray, way: FloatArray) -> FloatArray:
    """For each point of the center the mean of the points of the way that are matched to it."""
    pairs = matching(center, way)
    total, count = np.zeros_like(center), np.zeros(len(center))
    np.add.at(total, pairs[:, 0], way[pairs[:, 1]])
    np.add.at(count, pairs[:, 0], 1.0)
    return np.asarray(total / count[:, np.newaxis])


def _walked_m(path: FloatArray) -> FloatArray:
    steps_m = np.linalg.norm(np.diff(path, axis=0), axis=1)
    return np.concatenate([[0.0], np.cumsum(steps_m)])


def _evenly(path: FloatArray, count: int) -> FloatArray:
    return _at(path, np.linspace(0.0, 1.0, count))


def _at(path: FloatArray, progress: FloatArray) -> FloatArray:
    """Points at parts (0..1) of the way."""
    walked_m = _walked_m(path)
    at_m = progress * walked_m[-1]
    return np.column_stack([np.interp(at_m, walked_m, path[:, axis]) for axis in range(path.shape[1])])
