"""Which part of the image an obstacle can appear in, so that no ray elsewhere is tested.

The window is the bounding rectangle of the projected corners, cut at the near plane; it is never too
small (rounding only moves it by far less than the pixel it is widened to).
"""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.shape.kinds import BOX, CYLINDER, MESH, SPHERE
from uav_testgen.shape.row import COS_YAW, CX, CY, CZ, HX, HY, HZ, SHAPE, SIN_YAW

Window = tuple[int, int, int, int]

NEAR_CUT = 0.999  # the near plane is cut a little early so that rounding loses no entry at depth == near


@inlined
def index_range(low_slope: float, high_slope: float, slopes: FloatArray) -> tuple[int, int]:
    """Half-open range of table entries between two slopes; slopes fall (or rise) evenly with the index."""
    n = slopes.shape[0]
    if n < 2:
        return 0, n
    step = (slopes[n - 1] - slopes[0]) / (n - 1)
    a = (low_slope - slopes[0]) / step
    b = (high_slope - slopes[0]) / step
    low = min(max(min(a, b), -1.0), float(n))
    high = min(max(max(a, b), -1.0), float(n))
    return max(math.floor(low), 0), min(math.ceil(high) + 1, n)


@kernel
def image_window(
    row: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    near_m: float,
    far_m: float,
) -> Window:
    """(first row, end row, first column, end column) that a placed obstacle may cover; empty if none."""
    hx, hy, hz = row[HX], row[HY], row[HZ]
    c, s = row[COS_YAW], row[SIN_YAW]
    kind = row[SHAPE]
    if kind == CYLINDER:
        hy, c, s = hx, 1.0, 0.0
    elif kind == SPHERE:
        hy, hz, c, s = hx, hx, 1.0, 0.0
    elif kind != BOX and kind != MESH:
        raise ValueError("an obstacle of unknown kind")
    if not (hx >= 0.0 and hy >= 0.0 and hz >= 0.0):  # also NaN: a body without extent is not there
        return 0, 0, 0, 0
    px, py, pz = row[CX] - origin[0], row[CY] - origin[1], row[CZ] - origin[2]
    # Centre and the three half axes in the camera frame (columns of `rotation` are the camera's axes).
    centre = (
        rotation[0, 0] * px + rotation[1, 0] * py + rotation[2, 0] * pz,
        rotation[0, 1] * px + rotation[1, 1] * py + rotation[2, 1] * pz,
        rotation[0, 2] * px + rotation[1, 2] * py + rotation[2, 2] * pz,
    )
    u = (
        hx * (rotation[0, 0] * c + rotation[1, 0] * s),
        hx * (rotation[0, 1] * c + rotation[1, 1] * s),
        hx * (rotation[0, 2] * c + rotation[1, 2] * s),
    )
    v = (
        hy * (rotation[1, 0] * c - rotation[0, 0] * s),
        hy * (rotation[1, 1] * c - rotation[0, 1] * s),
        hy * (rotation[1, 2] * c - rotation[0, 2] * s),
    )
    w = (hz * rotation[2, 0], hz * rotation[2, 1], hz * rotation[2, 2])
    reach = abs(u[0]) + abs(v[0]) + abs(w[0])
    cut_m = NEAR_CUT * near_m if near_m > 1e-6 else 1e-6
    if not (centre[0] + reach >= cut_m and centre[0] - reach <= far_m * 1.001):
        return 0, 0, 0, 0
    low_y, high_y, low_z, high_z = math.inf, -math.inf, math.inf, -math.inf
    crosses = centre[0] - reach < cut_m
    for corner in range(8):
        su = 1.0 if corner & 1 else -1.0
        sv = 1.0 if corner & 2 else -1.0
        sw = 1.0 if corner & 4 else -1.0
        x = centre[0] + su * u[0] + sv * v[0] + sw * w[0]
        y = centre[1] + su * u[1] + sv * v[1] + sw * w[1]
        z = centre[2] + su * u[2] + sv * v[2] + sw * w[2]
        if x >= cut_m:
            low_y, high_y = min(low_y, y / x), max(high_y, y / x)
            low_z, high_z = min(low_z, z / x), max(high_z, z / x)
        if not crosses:
            continue
        for axis in range(3):  # the edges that leave this corner and pass the near plane
            if corner & (1 << axis):
                continue
            e = u if axis == 0 else (v if axis == 1 else w)
            x_end = x + 2.0 * e[0]
            if (x < cut_m) == (x_end < cut_m):
                continue
            share = (cut_m - x) / (x_end - x)
            ey, ez = (y + share * 2.0 * e[1]) / cut_m, (z + share * 2.0 * e[2]) / cut_m
            low_y, high_y = min(low_y, ey), max(high_y, ey)
            low_z, high_z = min(low_z, ez), max(high_z, ez)
    if not (low_y <= high_y and low_z <= high_z):
        return 0, 0, 0, 0
    column_first, column_end = index_range(low_y, high_y, column_slopes)
    row_first, row_end = index_range(low_z, high_z, row_slopes)
    return row_first, row_end, column_first, column_end
