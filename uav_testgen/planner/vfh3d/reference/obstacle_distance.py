"""Obstacle distances around the vehicle for PX4's collision prevention; they do not feed the planning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, CELL_DEG, FieldOfView, Float32Array
from uav_testgen.planner.vfh3d.reference import polar
from uav_testgen.planner.vfh3d.reference import view as fov

_ELEVATION_LIMIT_DEG = 10.0
_HEIGHT_LIMIT_M = F32(1.0)
_BEYOND_RANGE_M = F32(0.01)


def compress_histogram(histogram_m: Float32Array, position: Float32Array) -> Float32Array:
    """(60,) smallest distance per column among cells near flight height, 0 = none."""
    first, last = (
        int(polar.polar_to_index(limit, 0.0, CELL_DEG)[0])
        for limit in (-_ELEVATION_LIMIT_DEG, _ELEVATION_LIMIT_DEG)
    )
    nearest = np.zeros(AZIMUTH_COLUMNS, F32)
    for row in range(first, last + 1):
        distance = histogram_m[row]
        elevation, azimuth = polar.cell_centre_deg(np.full(AZIMUTH_COLUMNS, row), np.arange(AZIMUTH_COLUMNS))
        point = polar.polar_to_cartesian(polar.Polar(elevation, azimuth, distance), position)
        level = (distance > 0) & (np.abs(point[:, 2] - position[2]) < _HEIGHT_LIMIT_M)
        better = level & ((nearest == 0) | (distance < nearest))
        nearest = np.where(better, distance, nearest)
    return nearest


def obstacle_distances(
    compressed_row_m: Float32Array,
    fovs: Sequence[FieldOfView],
    position: Float32Array,
    yaw_deg: np.float32,
    min_range_m: float,
    max_range_m: float,
) -> Float32Array:
    """(60,) ranges clockwise from north; beyond the range where nothing is seen, NaN outside the view."""
    from_north = (np.arange(AZIMUTH_COLUMNS) + AZIMUTH_COLUMNS // 2) % AZIMUTH_COLUMNS
    distance = compressed_row_m[from_north]
    visible = fov.columns_inside(fovs, position, yaw_deg)[from_north]
    seen = np.where(distance > F32(min_range_m), distance, F32(max_range_m) + _BEYOND_RANGE_M)
    return np.asarray(np.where(visible, seen, F32(np.nan)), F32)
