"""Rays of a camera as a ray caster takes them, and its answers as surfaces: compiled loops over pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel_with

RayArray = NDArray[np.float32]
IdArray = NDArray[np.int64]
MaskArray = NDArray[np.uint8]


@kernel_with(error_model="python")
def fill_rays(
    column_slopes: FloatArray,
    row_slopes: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
    rays: RayArray,
) -> None:
    """One row (origin, direction) per pixel in raster order; directions are 1 long along the optical axis."""
    k = 0
    for j in range(row_slopes.shape[0]):
        for i in range(column_slopes.shape[0]):
            for axis in range(3):
                rays[k, axis] = origin[axis]
                rays[k, 3 + axis] = (
                    rotation[axis, 0]
                    + rotation[axis, 1] * column_slopes[i]
                    + rotation[axis, 2] * row_slopes[j]
                )
            k += 1


@kernel_with(error_model="python")
def accept_hits(
    rays: RayArray,
    waiting: IdArray,
    way: RayArray,
    geometries: NDArray[np.uint32],
    primitives: NDArray[np.uint32],
    normals: RayArray,
    surface_of: IdArray,
    near_m: float,
    step_beyond_m: float,
    begun: FloatArray,
    ids: IdArray,
    depth: FloatArray,
    triangle: IdArray,
    doubtful: MaskArray,
) -> int:
    """Take over the answers for the `waiting` pixels: surfaces entered from outside at >= near.

    Rays that met another side are put back to the front of `waiting`, to begin anew just behind it;
    returns how many.
    """
    again = 0
    for k in range(way.shape[0]):
        pixel = waiting[k]
        if not np.isfinite(way[k]):
            continue
        total = begun[pixel] + way[k]
        along = (
            normals[k, 0] * rays[pixel, 3] + normals[k, 1] * rays[pixel, 4] + normals[k, 2] * rays[pixel, 5]
        )
        if along < 0.0 and total >= near_m:
            ids[pixel] = surface_of[geometries[k]]
            depth[pixel] = total
            triangle[pixel] = primitives[k]
        else:
            begun[pixel] = total + step_beyond_m
            doubtful[pixel] = 1
            waiting[again] = pixel
            again += 1
    return again
