"""Reference camera and boxes of the closed-loop vectors, in plain float64.

Written for correctness alone and independent of the renderers, so that it can also judge them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from uav_testgen.planner.vfh3d.base import Float32Array
from uav_testgen.testing.golden.records import FloatArray, Record

COLUMNS: Final = 64
ROWS: Final = 48
H_FOV_RAD: Final = 1.02974
NEAR_M: Final = 0.5
FAR_M: Final = 18.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box turned about the vertical axis."""

    centre_m: FloatArray
    half_size_m: FloatArray
    yaw_rad: float

    @classmethod
    def of(cls, record: Record) -> Box:
        """From ``center``, ``size``, ``yaw``."""
        return cls(record.array("center", (3,)), record.array("size", (3,)) / 2, record.number("yaw"))

    def to_local(self, vectors: FloatArray) -> FloatArray:
        """Turn (…, 3) vectors into the box's own axes."""
        cosine, sine = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        x, y = vectors[..., 0], vectors[..., 1]
        return np.stack([cosine * x + sine * y, cosine * y - sine * x, vectors[..., 2]], axis=-1)

    def distance_m(self, point: FloatArray) -> float:
        """Euclidean distance of a point, 0 inside."""
        outside = np.abs(self.to_local(point - self.centre_m)) - self.half_size_m
        return float(np.linalg.norm(np.maximum(outside, 0.0)))

    def contains(self, point: FloatArray) -> bool:
        """Is the point inside (border included)?"""
        return bool((np.abs(self.to_local(point - self.centre_m)) <= self.half_size_m).all())

    def entry_depth_m(self, origin: FloatArray, rays: FloatArray) -> FloatArray:
        """Ray parameter where each ray enters the box, inf if it does not (slab test)."""
        start = self.to_local(origin - self.centre_m)
        direction = self.to_local(rays)
        with np.errstate(divide="ignore", invalid="ignore"):
            first = (-self.half_size_m - start) / direction
            second = (self.half_size_m - start) / direction
        near, far = np.minimum(first, second), np.maximum(first, second)
        # A ray parallel to a slab is limited by it only when it starts outside of it.
        parallel = direction == 0
        within = np.abs(start) <= self.half_size_m
        near = np.where(parallel, np.where(within, -np.inf, np.inf), near)
        far = np.where(parallel, np.where(within, np.inf, -np.inf), far)
        enter, leave = near.max(axis=-1), far.min(axis=-1)
        return np.where(enter <= leave, enter, np.inf)


def body_rays() -> FloatArray:
    """(3072, 3) rays, row by row from the top; the ray parameter is the depth along the optical axis."""
    focal = COLUMNS / (2 * math.tan(H_FOV_RAD / 2))
    column = np.arange(COLUMNS) - (COLUMNS - 1) / 2
    row = np.arange(ROWS) - (ROWS - 1) / 2
    down, right = np.meshgrid(row, column, indexing="ij")
    return np.stack([np.ones(down.size), -right.ravel() / focal, -down.ravel() / focal], axis=-1)


_BODY_RAYS: Final = body_rays()


def rotation(yaw_rad: float, pitch_rad: float = 0.0, roll_rad: float = 0.0) -> FloatArray:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    cz, sz = math.cos(yaw_rad), math.sin(yaw_rad)
    cy, sy = math.cos(pitch_rad), math.sin(pitch_rad)
    cx, sx = math.cos(roll_rad), math.sin(roll_rad)
    about_z = np.array([[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]])
    about_y = np.array([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]])
    return np.asarray(about_z @ about_y @ about_x)


def see(
    boxes: Sequence[Box],
    position_m: FloatArray,
    yaw_rad: float,
    pitch_rad: float = 0.0,
    roll_rad: float = 0.0,
    *,
    ground: bool = True,
) -> Float32Array:
    """(n, 3) cloud of the nearest hits between near and far; too near hits are ignored per surface."""
    rays = _BODY_RAYS @ rotation(yaw_rad, pitch_rad, roll_rad).T
    depths = [box.entry_depth_m(position_m, rays) for box in boxes]
    if ground:
        downward = rays[:, 2] < 0
        fall = np.where(downward, rays[:, 2], -1.0)
        depths.append(np.where(downward, -position_m[2] / fall, np.inf))
    nearest = np.full(len(rays), np.inf)
    for depth in depths:
        nearest = np.minimum(nearest, np.where(depth < NEAR_M, np.inf, depth))
    hit = nearest <= FAR_M
    return np.asarray(position_m + rays[hit] * nearest[hit, None], np.float32)
