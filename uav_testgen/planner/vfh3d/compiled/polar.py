"""Angles and polar coordinates in float32, exactly as the original computes them (C library functions).

Histogram convention: azimuth 0 = +y, clockwise; elevation positive up. Body (FCU) convention: azimuth 0 =
forward, counter-clockwise; elevation positive down. Angles are degrees.
"""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.kernel import kernel
from uav_testgen.planner.vfh3d.compiled.grid import (
    DEG_PER_RAD,
    FULL_TURN,
    HALF,
    HALF_TURN,
    ONE,
    QUARTER_TURN,
    RAD_PER_DEG,
    TWO,
    TWO_PI,
    ZERO,
)


@kernel
def wrap_180(angle):
    """Angle in [-180, 180)."""
    return angle - FULL_TURN * np.floor(angle / FULL_TURN + HALF)


@kernel
def wrap_pi(angle):
    """Angle in [-pi, pi)."""
    return angle - TWO_PI * np.floor(angle / TWO_PI + HALF)


@kernel
def angle_difference(a, b):
    """Signed a - b in [-180, 180)."""
    m = np.float32(np.fmod(a - b, FULL_TURN))
    if m >= ZERO:
        return m if m < HALF_TURN else m - FULL_TURN
    return m if m >= -HALF_TURN else m + FULL_TURN


@kernel
def wrap_polar(e, z):
    """Elevation folded into [-90, 90] (turning the azimuth by 180 when it passes a pole), azimuth wrapped."""
    e = wrap_180(e)
    z = wrap_180(z)
    folded = False
    if e > QUARTER_TURN:
        e = HALF_TURN - e
        folded = True
    elif e < -QUARTER_TURN:
        e = -(HALF_TURN + e)
        folded = True
    if folded:
        z = z + HALF_TURN if z < ZERO else z - HALF_TURN
    return e, z


@kernel
def polar_index(e, z, cell_deg):
    """(row, column) of a direction in a grid of whole-degree cells; a NaN angle gives 0."""
    e, z = wrap_polar(e, z)
    size = np.float32(cell_deg)
    row = np.floor(e / size + QUARTER_TURN / size)
    column = np.floor(z / size + HALF_TURN / size)
    last_row = np.float32(180 // cell_deg - 1)
    last_column = np.float32(360 // cell_deg - 1)
    # Written so that NaN falls through to 0: an index made from it must never leave the array.
    row = (row if row < last_row else last_row) if row > ZERO else ZERO
    column = (column if column < last_column else last_column) if column > ZERO else ZERO
    return int(row), int(column)


@kernel
def norm3(x, y, z):
    """Euclidean length, summed in the order of the original's fixed-size vectors."""
    return math.sqrt(x * x + (y * y + z * z))


@kernel
def direction_azimuth(dx, dy):
    """Azimuth of a difference vector, histogram convention."""
    return math.atan2(dx, dy) * DEG_PER_RAD


@kernel
def direction_angles(dx, dy, dz):
    """(elevation, azimuth) of a difference vector, histogram convention."""
    e = math.atan2(dz, math.sqrt(dx * dx + dy * dy)) * DEG_PER_RAD
    return e, direction_azimuth(dx, dy)


@kernel
def body_angles(e, z):
    """Histogram direction in the body convention (not yet turned by the attitude)."""
    return wrap_polar(-e, -z + QUARTER_TURN)


@kernel
def polar_to_cartesian(e, z, r, ox, oy, oz):
    """Point at (e, z, r) seen from an origin, histogram convention."""
    e_rad = e * RAD_PER_DEG
    z_rad = z * RAD_PER_DEG
    cos_e = math.cos(e_rad)
    return (
        ox + r * cos_e * math.sin(z_rad),
        oy + r * cos_e * math.cos(z_rad),
        oz + r * math.sin(e_rad),
    )


@kernel
def attitude_deg(w, x, y, z):
    """(yaw, pitch) in degrees from a quaternion; pitch positive is nose down."""
    yaw = math.atan2(TWO * (w * z + x * y), ONE - TWO * (y * y + z * z)) * DEG_PER_RAD
    s = TWO * (w * y - z * x)
    if abs(s) >= ONE:
        pitch = math.copysign(QUARTER_TURN, s)
    else:
        pitch = math.asin(s) * DEG_PER_RAD
    return np.float32(yaw), np.float32(pitch)
