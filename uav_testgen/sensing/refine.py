"""Exact depth from "which surface": float64 formulas for the surfaces that a mesh ray caster found.

A ray caster works in float32 on triangles. It tells reliably which surface a pixel shows, except where
two surfaces meet in the image and on round bodies. So a pixel whose whole neighbourhood shows the same
box (or the ground) gets the exact depth of that surface; every other pixel is decided by the exact
intersection with each obstacle that can appear there. The result is the analytic image.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import allocating_kernel, kernel_with
from uav_testgen.sensing.window import image_window
from uav_testgen.shape.compiled.choose import obstacle_entry
from uav_testgen.shape.kinds import BOX, MESH
from uav_testgen.shape.row import SHAPE
from uav_testgen.world.ground import ground_entry

IdArray = NDArray[np.int64]
MaskArray = NDArray[np.uint8]

NOTHING, GROUND = -1, 0  # obstacle k has id k + 1
_SMALL_PX = 4  # an obstacle this narrow in the image may be missed altogether


@kernel_with(error_model="python")
def _same_all_round(ids: IdArray, j: int, i: int) -> bool:
    rows, columns = ids.shape
    for b in range(max(j - 1, 0), min(j + 2, rows)):
        for a in range(max(i - 1, 0), min(i + 2, columns)):
            if ids[b, a] != ids[j, i]:
                return False
    return True


@allocating_kernel
def exact_depth(
    ids: IdArray,
    doubtful: MaskArray,
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
    depth: FloatArray,
) -> int:
    """Write the exact image for the surfaces `ids`; returns how many pixels needed the full decision.

    `doubtful` marks pixels to be decided in any case; pixels of tiny obstacles are added to it.
    """
    rows, columns = ids.shape
    count = placed.shape[0]
    windows = np.empty((count, 4), dtype=np.int64)
    for k in range(count):
        j0, j1, i0, i1 = image_window(placed[k], origin, rotation, column_slopes, row_slopes, near_m, far_m)
        windows[k, 0], windows[k, 1], windows[k, 2], windows[k, 3] = j0, j1, i0, i1
        # A mesh of any size may have parts that are narrower than that.
        if j1 - j0 <= _SMALL_PX or i1 - i0 <= _SMALL_PX or placed[k, SHAPE] == MESH:
            doubtful[j0:j1, i0:i1] = 1
    decided = 0
    for j in range(rows):
        rz = row_slopes[j]
        for i in range(columns):
            ry = column_slopes[i]
            dx = rotation[0, 0] + rotation[0, 1] * ry + rotation[0, 2] * rz
            dy = rotation[1, 0] + rotation[1, 1] * ry + rotation[1, 2] * rz
            dz = rotation[2, 0] + rotation[2, 1] * ry + rotation[2, 2] * rz
            ray = (origin[0], origin[1], origin[2], dx, dy, dz)
            surface = ids[j, i]
            value = math.inf
            if not doubtful[j, i] and _same_all_round(ids, j, i):
                if surface == NOTHING:
                    depth[j, i] = math.inf
                    continue
                if surface == GROUND:
                    value, wet = ground_entry(ground, heights, water, ray, near_m, far_m)
                    if value < math.inf:
                        depth[j, i] = math.inf if wet else value
                        continue
                elif placed[surface - 1, SHAPE] == BOX:
                    value = obstacle_entry(
                        placed[surface - 1], origin[0], origin[1], origin[2], dx, dy, dz, near_m
                    )
                    if value >= near_m and value < math.inf:
                        depth[j, i] = value if value <= far_m else math.inf
                        continue
            decided += 1
            best, wet = ground_entry(ground, heights, water, ray, near_m, far_m)
            for k in range(count):
                if windows[k, 0] <= j < windows[k, 1] and windows[k, 2] <= i < windows[k, 3]:
                    value = obstacle_entry(placed[k], origin[0], origin[1], origin[2], dx, dy, dz, near_m)
                    if value >= near_m and value <= far_m and value < best:
                        best, wet = value, False
            depth[j, i] = math.inf if wet else best
    return decided
