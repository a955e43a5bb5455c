"""Speed-constrained particle swarm: positions pulled to the own and the common best, velocities bounded.

The constriction factor and the velocity limit (half the range of a variable) follow the
speed-constrained multi-objective PSO; with one objective its archive of leaders is the common best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.rng import stream
from uav_testgen.generator.algorithm.base import Proposal, Score, Vector, clipped
from uav_testgen.generator.algorithm.batches import GenerationQueue


class PsoSettings(RoomConfig):
    """Swarm size and the ranges its coefficients are drawn from."""

    size: int = Field(default=100, ge=2, le=100_000, description="Particles")
    pull_min: float = Field(default=1.5, ge=0, le=4, description="Smallest pull to own and common best")
    pull_max: float = Field(default=2.5, ge=0, le=4, description="Largest pull to own and common best")
    inertia: float = Field(default=0.1, ge=0, le=1, description="Share of the old velocity that is kept")
    speed_limit: float = Field(default=0.5, gt=0, le=1, description="Largest step, as a share of the range")
    mutation_share: float = Field(default=0.15, ge=0, le=1, description="Share of particles shaken per round")


class ParticleSwarm:
    """Each generation is one flight of the whole swarm."""

    settings_type = PsoSettings

    def __init__(
        self, dimension: int, settings: PsoSettings, seed: int, initial: Sequence[Vector] = ()
    ) -> None:
        self._settings = settings
        self._rng = stream(seed, "particle-swarm")
        size = settings.size
        self._positions = self._rng.random((size, dimension))
        for row, vector in enumerate(initial[:size]):
            self._positions[row] = vector
        self._velocities = np.zeros((size, dimension))
        self._own_best = self._positions.copy()
        self._own_value = np.full(size, math.inf)
        self._queue = GenerationQueue()
        self._queue.start(list(self._positions.copy()))

    def ask(self, count: int) -> list[Proposal]:
        """Particles of the current round."""
        return self._queue.take(count)

    def tell(self, scores: Sequence[Score]) -> None:
        """Move the swarm once all its particles are scored."""
        self._queue.note(scores)
        if not self._queue.is_complete:
            return
        for row, (_, score) in enumerate(self._queue.scored()):
            if score.objectives is not None and score.objectives[0] < self._own_value[row]:
                self._own_value[row] = score.objectives[0]
                self._own_best[row] = self._positions[row]
        self._move()
        self._queue.start(list(self._positions.copy()))

    def _move(self) -> None:
        settings, rng = self._settings, self._rng
        size, dimension = self._positions.shape
        leader = self._own_best[int(np.argmin(self._own_value))]
        pull_own, pull_common = rng.uniform(settings.pull_min, settings.pull_max, (2, size, 1))
        to_own = pull_own * rng.random((size, dimension)) * (self._own_best - self._positions)
        to_common = pull_common * rng.random((size, dimension)) * (leader - self._positions)
        constriction = _constriction(pull_own + pull_common)
        velocity = constriction * (settings.inertia * self._velocities + to_own + to_common)
        velocity = np.clip(velocity, -settings.speed_limit, settings.speed_limit)
        moved = self._positions + velocity
        # A particle that hits the border turns round, otherwise the swarm gathers in the corners.
        outside = (moved < 0.0) | (moved > 1.0)
        self._velocities = np.where(outside, -velocity, velocity)
        self._positions = clipped(moved)
        shaken = rng.random(size) < settings.mutation_share
        noise = rng.normal(0.0, 0.1, (size, dimension)) * (rng.random((size, dimension)) < 1.0 / dimension)
        self._positions[shaken] = clipped(self._positions + noise)[shaken]


def _constriction(pull: Vector) -> Vector:
    """Clerc's factor, which keeps the swarm from exploding where the pulls are strong."""
    strong = np.maximum(pull, 4.0)
    factor = 2.0 / np.abs(2.0 - strong - np.sqrt(strong**2 - 4.0 * strong))
    return np.where(pull <= 4.0, 1.0, factor)
