"""Spreading of obstacle costs over neighbouring directions, with the topology of the sphere."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy import float32 as F32
from numpy.lib.stride_tricks import sliding_window_view

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, CELL_DEG, ELEVATION_ROWS, Float32Array

_LANES = 4
"""The original sums in four interleaved lanes; doing the same makes the result equal bit for bit."""


def smoothing_radius(margin_deg: float) -> int:
    """Radius in cells of a margin in degrees."""
    radius: int = math.ceil(F32(margin_deg) / F32(CELL_DEG))
    return radius


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


def _lane_sum(terms: Float32Array) -> Float32Array:
    """Sum over the first axis in the order of a four-lane reduction with two accumulators."""
    in_lanes = len(terms) // _LANES * _LANES
    if in_lanes == 0:
        return _plain_sum(terms)
    groups = terms[:in_lanes].reshape(-1, _LANES, *terms.shape[1:])
    paired = len(groups) // 2 * 2
    if paired:
        both = _plain_sum(groups[0:paired:2]) + _plain_sum(groups[1:paired:2])
        lanes = both + groups[paired] if paired < len(groups) else both
    else:
        lanes = groups[0]
    total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    return _plain_sum(terms[in_lanes:], total)


def _plain_sum(terms: Float32Array, start: Float32Array | None = None) -> Float32Array:
    """Sum over the first axis, one after the other."""
    total = start
    for term in terms:
        total = term if total is None else total + term
    assert total is not None
    return total


def smooth_matrix(matrix: Float32Array, radius: int) -> Float32Array:
    """(30, 60) matrix spread vertically, then horizontally (padded columns take part in the first pass)."""
    padded = pad_matrix(matrix, radius)
    weights = kernel(radius)[:, None, None]
    rows = sliding_window_view(padded, ELEVATION_ROWS, axis=0)
    vertical = _lane_sum(weights * np.moveaxis(rows, -1, 1))
    columns = sliding_window_view(vertical, AZIMUTH_COLUMNS, axis=1)
    return _lane_sum(weights * np.moveaxis(columns, 1, 0))
