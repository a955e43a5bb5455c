"""An independent camera in plain NumPy, written from the description in ../shared/golden/README.md."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT, HFOV, NEAR, FAR = 64, 48, 1.02974, 0.5, 18.0


def rotation(yaw: float, pitch: float, roll: float) -> NDArray[np.float64]:
    cz, sz, cy, sy, cx, sx = (f(a) for a in (yaw, pitch, roll) for f in (math.cos, math.sin))
    rz = np.array([[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]])
    ry = np.array([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]])
    rx = np.array([[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]])
    return rz @ ry @ rx


def rays(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """World directions (rows, columns, 3)."""
    focal = WIDTH / (2.0 * math.tan(HFOV / 2.0))
    left = -(np.arange(WIDTH) - 31.5) / focal
    up = -(np.arange(HEIGHT) - 23.5) / focal
    left, up = np.meshgrid(left, up)
    parts = [matrix[a, 0] + matrix[a, 1] * left + matrix[a, 2] * up for a in range(3)]
    return np.stack(parts, axis=2)


def depth_image(
    boxes: list[tuple[tuple[float, float, float], tuple[float, float, float], float]],
    position: tuple[float, float, float],
    matrix: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Depth of ground z = 0 and boxes (centre, size, yaw); +inf without return."""
    direction = rays(matrix)
    hits = []
    with np.errstate(all="ignore"):
        ground = (0.0 - position[2]) / direction[..., 2]
        hits.append(np.where(direction[..., 2] < 0.0, ground, np.inf))
        for centre, size, yaw in boxes:
            c, s = math.cos(yaw), math.sin(yaw)
            px, py, pz = (position[k] - centre[k] for k in range(3))
            origin = (c * px + s * py, c * py - s * px, pz)
            dx, dy, dz = np.moveaxis(direction, 2, 0)
            local = (c * dx + s * dy, c * dy - s * dx, dz)
            enter, leave = np.full(dx.shape, -np.inf), np.full(dx.shape, np.inf)
            for k in range(3):
                half = 0.5 * size[k]
                low, high = (-half - origin[k]) / local[k], (half - origin[k]) / local[k]
                outside = (local[k] == 0.0) & (abs(origin[k]) > half)
                inside = (local[k] == 0.0) & (abs(origin[k]) <= half)
                first, second = np.minimum(low, high), np.maximum(low, high)
                first = np.where(inside, -np.inf, np.where(outside, np.inf, first))
                second = np.where(inside, np.inf, np.where(outside, -np.inf, second))
                enter, leave = np.maximum(enter, first), np.minimum(leave, second)
            hits.append(np.where(enter <= leave, enter, np.inf))
    depth = np.full((HEIGHT, WIDTH), np.inf)
    for hit in hits:
        depth = np.minimum(depth, np.where((hit >= NEAR) & (hit <= FAR), hit, np.inf))
    return depth


def cloud(
    depth: NDArray[np.float64], position: tuple[float, float, float], matrix: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Points in raster order, float32."""
    seen = np.isfinite(depth)
    points = np.array(position) + rays(matrix)[seen] * depth[seen][:, np.newaxis]
    return points.astype(np.float32)
