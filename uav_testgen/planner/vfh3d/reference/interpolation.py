"""Cost sampling on steep rows: cells crowd near the poles, so columns are skipped and interpolated there.

Obstacles in skipped columns are ignored; the original does so too.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, Float32Array, IntArray
from uav_testgen.planner.vfh3d.reference import polar


class _Skipped(NamedTuple):
    """The cells that are not evaluated and what they lie between."""

    row: IntArray
    column: IntArray
    left: IntArray
    right: IntArray
    offset: Float32Array
    gap: Float32Array


def column_step(elevation_deg: float) -> int:
    """Every how many columns a row is evaluated: one over the cosine, half rounded away from zero."""
    _, cosine = polar.sine_cosine(elevation_deg)
    return int(np.floor(F32(1) / cosine + F32(0.5)))


def _skipped_cells() -> _Skipped:
    cells = []
    for row, elevation_deg in enumerate(polar.ROW_ELEVATION_DEG):
        step = column_step(float(elevation_deg))
        for left in range(0, AZIMUTH_COLUMNS, step):
            gap = min(step, AZIMUTH_COLUMNS - left)  # the last gap closes the circle and may be shorter
            right = (left + gap) % AZIMUTH_COLUMNS
            cells += [(row, left + offset, left, right, offset, gap) for offset in range(1, gap)]
    columns = np.array(cells, np.int64).T
    return _Skipped(*columns[:4], *columns[4:].astype(F32))


_SKIPPED: Final = _skipped_cells()


def fill_skipped_columns(matrix: Float32Array) -> Float32Array:
    """A copy in which the skipped cells are interpolated linearly between their evaluated neighbours."""
    filled: Float32Array = matrix.copy()
    left = matrix[_SKIPPED.row, _SKIPPED.left]
    with np.errstate(invalid="ignore"):  # inf - inf when the goal is exactly here
        rise = matrix[_SKIPPED.row, _SKIPPED.right] - left
        # Divided first: the recorded float32 costs are met bit for bit only in this order.
        filled[_SKIPPED.row, _SKIPPED.column] = left + rise / _SKIPPED.gap * _SKIPPED.offset
    return filled
