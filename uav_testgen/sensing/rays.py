"""Where a ray enters a primitive: the one set of float64 formulas behind both renderers.

A ray is origin + depth·direction, where the direction has length 1 along the optical axis, so the
parameter *is* the depth of the image. Only the entry of a solid counts: a camera inside an obstacle
does not see it. +inf means "does not enter". Every comparison is written so that NaN gives +inf.

The operations and their order are part of the contract: a level camera may compute the horizontal
part once per column and the vertical part once per row and still get the same bits.
"""

from __future__ import annotations

import math

from numba import njit

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.world.layout import COS_YAW, CX, CY, CYLINDER, CZ, HX, HY, HZ, SHAPE, SIN_YAW, SPHERE

Interval = tuple[float, float]


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def slab_interval(offset: float, direction: float, half: float) -> Interval:
    """Depths between which |offset + depth·direction| <= half; (inf, -inf) if nowhere."""
    low = (-half - offset) / direction
    high = (half - offset) / direction
    enter = low if low < high else high
    leave = high if low < high else low
    # Selections instead of branches: loops over pixels become vector code.
    inside = (offset >= -half) & (offset <= half)
    parallel = direction == 0.0
    enter = (-math.inf if inside else math.inf) if parallel else enter
    leave = (math.inf if inside else -math.inf) if parallel else leave
    return enter, leave


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def circle_interval(ox: float, oy: float, dx: float, dy: float, radius: float) -> Interval:
    """Depths between which the horizontal part of a ray is inside a circle about the origin."""
    a = dx * dx + dy * dy
    cross = ox * dy - oy * dx
    discriminant = a * (radius * radius) - cross * cross
    root = math.sqrt(discriminant if discriminant > 0.0 else 0.0)
    along = ox * dx + oy * dy
    enter = (-along - root) / a
    leave = (-along + root) / a
    if a == 0.0:
        inside = ox * ox + oy * oy <= radius * radius
        enter = -math.inf if inside else math.inf
        leave = math.inf if inside else -math.inf
    elif not discriminant >= 0.0:
        enter, leave = math.inf, -math.inf
    return enter, leave


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def sphere_entry(ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, radius: float) -> float:
    """Depth at which a ray enters a sphere about the origin."""
    a = dx * dx + dy * dy + dz * dz
    kx = oy * dz - oz * dy
    ky = oz * dx - ox * dz
    kz = ox * dy - oy * dx
    discriminant = a * (radius * radius) - (kx * kx + ky * ky + kz * kz)
    root = math.sqrt(discriminant if discriminant > 0.0 else 0.0)
    entry = (-(ox * dx + oy * dy + oz * dz) - root) / a
    return entry if discriminant >= 0.0 else math.inf


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def box_entry(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, hx: float, hy: float, hz: float
) -> float:
    """Depth at which a ray enters an axis-parallel box about the origin."""
    enter, leave = slab_interval(ox, dx, hx)
    enter_y, leave_y = slab_interval(oy, dy, hy)
    enter_z, leave_z = slab_interval(oz, dz, hz)
    enter = enter_y if enter_y > enter else enter
    leave = leave_y if leave_y < leave else leave
    enter = enter_z if enter_z > enter else enter
    leave = leave_z if leave_z < leave else leave
    return enter if enter <= leave else math.inf


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def cylinder_entry(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, radius: float, hz: float
) -> float:
    """Depth at which a ray enters an upright cylinder about the origin."""
    enter, leave = circle_interval(ox, oy, dx, dy, radius)
    enter_z, leave_z = slab_interval(oz, dz, hz)
    enter = enter_z if enter_z > enter else enter
    leave = leave_z if leave_z < leave else leave
    return enter if enter <= leave else math.inf


@kernel
def obstacle_entry(
    row: FloatArray, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> float:
    """Depth at which a world-frame ray enters one placed obstacle (a row of the packed scene)."""
    px, py, pz = ox - row[CX], oy - row[CY], oz - row[CZ]
    if row[SHAPE] == SPHERE:
        return float(sphere_entry(px, py, pz, dx, dy, dz, row[HX]))
    if row[SHAPE] == CYLINDER:
        return float(cylinder_entry(px, py, pz, dx, dy, dz, row[HX], row[HZ]))
    c, s = row[COS_YAW], row[SIN_YAW]
    return float(
        box_entry(
            c * px + s * py, c * py - s * px, pz, c * dx + s * dy, c * dy - s * dx, dz,
            row[HX], row[HY], row[HZ],
        )
    )  # fmt: skip


@kernel
def rotation_from_euler(roll_rad: float, pitch_rad: float, yaw_rad: float, out: FloatArray) -> None:
    """Body to world matrix Rz(yaw)·Ry(pitch)·Rx(roll); exact zeros and ones for a level attitude."""
    cr, sr = math.cos(roll_rad), math.sin(roll_rad)
    cp, sp = math.cos(pitch_rad), math.sin(pitch_rad)
    cy, sy = math.cos(yaw_rad), math.sin(yaw_rad)
    out[0, 0], out[0, 1], out[0, 2] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    out[1, 0], out[1, 1], out[1, 2] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    out[2, 0], out[2, 1], out[2, 2] = -sp, cp * sr, cp * cr
