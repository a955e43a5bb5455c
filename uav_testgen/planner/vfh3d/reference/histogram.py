"""Polar histogram: the mean distance of the points in each 6 degree direction cell."""

from __future__ import annotations

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, CELL_DEG, ELEVATION_ROWS, Float32Array
from uav_testgen.planner.vfh3d.reference import polar

_SMALLEST_NORMAL = np.finfo(F32).tiny


def make_histogram(points: Float32Array, centre: Float32Array) -> Float32Array:
    """(30, 60) mean distance from ``centre`` per cell, 0 = empty. Ages and ranges do not matter here."""
    seen = polar.cartesian_to_polar(points, centre)
    row, column = polar.polar_to_index(seen.elevation_deg, seen.azimuth_deg, CELL_DEG)
    cell = row * AZIMUTH_COLUMNS + column
    total = np.zeros(ELEVATION_ROWS * AZIMUTH_COLUMNS, F32)
    np.add.at(total, cell, seen.radius_m)  # float32 sums in cloud order, as the original
    count = np.bincount(cell, minlength=total.size).astype(F32)
    mean = np.divide(total, count, out=np.zeros_like(total), where=count > 0)
    return mean.reshape(ELEVATION_ROWS, AZIMUTH_COLUMNS)


def is_empty(histogram_m: Float32Array) -> bool:
    """True when no cell holds a distance."""
    return not bool((histogram_m > _SMALLEST_NORMAL).any())
