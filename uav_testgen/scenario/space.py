"""Obstacle layouts as vectors of the unit cube: six numbers per box, in the bounds of the arena.

The genes of a box are those of the competition's entries: x, y, length, width, height, rotation, in
Aerialist's axes (x north, y east). Decoding rounds to what a test file keeps, so a decoded layout is
the test that will be written.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.model import Obstacle

GENES_PER_BOX = 6
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BoxSpace:
    """`count` boxes standing on the ground of an arena."""

    arena: Arena
    count: int

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return GENES_PER_BOX * self.count

    @property
    def bounds(self) -> tuple[Vector, Vector]:
        """Lowest and highest value of each gene of one box: north, east, length, width, height, degrees."""
        arena = self.arena
        low = [
            arena.north_min_m,
            arena.east_min_m,
            arena.min_side_m,
            arena.min_side_m,
            arena.min_height_m,
            0.0,
        ]
        high = [arena.north_max_m, arena.east_max_m, arena.max_side_m, arena.max_side_m, arena.max_height_m]
        return np.array(low), np.array([*high, min(90.0, arena.max_rotation_deg)])

    def decode(self, vector: Vector) -> tuple[Obstacle, ...]:
        """The boxes a vector stands for; they may overlap or leave the arena."""
        low, high = self.bounds
        genes = low + np.asarray(vector).reshape(self.count, GENES_PER_BOX) * (high - low)
        return tuple(
            # Along Aerialist's x axis, turned clockwise seen from above: counter-clockwise from east
            # that is a quarter turn minus the rotation.
            wall((east, north), math.radians(90.0 - degrees), length, width, height)
            for north, east, length, width, height, degrees in genes.tolist()
        )

    def encode_box(self, north_m: float, east_m: float, rest: Vector) -> Vector:
        """One box's part of a vector from its place and its four other genes (already in 0..1)."""
        low, high = self.bounds
        place = (np.array([north_m, east_m]) - low[:2]) / (high[:2] - low[:2])
        genes: Vector = np.clip(np.concatenate([place, rest]), 0.0, 1.0)
        return genes
