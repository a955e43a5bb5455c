"""A sphere: its diameter."""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.shape.base import Form, Mesh, Outline, Size, Triangles
from uav_testgen.shape.ring import ring, segments


def _outline(size_m: Size, triangles: Triangles) -> Outline:
    return Outline(0.5 * size_m[0])


def _mesh(size_m: Size, triangles: Triangles, tolerance_m: float) -> Mesh:
    radius = 0.5 * size_m[0]
    count = segments(radius, tolerance_m)
    rings = count // 2
    polar = np.pi * np.arange(1, rings) / rings
    unit = ring(1.0, count)
    bands = [np.column_stack([unit * math.sin(p), np.full(count, math.cos(p))]) for p in polar]
    vertices = np.concatenate([*bands, np.array([(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])])
    north, south = len(vertices) - 2, len(vertices) - 1
    k = np.arange(count)
    after = (k + 1) % count
    parts = [np.stack([np.full(count, north), k, after], axis=1)]
    for band in range(rings - 2):
        a, b = band * count, (band + 1) * count
        parts += [
            np.stack([a + k, b + k, b + after], axis=1),
            np.stack([a + k, b + after, a + after], axis=1),
        ]
    last = (rings - 2) * count
    parts.append(np.stack([np.full(count, south), last + after, last + k], axis=1))
    faces = np.concatenate(parts).astype(np.uint32)
    # Blow the mesh up until its innermost face touches the sphere from outside.
    first, second, third = (vertices[faces[:, corner]] for corner in range(3))
    normal = np.cross(second - first, third - first)
    inner = np.abs(np.sum(normal * first, axis=1)) / np.linalg.norm(normal, axis=1)
    return Mesh(vertices * (radius / float(inner.min())), faces)


def _distance(points: FloatArray, size_m: Size, triangles: Triangles, horizontal: bool) -> FloatArray:
    away = np.linalg.norm(points[:, :2] if horizontal else points, axis=1)
    return np.asarray(np.maximum(away - 0.5 * size_m[0], 0.0))


FORM = Form(
    word="sphere",
    sides=(("diameter", (0, 1, 2)),),
    turns=False,
    may_float=True,
    outline=_outline,
    mesh=_mesh,
    distance=_distance,
)
