"""An upright cylinder: diameter and height."""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.shape.base import Form, Mesh, Outline, Size, Triangles
from uav_testgen.shape.ring import ring, segments


def _outline(size_m: Size, triangles: Triangles) -> Outline:
    return Outline(0.5 * size_m[0])


def _mesh(size_m: Size, triangles: Triangles, tolerance_m: float) -> Mesh:
    radius, half_height = 0.5 * size_m[0], 0.5 * size_m[2]
    count = segments(radius, tolerance_m)
    round_m = ring(radius / math.cos(math.pi / count), count)
    low = np.column_stack([round_m, np.full(count, -half_height)])
    high = np.column_stack([round_m, np.full(count, half_height)])
    middle = np.array([(0.0, 0.0, -half_height), (0.0, 0.0, half_height)])
    k = np.arange(count)
    after = (k + 1) % count
    bottom, top = 2 * count, 2 * count + 1
    faces = np.concatenate(
        [
            np.stack([k, after, after + count], axis=1),
            np.stack([k, after + count, k + count], axis=1),
            np.stack([np.full(count, bottom), after, k], axis=1),
            np.stack([np.full(count, top), k + count, after + count], axis=1),
        ]
    )
    return Mesh(np.concatenate([low, high, middle]), faces.astype(np.uint32))


def _distance(points: FloatArray, size_m: Size, triangles: Triangles, horizontal: bool) -> FloatArray:
    radial = np.maximum(np.hypot(points[:, 0], points[:, 1]) - 0.5 * size_m[0], 0.0)
    vertical = np.maximum(np.abs(points[:, 2]) - 0.5 * size_m[2], 0.0)
    return np.asarray(radial if horizontal else np.hypot(radial, vertical))


FORM = Form(
    word="cylinder",
    sides=(("diameter", (0, 1)), ("height", (2,))),
    turns=False,
    may_float=False,
    outline=_outline,
    mesh=_mesh,
    distance=_distance,
)
