"""Spreading of obstacle costs over neighbouring directions, with the topology of the sphere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.base import AZIMUTH_COLUMNS, CELL_DEG, ELEVATION_ROWS, Float32Array

_LANES = 4
"""The original sums in four interleaved lanes; doing the same makes the result equal bit for bit."""


def smoothing_radius(margin_deg: float) -> int:
    """Radius in cells of a margin in degrees."""
    return int(math.ceil(F32(margin_deg) / F32(CELL_DEG)))


@lru_cache(maxsize=32)
def kernel(radius: int) -> Float32Array:
    """Triangle of length 2 radius + 1 with peak 1; its sum is radius + 1, it is not normalised."""
    heights = np.array([1 + radius - abs(i - radius) for i in range(2 * radius + 1)], F32)
    return np.asarray(heights * (F32(1) / F32(1 + radius)), F32)


def pad_matrix(matrix: Float32Array, radius: int) -> Float32Array:
    """``radius`` more lines on each side: over a pole one looks back (azimuth + 180), azimuth is cyclic."""
    if radius == 0:
        return matrix
    opposite = np.roll(matrix, AZIMUTH_COLUMNS // 2, axis=1)
    rows = np.concatenate(
        [opposite[:radius][::-1], matrix, opposite[ELEVATION_ROWS - radius :][::-1]], axis=0
    )
    return np.concatenate([rows[:, -radius:], rows, rows[:, :radius]], axis=1)


def _lane_sum(terms: Sequence[Float32Array]) -> Float32Array:
    """Sum of equally shaped terms in the order of a four-lane reduction with two accumulators."""
    in_lanes = len(terms) // _LANES * _LANES
    if in_lanes == 0:
        return _plain_sum(terms[0], terms[1:])
    groups = [np.stack(terms[i : i + _LANES]) for i in range(0, in_lanes, _LANES)]
    paired = len(groups) // 2 * 2
    lanes = groups[0]
    if paired:
        lanes = _plain_sum(groups[0], groups[2:paired:2]) + _plain_sum(groups[1], groups[3:paired:2])
        lanes = _plain_sum(lanes, groups[paired:])
    total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    return _plain_sum(total, terms[in_lanes:])


def _plain_sum(first: Float32Array, others: Sequence[Float32Array]) -> Float32Array:
    total = first
    for other in others:
        total = total + other
    return total


def smooth_matrix(matrix: Float32Array, radius: int) -> Float32Array:
    """(30, 60) matrix spread vertically, then horizontally (padded columns take part in the first pass)."""
    padded = pad_matrix(matrix, radius)
    weights = kernel(radius)
    vertical = _lane_sum([w * padded[i : i + ELEVATION_ROWS] for i, w in enumerate(weights)])
    return _lane_sum([w * vertical[:, i : i + AZIMUTH_COLUMNS] for i, w in enumerate(weights)])
