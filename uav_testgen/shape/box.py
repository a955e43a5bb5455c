"""A box: length, width, height, turned about the vertical."""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.shape.base import Form, Mesh, Outline, Size, Triangles


def _outline(size_m: Size, triangles: Triangles) -> Outline:
    x, y = 0.5 * size_m[0], 0.5 * size_m[1]
    return Outline(None, (((-x, -y), (x, -y), (x, y), (-x, y)),))


def _mesh(size_m: Size, triangles: Triangles, tolerance_m: float) -> Mesh:
    corners = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=np.float64)
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    both = [part for a, b, c, d in faces for part in ((a, b, c), (a, c, d))]
    return Mesh(corners * (0.5 * np.array(size_m)), np.array(both, dtype=np.uint32))


def _distance(points: FloatArray, size_m: Size, triangles: Triangles, horizontal: bool) -> FloatArray:
    beyond = np.maximum(np.abs(points) - 0.5 * np.array(size_m), 0.0)
    return np.asarray(np.linalg.norm(beyond[:, :2] if horizontal else beyond, axis=1))


FORM = Form(
    word="box",
    sides=(("length", (0,)), ("width", (1,)), ("height", (2,))),
    turns=True,
    may_float=False,
    outline=_outline,
    mesh=_mesh,
    distance=_distance,
)
