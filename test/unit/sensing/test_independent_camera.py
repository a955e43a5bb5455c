"""The analytic renderer against an independent camera in plain NumPy, bit by bit.

The NumPy camera is written from the description that comes with the recorded closed loops.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from uav_testgen.scenario.model import Obstacle
from uav_testgen.sensing.analytic_renderer import AnalyticRenderer
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import CameraConfig, pack_camera
from uav_testgen.sensing.cloud import cloud_of
from uav_testgen.world.packed import PackedWorld, pack_obstacles
from uav_testgen.world.terrain import flat_ground

CAMERA = pack_camera(CameraConfig())
Box = tuple[tuple[float, float, float], tuple[float, float, float], float]
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


def random_boxes(rng: np.random.Generator) -> list[Box]:
    def box() -> Box:
        centre = rng.uniform((-5, -15, 0), (25, 15, 10))
        return tuple(centre.tolist()), tuple(rng.uniform(0.2, 12.0, 3).tolist()), rng.uniform(-4, 4)

    return [box() for _ in range(rng.integers(0, 5))]


@pytest.mark.parametrize("tilted", [False, True])
def test_bit_equal_to_the_independent_camera(tilted: bool) -> None:
    rng = np.random.default_rng(11)
    for _ in range(250):
        boxes = random_boxes(rng)
        position = tuple(rng.uniform((-3, -3, 0), (3, 3, 15)).tolist())
        pitch, roll = rng.uniform(-0.7, 0.7, 2) * tilted
        pose = Pose(position, rng.uniform(-math.pi, math.pi), pitch, roll)
        rows = pack_obstacles([Obstacle(center_enu_m=c, size_m=s, yaw_rad=y) for c, s, y in boxes])
        world = PackedWorld(rows, flat_ground())
        matrix = pose.rotation()
        assert matrix == pytest.approx(rotation(pose.yaw_rad, pitch, roll), abs=1e-15)
        expected = depth_image(boxes, position, matrix)
        depth = AnalyticRenderer().depth(world, 0.0, CAMERA, pose)
        assert np.array_equal(depth, expected)
        assert np.array_equal(cloud_of(depth, CAMERA, pose), cloud(expected, position, matrix))
