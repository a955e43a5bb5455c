"""Directions of many points at once: a SIMD loop with a polynomial, and the exact way where it could matter.

The cell of a point decides; the angle itself is never used. So the angles are computed with a polynomial
(error below 4e-7 rad) and every point nearer to a cell border than the error could matter is marked with
``UNSURE`` and computed again with the C library. The cells are therefore equal to the exact ones always.
"""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.kernel import kernel, kernel_with
from uav_testgen.planner.vfh3d.compiled.grid import (
    DEG_PER_RAD,
    F32,
    FINE_COLUMNS,
    HALF,
    ONE,
    STRIDE,
    ZERO,
)
from uav_testgen.planner.vfh3d.compiled.polar import direction_angles, polar_index

BLOCK = 16
"""Point buffers are filled up to a multiple of this, so that the SIMD loop has no scalar tail."""
UNSURE = np.int32(-1)

_C = [F32(c) for c in (
    0.9999961256980896, -0.3331736922264099, 0.19807815551757812, -0.1323334276676178,
    0.07962366938591003, -0.0336042195558548, 0.006811792962253094,
)]  # fmt: skip
_C0, _C1, _C2, _C3, _C4, _C5, _C6 = _C
_HALF_PI = F32(math.pi / 2)
_PI = F32(math.pi)
_COARSE_PER_RAD = F32(30.0 / math.pi)
_FINE_PER_RAD = F32(90.0 / math.pi)
# Error of both computations in cells: polynomial 4e-7 rad, roundings near 60 (180) cells a few 1e-6 (1e-5).
_COARSE_MARGIN = F32(4e-5)
_FINE_MARGIN = F32(1.2e-4)
_COARSE_ROW_0 = F32(15.0)
_COARSE_COLUMN_0 = F32(30.0)
_FINE_ROW_0 = F32(45.0)
_FINE_COLUMN_0 = F32(90.0)


@kernel_with(fastmath={"contract"})
def _atan_unit(t):
    """Arc tangent of t in [0, 1]; may use fused multiply-add because the result is only approximate."""
    u = t * t
    p = _C6
    p = p * u + _C5
    p = p * u + _C4
    p = p * u + _C3
    p = p * u + _C2
    p = p * u + _C1
    p = p * u + _C0
    return p * t


@kernel
def approximate_angles(dx, dy, dz):
    """(elevation, azimuth) in rad within 4e-7, histogram convention; NaN for a zero vector."""
    ax = abs(dx)
    ay = abs(dy)
    az = abs(dz)
    h = math.sqrt(dx * dx + dy * dy)
    low = ax if ax < ay else ay
    high = ay if ax < ay else ax
    low_e = az if az < h else h
    high_e = h if az < h else az
    inverse = ONE / (high * high_e)  # one division for both quotients
    a = _atan_unit(low * high_e * inverse)
    a = _HALF_PI - a if ax > ay else a
    a = _PI - a if dy < ZERO else a
    a = -a if dx < ZERO else a
    b = _atan_unit(low_e * high * inverse)
    b = _HALF_PI - b if az > h else b
    b = -b if dz < ZERO else b
    return b, a


@kernel
def fill_block(x, y, z, n):
    """Repeat the last point up to a whole block; returns the padded length."""
    padded = (n + BLOCK - 1) // BLOCK * BLOCK
    for i in range(n, padded):
        x[i] = x[n - 1]
        y[i] = y[n - 1]
        z[i] = z[n - 1]
    return padded


@kernel
def coarse_cells(x, y, z, padded, ox, oy, oz, cell, r):
    """6 degree cell (row·64 + column, or UNSURE) and exact distance of every point from an origin."""
    for i in range(padded):
        dx = x[i] - ox
        dy = y[i] - oy
        dz = z[i] - oz
        r[i] = math.sqrt(dx * dx + dy * dy + dz * dz)
        e, a = approximate_angles(dx, dy, dz)
        row = e * _COARSE_PER_RAD + _COARSE_ROW_0
        column = a * _COARSE_PER_RAD + _COARSE_COLUMN_0
        row_index = np.int32(row)
        column_index = np.int32(column)
        off_row = abs(row - np.float32(row_index) - HALF)
        off_column = abs(column - np.float32(column_index) - HALF)
        # a NaN fails the comparison and is computed exactly
        sure = (off_row < HALF - _COARSE_MARGIN) & (off_column < HALF - _COARSE_MARGIN)
        cell[i] = row_index * np.int32(STRIDE) + column_index if sure else UNSURE


@kernel
def exact_coarse_cell(dx, dy, dz):
    """6 degree cell of a difference vector by the C library."""
    e, a = direction_angles(dx, dy, dz)
    row, column = polar_index(e, a, 6)
    return row * STRIDE + column


@kernel
def exact_fine_cell(dx, dy, dz):
    """2 degree cell of a difference vector by the C library."""
    e, a = direction_angles(dx, dy, dz)
    row, column = polar_index(e, a, 2)
    return row * FINE_COLUMNS + column


@kernel
def fine_cells(x, y, z, padded, ox, oy, oz, cell, squared, elevation, azimuth):
    """2 degree cell (row·180 + column, or UNSURE), squared distance and approximate angles [deg]."""
    for i in range(padded):
        dx = x[i] - ox
        dy = y[i] - oy
        dz = z[i] - oz
        squared[i] = dx * dx + (dy * dy + dz * dz)
        e, a = approximate_angles(dx, dy, dz)
        elevation[i] = e * DEG_PER_RAD
        azimuth[i] = a * DEG_PER_RAD
        row = e * _FINE_PER_RAD + _FINE_ROW_0
        column = a * _FINE_PER_RAD + _FINE_COLUMN_0
        row_index = np.int32(row)
        column_index = np.int32(column)
        off_row = abs(row - np.float32(row_index) - HALF)
        off_column = abs(column - np.float32(column_index) - HALF)
        sure = (off_row < HALF - _FINE_MARGIN) & (off_column < HALF - _FINE_MARGIN)
        cell[i] = row_index * np.int32(FINE_COLUMNS) + column_index if sure else UNSURE
