"""The fast renderer: exact float64 ray casting against obstacles and the ground.

`render_depth` and `cloud_from_depth` are compiled and can be called from other compiled code; they
allocate nothing. A level camera (no roll, no pitch: the usual LFS case) is separable, so the
horizontal part of every intersection is computed once per column and the vertical once per row, with
the same operations in the same order as the general case: the results are equal to the last bit.

Depth is measured along the optical axis; +inf = no return (REP 118). Order is row by row from the top.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.copying import copy_numbers
from uav_testgen.core.kernel import kernel
from uav_testgen.sensing.mesh_image import draw_mesh
from uav_testgen.sensing.window import image_window
from uav_testgen.shape.compiled.box import box_entry
from uav_testgen.shape.compiled.cylinder import cylinder_entry
from uav_testgen.shape.compiled.interval import circle_interval, slab_interval
from uav_testgen.shape.compiled.sphere import sphere_entry
from uav_testgen.shape.kinds import BOX, CYLINDER, MESH, SPHERE
from uav_testgen.world.ground import ground_entry
from uav_testgen.world.layout import (
    COS_YAW,
    CX,
    CY,
    CZ,
    FLAT_GROUND,
    GROUND_KIND,
    GROUND_WATER,
    GROUND_Z,
    HX,
    HY,
    HZ,
    SHAPE,
    SIN_YAW,
)

PointArray = NDArray[np.float32]
MaskArray = NDArray[np.uint8]


class ImageScratch(NamedTuple):
    """Buffers of one image, without meaning between two of them."""

    enter: FloatArray
    """Where a vertical plane of the image enters an obstacle..."""
    leave: FloatArray
    """...and leaves it."""
    wet: MaskArray
    """Pixels that show water..."""
    dry: FloatArray
    """...and the image before obstacles were drawn on it."""


def image_scratch(shape: tuple[int, int]) -> ImageScratch:
    """Buffers for images of so many rows and columns."""
    return ImageScratch(np.empty(shape[1]), np.empty(shape[1]), np.zeros(shape, np.uint8), np.empty(shape))


@kernel
def is_level(rotation: FloatArray) -> bool:
    """True if image columns are vertical planes and image rows have one slope each."""
    return bool(
        rotation[2, 0] == 0.0 and rotation[2, 1] == 0.0 and rotation[0, 2] == 0.0 and rotation[1, 2] == 0.0
    )


@kernel
def _finite_pose(origin: FloatArray, rotation: FloatArray) -> bool:
    total = 0.0
    for a in range(3):
        total += abs(origin[a])
        for b in range(3):
            total += abs(rotation[a, b])
    return total < math.inf  # False for NaN and for infinity


@kernel
def _draw_ground(
    ground: FloatArray,
    heights: FloatArray,
    water: MaskArray,
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
    near_m: float,
    far_m: float,
    depth: FloatArray,
    wet: MaskArray,
) -> bool:
    """Fill the image with the ground; marks water in `wet` and tells whether there is any."""
    rows, columns = depth.shape
    flat = ground[GROUND_KIND] == FLAT_GROUND
    if flat and is_level(rotation):
        is_water = bool(ground[GROUND_WATER] != 0.0)
        below = ground[GROUND_Z] - origin[2]
        for j in range(rows):
            dz = rotation[2, 2] * row_slopes[j]
            value = below / dz if dz < 0.0 else math.inf
            value = value if near_m <= value <= far_m else math.inf
            for i in range(columns):
                depth[j, i] = value
            if is_water:
                wet[j, :] = 1
        return is_water
    if flat and ground[GROUND_WATER] == 0.0:
        below = ground[GROUND_Z] - origin[2]
        r20, r21, r22 = rotation[2, 0], rotation[2, 1], rotation[2, 2]
        for j in range(rows):
            rz = row_slopes[j]
            line = depth[j]
            for i in range(columns):
                dz = r20 + r21 * column_slopes[i] + r22 * rz
                value = below / dz
                line[i] = value if (dz < 0.0) & (value >= near_m) & (value <= far_m) else math.inf
        return False
    any_water = False
    for j in range(rows):
        rz = row_slopes[j]
        for i in range(columns):
            ry = column_slopes[i]
            ray = (
                origin[0], origin[1], origin[2],
                rotation[0, 0] + rotation[0, 1] * ry + rotation[0, 2] * rz,
                rotation[1, 0] + rotation[1, 1] * ry + rotation[1, 2] * rz,
                rotation[2, 0] + rotation[2, 1] * ry + rotation[2, 2] * rz,
            )  # fmt: skip
            depth[j, i], is_wet = ground_entry(ground, heights, water, ray, near_m, far_m)
            if is_wet:
                wet[j, i] = 1
                any_water = True
    return any_water


@kernel
def _draw_level(
    row: FloatArray,
    window: tuple[int, int, int, int],
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
    near_m: float,
    far_m: float,
    enter: FloatArray,
    leave: FloatArray,
    depth: FloatArray,
) -> None:
    """A box or cylinder seen by a level camera: one horizontal interval per column, one vertical per row."""
    j0, j1, i0, i1 = window
    px, py, pz = origin[0] - row[CX], origin[1] - row[CY], origin[2] - row[CZ]
    c, s = row[COS_YAW], row[SIN_YAW]
    ox, oy = c * px + s * py, c * py - s * px
    hx, hy, hz = row[HX], row[HY], row[HZ]
    kind = row[SHAPE]
    if kind == CYLINDER:
        for i in range(i0, i1):
            dx = rotation[0, 0] + rotation[0, 1] * column_slopes[i]
            dy = rotation[1, 0] + rotation[1, 1] * column_slopes[i]
            enter[i], leave[i] = circle_interval(px, py, dx, dy, hx)
    elif kind == BOX:
        for i in range(i0, i1):
            dx = rotation[0, 0] + rotation[0, 1] * column_slopes[i]
            dy = rotation[1, 0] + rotation[1, 1] * column_slopes[i]
            a, b = slab_interval(ox, c * dx + s * dy, hx)
            a_y, b_y = slab_interval(oy, c * dy - s * dx, hy)
            enter[i] = a_y if a_y > a else a
            leave[i] = b_y if b_y < b else b
    else:
        raise ValueError("an obstacle that is no prism")
    for j in range(j0, j1):
        a_z, b_z = slab_interval(pz, rotation[2, 2] * row_slopes[j], hz)
        if not (a_z <= b_z and b_z >= near_m and a_z <= far_m):
            continue
        for i in range(i0, i1):
            a = a_z if a_z > enter[i] else enter[i]
            b = b_z if b_z < leave[i] else leave[i]
            seen = (a <= b) & (a >= near_m) & (a <= far_m) & (a < depth[j, i])
            depth[j, i] = a if seen else depth[j, i]


@kernel
def _draw_tilted(
    row: FloatArray,
    window: tuple[int, int, int, int],
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
    near_m: float,
    far_m: float,
    depth: FloatArray,
) -> None:
    """A box, cylinder or sphere at any attitude, ray by ray inside the window."""
    j0, j1, i0, i1 = window
    px, py, pz = origin[0] - row[CX], origin[1] - row[CY], origin[2] - row[CZ]
    c, s = row[COS_YAW], row[SIN_YAW]
    ox, oy = c * px + s * py, c * py - s * px
    hx, hy, hz = row[HX], row[HY], row[HZ]
    shape = row[SHAPE]
    r00, r01, r02 = rotation[0, 0], rotation[0, 1], rotation[0, 2]
    r10, r11, r12 = rotation[1, 0], rotation[1, 1], rotation[1, 2]
    r20, r21, r22 = rotation[2, 0], rotation[2, 1], rotation[2, 2]
    for j in range(j0, j1):
        rz = row_slopes[j]
        line = depth[j]
        if shape == SPHERE:
            for i in range(i0, i1):
                ry = column_slopes[i]
                dx, dy, dz = r00 + r01 * ry + r02 * rz, r10 + r11 * ry + r12 * rz, r20 + r21 * ry + r22 * rz
                a = sphere_entry(px, py, pz, dx, dy, dz, hx)
                seen = (a >= near_m) & (a <= far_m) & (a < line[i])
                line[i] = a if seen else line[i]
        elif shape == CYLINDER:
            for i in range(i0, i1):
                ry = column_slopes[i]
                dx, dy, dz = r00 + r01 * ry + r02 * rz, r10 + r11 * ry + r12 * rz, r20 + r21 * ry + r22 * rz
                a = cylinder_entry(px, py, pz, dx, dy, dz, hx, hz)
                seen = (a >= near_m) & (a <= far_m) & (a < line[i])
                line[i] = a if seen else line[i]
        elif shape == BOX:
            for i in range(i0, i1):
                ry = column_slopes[i]
                dx, dy, dz = r00 + r01 * ry + r02 * rz, r10 + r11 * ry + r12 * rz, r20 + r21 * ry + r22 * rz
                a = box_entry(ox, oy, pz, c * dx + s * dy, c * dy - s * dx, dz, hx, hy, hz)
                seen = (a >= near_m) & (a <= far_m) & (a < line[i])
                line[i] = a if seen else line[i]
        else:
            raise ValueError("an obstacle of unknown kind")


@kernel
def render_depth(
    placed: FloatArray,
    ground: FloatArray,
    heights: FloatArray,
    water: MaskArray,
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
    near_m: float,
    far_m: float,
    scratch: ImageScratch,
    depth: FloatArray,
) -> None:
    """Depth image of placed obstacles and ground, written into `depth` (rows, columns).

    `origin` and `rotation` are the camera's pose in the world (columns: forward, left, up);
    pixel (i, j) looks along (1, column_slopes[i], row_slopes[j]) in the camera frame.
    """
    if not (_finite_pose(origin, rotation) and far_m >= near_m):
        depth[:] = math.inf
        return
    wet, dry = scratch.wet, scratch.dry
    if ground[GROUND_KIND] != FLAT_GROUND or ground[GROUND_WATER] != 0.0:
        wet[:] = 0
    any_water = _draw_ground(
        ground, heights, water, column_slopes, row_slopes, origin, rotation, near_m, far_m, depth, wet
    )
    if any_water:
        for j in range(depth.shape[0]):
            copy_numbers(depth[j], dry[j])
    level = is_level(rotation)
    enter, leave = scratch.enter, scratch.leave
    for k in range(placed.shape[0]):
        row = placed[k]
        window = image_window(row, origin, rotation, column_slopes, row_slopes, near_m, far_m)
        if window[0] >= window[1] or window[2] >= window[3]:
            continue
        if row[SHAPE] == MESH:
            draw_mesh(row, window, column_slopes, row_slopes, origin, rotation, near_m, far_m, depth)
        elif level and row[SHAPE] != SPHERE:
            _draw_level(
                row, window, column_slopes, row_slopes, origin, rotation, near_m, far_m, enter, leave, depth
            )
        else:
            _draw_tilted(row, window, column_slopes, row_slopes, origin, rotation, near_m, far_m, depth)
    if any_water:
        for j in range(depth.shape[0]):
            for i in range(depth.shape[1]):
                if wet[j, i] and depth[j, i] == dry[j, i]:
                    depth[j, i] = math.inf


@kernel
def cloud_from_depth(
    depth: FloatArray,
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
    points: PointArray,
) -> int:
    """World points (float32) of all pixels with a return, in raster order; returns how many."""
    n = 0
    rows, columns = depth.shape
    for j in range(rows):
        rz = row_slopes[j]
        for i in range(columns):
            value = depth[j, i]
            if not (value < math.inf):  # no return, or NaN = dropped by the sensor
                continue
            ry = column_slopes[i]
            dx = rotation[0, 0] + rotation[0, 1] * ry + rotation[0, 2] * rz
            dy = rotation[1, 0] + rotation[1, 1] * ry + rotation[1, 2] * rz
            dz = rotation[2, 0] + rotation[2, 1] * ry + rotation[2, 2] * rz
            points[n, 0] = origin[0] + dx * value
            points[n, 1] = origin[1] + dy * value
            points[n, 2] = origin[2] + dz * value
            n += 1
    return n
