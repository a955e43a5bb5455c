"""Angles, the two polar conventions and the direction grid.

Everything is float32 because the original decides cells with float32 angles; the trigonometric calls are
chosen so that results are equal bit for bit to those of the C library on the recorded vectors.

Histogram convention: azimuth 0 = +y, clockwise from above; elevation positive up.
FCU convention (field-of-view tests only): azimuth 0 = +x, counter-clockwise; elevation positive down.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, CELL_DEG, ELEVATION_ROWS, Float32Array, IntArray
from uav_testgen.planner.vfh3d.reference.c_library import arcsin, arctan2

PI: Final = F32(np.pi)
TWO_PI: Final = F32(2 * np.pi)
DEG_TO_RAD: Final = F32(PI / F32(180))
RAD_TO_DEG: Final = F32(F32(180) / PI)


class Polar(NamedTuple):
    """Directions and distances as parallel arrays (or scalars): elevation, azimuth [deg], radius [m]."""

    elevation_deg: Float32Array
    azimuth_deg: Float32Array
    radius_m: Float32Array


def wrap_180(angle_deg: npt.ArrayLike) -> Float32Array:
    """Angle in [-180, 180); exactly +180 becomes -180."""
    angle = np.asarray(angle_deg, F32)
    return np.asarray(angle - F32(360) * np.floor(angle / F32(360) + F32(0.5)), F32)


def wrap_pi(angle_rad: npt.ArrayLike) -> Float32Array:
    """Angle in [-pi, pi)."""
    angle = np.asarray(angle_rad, F32)
    return np.asarray(angle - TWO_PI * np.floor(angle / TWO_PI + F32(0.5)), F32)


def angle_difference(a_deg: npt.ArrayLike, b_deg: npt.ArrayLike) -> Float32Array:
    """Signed a - b in [-180, 180), by the C remainder (sign of the dividend)."""
    rest = np.fmod(np.asarray(a_deg, F32) - np.asarray(b_deg, F32), F32(360))
    wrapped = np.where(rest >= F32(180), rest - F32(360), rest)
    return np.asarray(np.where(rest < F32(-180), rest + F32(360), wrapped), F32)


def wrap_polar(elevation_deg: npt.ArrayLike, azimuth_deg: npt.ArrayLike) -> tuple[Float32Array, Float32Array]:
    """Fold a direction into elevation [-90, 90] and azimuth [-180, 180).

    Going over a pole means looking back: the azimuth then turns by 180 degrees.
    """
    elevation = wrap_180(elevation_deg)
    azimuth = wrap_180(azimuth_deg)
    above, below = elevation > F32(90), elevation < F32(-90)
    folded = np.where(above, F32(180) - elevation, np.where(below, -(F32(180) + elevation), elevation))
    turned = np.where(azimuth < F32(0), azimuth + F32(180), azimuth - F32(180))
    return np.asarray(folded, F32), np.asarray(np.where(above | below, turned, azimuth), F32)


def squared_norm(vectors: Float32Array) -> Float32Array:
    """Sum of squares over the last axis of 2- or 3-vectors, added from the back: x + (y + z).

    The original's vector library adds in that order, and near ties in cost depend on the last bit.
    """
    squares = vectors * vectors
    tail = squares[..., 1] + squares[..., 2] if vectors.shape[-1] == 3 else squares[..., 1]
    return np.asarray(squares[..., 0] + tail, F32)


def norm(vectors: Float32Array) -> Float32Array:
    """Euclidean length over the last axis, float32."""
    return np.asarray(np.sqrt(squared_norm(vectors)), F32)


def unit(vector: Float32Array) -> Float32Array:
    """``vector`` with length one; a zero vector (and one with NaN) stays as it is."""
    squared = squared_norm(vector)
    return np.asarray(vector / np.sqrt(squared), F32) if squared > 0 else vector


def cartesian_to_polar(points: Float32Array, origin: Float32Array) -> Polar:
    """Points seen from ``origin``, histogram convention (note atan2 of x over y).

    The radius is summed left to right here, unlike in :func:`norm`.
    """
    offset = points - origin
    x, y, z = offset[..., 0], offset[..., 1], offset[..., 2]
    horizontal_squared = x * x + y * y
    return Polar(
        np.asarray(arctan2(z, np.sqrt(horizontal_squared)) * RAD_TO_DEG, F32),
        np.asarray(arctan2(x, y) * RAD_TO_DEG, F32),
        np.asarray(np.sqrt(horizontal_squared + z * z), F32),
    )


def cartesian_to_polar_fcu(points: Float32Array, origin: Float32Array) -> Polar:
    """Points seen from ``origin``, FCU convention."""
    seen = cartesian_to_polar(points, origin)
    elevation, azimuth = wrap_polar(-seen.elevation_deg, -seen.azimuth_deg + F32(90))
    return Polar(elevation, azimuth, seen.radius_m)


def sine_cosine(angle_deg: npt.ArrayLike) -> tuple[Float32Array, Float32Array]:
    """Sine and cosine rounded once from double.

    That is what the C library's float functions deliver (for all cell centres, exactly), while NumPy's own
    float32 versions are one unit off in the last place now and then.
    """
    angle_rad = np.asarray(np.asarray(angle_deg, F32) * DEG_TO_RAD, np.float64)
    return np.asarray(np.sin(angle_rad), F32), np.asarray(np.cos(angle_rad), F32)


def polar_to_cartesian(polar: Polar, origin: Float32Array) -> Float32Array:
    """Points at polar triples of the histogram convention around ``origin``."""
    sin_e, cos_e = sine_cosine(polar.elevation_deg)
    sin_z, cos_z = sine_cosine(polar.azimuth_deg)
    radius = np.asarray(polar.radius_m, F32)
    return origin + np.stack([radius * cos_e * sin_z, radius * cos_e * cos_z, radius * sin_e], axis=-1)


def polar_to_index(
    elevation_deg: npt.ArrayLike, azimuth_deg: npt.ArrayLike, cell_deg: int
) -> tuple[IntArray, IntArray]:
    """(row, column) in a grid of ``cell_deg``; +180 lands in column 0, +90 in the top row, NaN at 0."""
    elevation, azimuth = wrap_polar(elevation_deg, azimuth_deg)
    cell = F32(cell_deg)
    # Two separate float32 divisions, then the sum: the borders depend on it.
    row = np.floor(elevation / cell + F32(90) / cell)
    column = np.floor(azimuth / cell + F32(180) / cell)
    return _clamped_index(row, 180 // cell_deg), _clamped_index(column, 360 // cell_deg)


def _clamped_index(position: Float32Array, count: int) -> IntArray:
    # fmax and fmin ignore NaN, so a NaN position ends at 0.
    index: IntArray = np.fmin(np.fmax(position, F32(0)), F32(count - 1)).astype(np.int64)
    return index


def cell_centre_deg(row: npt.ArrayLike, column: npt.ArrayLike) -> tuple[Float32Array, Float32Array]:
    """Elevation and azimuth of the centre of a 6 degree cell."""
    half = CELL_DEG // 2
    elevation = np.asarray(row) * CELL_DEG + half - 90
    azimuth = np.asarray(column) * CELL_DEG + half - 180
    return np.asarray(elevation, F32), np.asarray(azimuth, F32)


ROW_ELEVATION_DEG: Final = cell_centre_deg(np.arange(ELEVATION_ROWS), 0)[0]
COLUMN_AZIMUTH_DEG: Final = cell_centre_deg(0, np.arange(AZIMUTH_COLUMNS))[1]


def yaw_pitch_deg(quaternion_wxyz: npt.ArrayLike) -> tuple[np.float32, np.float32]:
    """Yaw (counter-clockwise) and pitch (positive nose down) in degrees."""
    w, x, y, z = np.asarray(quaternion_wxyz, F32)
    two, one = F32(2), F32(1)
    yaw = arctan2(two * (w * z + x * y), one - two * (y * y + z * z))
    sine = two * (w * y - z * x)
    pitch = np.copysign(PI / two, sine) if abs(sine) >= one else arcsin(sine)
    return F32(yaw * RAD_TO_DEG), F32(pitch * RAD_TO_DEG)
