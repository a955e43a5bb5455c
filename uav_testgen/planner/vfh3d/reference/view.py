"""Which directions the cameras see. Directions are FCU polar, relative to the body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, CELL_DEG, FieldOfView, Float32Array
from uav_testgen.planner.vfh3d.reference import polar

BoolArray = npt.NDArray[np.bool_]
_HALF_CELL_DEG = F32(CELL_DEG / 2)


def inside_yaw(fov: FieldOfView, azimuth_deg: npt.ArrayLike) -> BoolArray:
    """Is the azimuth in the camera's interval? Never true for an interval across +-180 (as the original)."""
    azimuth = np.asarray(azimuth_deg, F32)
    half = F32(fov.h_fov_deg) / F32(2)
    upper = polar.wrap_180(F32(fov.yaw_deg) + half)
    lower = polar.wrap_180(F32(fov.yaw_deg) - half)
    return np.asarray((azimuth <= upper) & (azimuth >= lower))


def inside(
    fovs: Sequence[FieldOfView], elevation_deg: npt.ArrayLike, azimuth_deg: npt.ArrayLike
) -> BoolArray:
    """Is the direction seen by any camera? Borders belong to the view; elevation is not wrapped."""
    elevation = np.asarray(elevation_deg, F32)
    seen = np.zeros(elevation.shape, bool)
    for fov in fovs:
        half = F32(fov.v_fov_deg) / F32(2)
        pitch = F32(fov.pitch_deg)
        in_elevation = (elevation <= pitch + half) & (elevation >= pitch - half)
        seen |= inside_yaw(fov, azimuth_deg) & in_elevation
    return seen


def camera_of(fovs: Sequence[FieldOfView], azimuth_deg: float) -> int | None:
    """Index of the one camera whose yaw interval contains the azimuth; None if none or several do."""
    hits = [index for index, fov in enumerate(fovs) if inside_yaw(fov, azimuth_deg)]
    return hits[0] if len(hits) == 1 else None


def on_edge_of(fovs: Sequence[FieldOfView], azimuth_deg: float) -> int | None:
    """The camera at whose open side the azimuth lies: just beyond that side no other camera sees."""
    index = camera_of(fovs, azimuth_deg)
    if index is None:
        return None
    fov = fovs[index]
    yaw, half = F32(fov.yaw_deg), F32(fov.h_fov_deg) / F32(2)
    to_the_left = polar.wrap_180(F32(azimuth_deg) - yaw) > 0
    beyond = yaw + half + _HALF_CELL_DEG if to_the_left else yaw - half - _HALF_CELL_DEG
    beyond = polar.wrap_180(beyond)
    return None if any(inside_yaw(other, beyond) for other in fovs) else index


def scale_to_fov(fovs: Sequence[FieldOfView], azimuth_deg: float) -> np.float32:
    """Speed factor of a direction: 1 in view, falling to 0 at an open border, 0 outside.

    Elevation does not matter. With one camera the factor is 1 only at the very centre.
    """
    index = on_edge_of(fovs, azimuth_deg)
    if index is None:
        seen: np.float32 = F32(any(inside_yaw(fov, azimuth_deg) for fov in fovs))
        return seen
    fov = fovs[index]
    h_fov = F32(fov.h_fov_deg)
    angle = abs(F32(fov.yaw_deg) - F32(azimuth_deg))
    angle = min(angle, abs(F32(360) - angle))
    angle = min(angle, h_fov / F32(2))
    scale: np.float32 = F32(1) - F32(2) * angle / h_fov
    return scale


def relative_to_body(
    points: Float32Array, position: Float32Array, yaw_deg: np.float32, pitch_deg: np.float32
) -> tuple[Float32Array, Float32Array]:
    """FCU elevation and azimuth of world points, relative to the body axes (roll is ignored)."""
    seen = polar.cartesian_to_polar_fcu(points, position)
    return polar.wrap_polar(seen.elevation_deg - pitch_deg, seen.azimuth_deg - yaw_deg)


def columns_inside(fovs: Sequence[FieldOfView], position: Float32Array, yaw_deg: np.float32) -> BoolArray:
    """For each of the 60 azimuth columns: is either border of it, at 3 degrees elevation, in view?"""
    elevation, azimuth = polar.cell_centre_deg(np.full(AZIMUTH_COLUMNS, 15), np.arange(AZIMUTH_COLUMNS))
    ahead = polar.polar_to_cartesian(polar.Polar(elevation, azimuth, np.ones_like(azimuth)), position)
    seen = polar.cartesian_to_polar_fcu(ahead, position)
    relative = seen.azimuth_deg - yaw_deg
    left = polar.wrap_polar(seen.elevation_deg, relative + _HALF_CELL_DEG)
    right = polar.wrap_polar(seen.elevation_deg, relative - _HALF_CELL_DEG)
    return inside(fovs, *left) | inside(fovs, *right)
