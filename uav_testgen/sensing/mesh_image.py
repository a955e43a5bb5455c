"""The image of a mesh: its triangles one after the other, each in the part of the image that it can cover.

So the cost is that of the pixels a triangle covers, seen sides only, plus a little for each triangle.
"""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.sensing.window import NEAR_CUT, Window, index_range
from uav_testgen.shape.compiled.mesh import face_entry
from uav_testgen.shape.row import COS_YAW, CX, CY, CZ, FORM, SIN_YAW, TRIANGLE_COLUMNS


@kernel
def _triangle_window(
    row: FloatArray,
    at: int,
    window: Window,
    place: tuple[float, float, float],
    rotation: FloatArray,
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    near_m: float,
) -> Window:
    """The part of the obstacle's window that one triangle can cover; all of it if it passes the near plane."""
    c, s = row[COS_YAW], row[SIN_YAW]
    cut_m = NEAR_CUT * near_m if near_m > 1e-6 else 1e-6
    low_y, high_y, low_z, high_z = math.inf, -math.inf, math.inf, -math.inf
    for corner in range(3):
        x, y, z = row[at + 3 * corner], row[at + 3 * corner + 1], row[at + 3 * corner + 2]
        wx, wy, wz = c * x - s * y - place[0], s * x + c * y - place[1], z - place[2]
        forward = rotation[0, 0] * wx + rotation[1, 0] * wy + rotation[2, 0] * wz
        if not forward >= cut_m:
            return window
        left = (rotation[0, 1] * wx + rotation[1, 1] * wy + rotation[2, 1] * wz) / forward
        up = (rotation[0, 2] * wx + rotation[1, 2] * wy + rotation[2, 2] * wz) / forward
        low_y, high_y = min(low_y, left), max(high_y, left)
        low_z, high_z = min(low_z, up), max(high_z, up)
    column_first, column_end = index_range(low_y, high_y, column_slopes)
    row_first, row_end = index_range(low_z, high_z, row_slopes)
    return (
        max(row_first, window[0]),
        min(row_end, window[1]),
        max(column_first, window[2]),
        min(column_end, window[3]),
    )


@kernel
def draw_mesh(
    row: FloatArray,
    window: Window,
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
    near_m: float,
    far_m: float,
    depth: FloatArray,
) -> None:
    """Draw a placed mesh into a depth image."""
    px, py, pz = origin[0] - row[CX], origin[1] - row[CY], origin[2] - row[CZ]
    c, s = row[COS_YAW], row[SIN_YAW]
    ox, oy = c * px + s * py, c * py - s * px
    first = int(row[FORM])
    for k in range(int(row[first])):
        at = first + 1 + TRIANGLE_COLUMNS * k
        j0, j1, i0, i1 = _triangle_window(
            row, at, window, (px, py, pz), rotation, column_slopes, row_slopes, near_m
        )
        for j in range(j0, j1):
            rz = row_slopes[j]
            for i in range(i0, i1):
                ry = column_slopes[i]
                dx = rotation[0, 0] + rotation[0, 1] * ry + rotation[0, 2] * rz
                dy = rotation[1, 0] + rotation[1, 1] * ry + rotation[1, 2] * rz
                dz = rotation[2, 0] + rotation[2, 1] * ry + rotation[2, 2] * rz
                a = face_entry(row, at, ox, oy, pz, c * dx + s * dy, c * dy - s * dx, dz)
                if a >= near_m and a <= far_m and a < depth[j, i]:
                    depth[j, i] = a
