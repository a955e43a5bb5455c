"""A mesh: any closed surface of triangles, stretched to its length, width and height.

Its triangles are kept in shares of the half sizes, so that a mesh is resized like every other shape. The footprint
is the true one, the union of the projected triangles; `hull` is what pictures draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from uav_testgen.core.arrays import FloatArray
from uav_testgen.shape.base import Form, Mesh, Outline, Place, Size, Triangles

MOST_TRIANGLES = 1000
_FILLS = 1e-9
_LEAST_AREA = 1e-12


def triangles_fault(triangles: Triangles) -> str | None:
    """What is wrong with the triangles of a mesh; None if they are a closed surface that fills -1 to 1."""
    if not 4 <= len(triangles) <= MOST_TRIANGLES:
        return f"a mesh needs 4 to {MOST_TRIANGLES} triangles, this one has {len(triangles)}"
    corners = np.array(triangles, dtype=np.float64)
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    if np.abs(low + 1.0).max() > _FILLS or np.abs(high - 1.0).max() > _FILLS:
        return "the corners of a mesh are shares of its half sizes: each axis goes from -1 to 1"
    return _surface_fault(corners)


def _surface_fault(corners: FloatArray) -> str | None:
    edges = Counter(
        (tuple(one[k].tolist()), tuple(one[(k + 1) % 3].tolist())) for one in corners + 0.0 for k in range(3)
    )
    for (start, end), count in edges.items():
        if edges[end, start] != count:
            where = ", ".join(f"{value:.4g}" for value in start)
            return (
                f"the surface is not closed at ({where}): every edge belongs to two triangles that run along it "
                "in opposite directions"
            )
    if not signed_volume(corners) > 0.0:
        return (
            "the triangles face inwards or enclose nothing; list corners counter-clockwise, seen from outside"
        )
    return None


def signed_volume(corners: FloatArray) -> float:
    """Volume that triangles (n, 3, 3) enclose; negative if they face inwards."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    return float(np.sum(a * np.cross(b, c))) / 6.0


def scaled(triangles: Triangles, size_m: Size) -> FloatArray:
    """Corners (n, 3, 3) in metres, in the obstacle's own axes about its centre."""
    return np.array(triangles, dtype=np.float64).reshape(-1, 3, 3) * (0.5 * np.array(size_m))


def hull(places: Iterable[Place]) -> list[Place]:
    """Corners of the convex hull of points in the plane, counter-clockwise."""
    points = sorted(set(places))

    def half(ordered: list[Place]) -> list[Place]:
        kept: list[Place] = []
        for p in ordered:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0.0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return points if len(points) < 3 else half(points) + half(points[::-1])


def _turn(a: Place, b: Place, c: Place) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _outline(size_m: Size, triangles: Triangles) -> Outline:
    pieces = []
    for one in scaled(triangles, size_m)[:, :, :2].tolist():
        a, b, c = ((x, y) for x, y in one)
        area = _turn(a, b, c)
        if abs(area) > _LEAST_AREA:  # an upright face covers no ground
            pieces.append((a, b, c) if area > 0.0 else (a, c, b))
    return Outline(None, tuple(pieces))


def _mesh(size_m: Size, triangles: Triangles, tolerance_m: float) -> Mesh:
    corners = scaled(triangles, size_m)
    vertices, faces = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return Mesh(vertices, faces.reshape(-1, 3).astype(np.uint32))


def _distance(points: FloatArray, size_m: Size, triangles: Triangles, horizontal: bool) -> FloatArray:
    """Nearest of all triangles, found by projection; 0 inside, which the winding number tells."""
    corners = scaled(triangles, size_m)
    if horizontal:
        points, corners = points * (1.0, 1.0, 0.0), corners * (1.0, 1.0, 0.0)
    each = np.stack([_from_triangle(points, *one) for one in corners], axis=1)
    nearest = each.min(axis=1)
    if not horizontal:
        nearest[_winding(points, corners) > 0.5] = 0.0
    return np.asarray(nearest)


def _from_triangle(points: FloatArray, a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    found = np.min([_from_edge(points, *edge) for edge in ((a, b), (b, c), (c, a))], axis=0)
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal)
    if length > 0.0:
        above = np.ones(len(points), dtype=bool)
        for start, end in ((a, b), (b, c), (c, a)):
            above &= np.cross(end - start, points - start) @ normal >= 0.0
        found = np.where(above, np.abs((points - a) @ normal) / length, found)
    return np.asarray(found)


def _from_edge(points: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    way = end - start
    square = float(way @ way)
    share = np.clip((points - start) @ way / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(points))
    return np.asarray(np.linalg.norm(points - start - share[:, np.newaxis] * way, axis=1))


def _winding(points: FloatArray, corners: FloatArray) -> FloatArray:
    """How often the surface goes round each point: 1 inside, 0 outside."""
    a, b, c = (corners[np.newaxis, :, k] - points[:, np.newaxis] for k in range(3))
    la, lb, lc = (np.linalg.norm(one, axis=2) for one in (a, b, c))
    spread = la * lb * lc + _dots(a, b) * lc + _dots(b, c) * la + _dots(c, a) * lb
    return np.asarray(np.sum(np.arctan2(_dots(a, np.cross(b, c)), spread), axis=1) / (2.0 * np.pi))


def _dots(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(np.sum(one * other, axis=2))


def unit_form(corners_m: ArrayLike) -> tuple[Triangles, Size]:
    """Triangles (n, 3, 3) in metres as a mesh: in shares of the half sizes, facing outwards; and its extents."""
    corners = np.array(corners_m, dtype=np.float64)
    if corners.ndim != 3 or corners.shape[1:] != (3, 3):
        raise ValueError(f"triangles have the shape (n, 3, 3): three corners of x, y, z; got {corners.shape}")
    if not 4 <= len(corners) <= MOST_TRIANGLES:
        raise ValueError(f"a mesh needs 4 to {MOST_TRIANGLES} triangles, this one has {len(corners)}")
    if not np.all(np.isfinite(corners)):
        raise ValueError("every corner must be a finite number")
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    extents = high - low
    if not np.all(extents > 0.0):
        raise ValueError("a mesh needs an extent along x, y and z")
    shares = (corners - low) * (2.0 / extents) - 1.0
    shares[corners == low], shares[corners == high] = -1.0, 1.0
    if signed_volume(shares) < 0.0:
        shares = shares[:, ::-1]
    fault = _surface_fault(shares)
    if fault:
        raise ValueError(fault)
    unit = tuple(tuple((x, y, z) for x, y, z in one) for one in (shares + 0.0).tolist())
    return unit, (float(extents[0]), float(extents[1]), float(extents[2]))  # type: ignore[return-value]


FORM = Form(
    word="mesh",
    sides=(("length", (0,)), ("width", (1,)), ("height", (2,))),
    turns=True,
    may_float=False,
    outline=_outline,
    mesh=_mesh,
    distance=_distance,
)
