"""Triangle meshes of the packed world, for ray casting and for display.

Round bodies are circumscribed: the mesh contains the body, so no ray that meets the body misses the
mesh. All triangles are wound so that their normals point outwards.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.world.layout import (
    BOX,
    COS_YAW,
    CYLINDER,
    GRID_CELL,
    GRID_X,
    GRID_Y,
    GROUND_Z,
    HX,
    HZ,
    SHAPE,
    SIN_YAW,
)
from uav_testgen.world.terrain import Ground

IndexArray = NDArray[np.uint32]

PLANE_HALF_SIZE_M = 500.0
FEWEST_SEGMENTS, MOST_SEGMENTS = 24, 512


class Mesh(NamedTuple):
    """Vertices (n, 3) [m] and triangles (m, 3)."""

    vertices: FloatArray
    triangles: IndexArray


def obstacle_mesh(row: FloatArray, tolerance_m: float) -> Mesh:
    """Mesh about the obstacle's centre, turned by its yaw; round bodies stay within the tolerance."""
    if row[SHAPE] == BOX:
        mesh = _box(row[HX : HZ + 1])
    elif row[SHAPE] == CYLINDER:
        mesh = _cylinder(float(row[HX]), float(row[HZ]), _segments(float(row[HX]), tolerance_m))
    else:
        mesh = _sphere(float(row[HX]), _segments(float(row[HX]), tolerance_m))
    c, s = row[COS_YAW], row[SIN_YAW]
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return Mesh(mesh.vertices @ turn.T, mesh.triangles)


def ground_mesh(ground: Ground, centre_m: tuple[float, float]) -> Mesh:
    """The plane as a large square about `centre_m`, or the height grid with two triangles per cell.

    Triangles 2k and 2k + 1 belong to cell k (row-major): south-east first, then north-west.
    """
    if not ground.has_grid:
        x, y = centre_m
        size, z = PLANE_HALF_SIZE_M, float(ground.vector[GROUND_Z])
        corners = [
            (x - size, y - size, z),
            (x + size, y - size, z),
            (x + size, y + size, z),
            (x - size, y + size, z),
        ]
        return Mesh(np.array(corners), np.array([(0, 1, 2), (0, 2, 3)], dtype=np.uint32))
    rows, columns = ground.heights.shape
    x0, y0, cell = ground.vector[GRID_X], ground.vector[GRID_Y], ground.vector[GRID_CELL]
    grid_x, grid_y = np.meshgrid(x0 + cell * np.arange(columns), y0 + cell * np.arange(rows))
    vertices = np.stack([grid_x.ravel(), grid_y.ravel(), ground.heights.ravel()], axis=1)
    south_west = (np.arange(rows - 1)[:, np.newaxis] * columns + np.arange(columns - 1)).ravel()
    south_east, north_west = south_west + 1, south_west + columns
    north_east = north_west + 1
    lower = np.stack([south_west, south_east, north_east], axis=1)
    upper = np.stack([south_west, north_east, north_west], axis=1)
    triangles = np.stack([lower, upper], axis=1).reshape(-1, 3)
    return Mesh(vertices, triangles.astype(np.uint32))


def _segments(radius_m: float, tolerance_m: float) -> int:
    """Sides of a polygon whose corners stand out from the circle by less than the tolerance."""
    needed = math.pi / math.sqrt(2.0 * tolerance_m / max(radius_m, 1e-9))
    return int(min(max(math.ceil(needed), FEWEST_SEGMENTS), MOST_SEGMENTS))


def _box(half: FloatArray) -> Mesh:
    corners = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=np.float64)
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [part for a, b, c, d in faces for part in ((a, b, c), (a, c, d))]
    return Mesh(corners * half, np.array(triangles, dtype=np.uint32))


def _ring(radius: float, segments: int) -> FloatArray:
    angle = 2.0 * np.pi * np.arange(segments) / segments
    return np.asarray(radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _cylinder(radius: float, half_height: float, segments: int) -> Mesh:
    ring = _ring(radius / math.cos(math.pi / segments), segments)
    low = np.column_stack([ring, np.full(segments, -half_height)])
    high = np.column_stack([ring, np.full(segments, half_height)])
    middle = np.array([(0.0, 0.0, -half_height), (0.0, 0.0, half_height)])
    k = np.arange(segments)
    after = (k + 1) % segments
    bottom, top = 2 * segments, 2 * segments + 1
    triangles = np.concatenate(
        [
            np.stack([k, after, after + segments], axis=1),
            np.stack([k, after + segments, k + segments], axis=1),
            np.stack([np.full(segments, bottom), after, k], axis=1),
            np.stack([np.full(segments, top), k + segments, after + segments], axis=1),
        ]
    )
    return Mesh(np.concatenate([low, high, middle]), triangles.astype(np.uint32))


def _sphere(radius: float, segments: int) -> Mesh:
    rings = segments // 2
    polar = np.pi * np.arange(1, rings) / rings
    ring = _ring(1.0, segments)
    bands = [np.column_stack([ring * math.sin(p), np.full(segments, math.cos(p))]) for p in polar]
    vertices = np.concatenate([*bands, np.array([(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])])
    north, south = len(vertices) - 2, len(vertices) - 1
    k = np.arange(segments)
    after = (k + 1) % segments
    parts = [np.stack([np.full(segments, north), k, after], axis=1)]
    for band in range(rings - 2):
        a, b = band * segments, (band + 1) * segments
        parts += [
            np.stack([a + k, b + k, b + after], axis=1),
            np.stack([a + k, b + after, a + after], axis=1),
        ]
    last = (rings - 2) * segments
    parts.append(np.stack([np.full(segments, south), last + after, last + k], axis=1))
    triangles = np.concatenate(parts).astype(np.uint32)
    # Blow the mesh up until its innermost face touches the sphere from outside.
    first, second, third = (vertices[triangles[:, corner]] for corner in range(3))
    normal = np.cross(second - first, third - first)
    inner = np.abs(np.sum(normal * first, axis=1)) / np.linalg.norm(normal, axis=1)
    return Mesh(vertices * (radius / float(inner.min())), triangles)
