"""Uniform random vectors: the baseline every other algorithm has to beat."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.rng import stream
from uav_testgen.generator.algorithm.base import Proposal, Score, Vector


class RandomSettings(RoomConfig):
    """The size has no influence here; it is accepted so that algorithms can be exchanged."""

    size: int = Field(default=100, ge=1, le=100_000, description="Ignored")


class RandomSearch:
    """Independent samples; initial vectors come first."""

    settings_type = RandomSettings

    def __init__(
        self, dimension: int, settings: RandomSettings, seed: int, initial: Sequence[Vector] = ()
    ) -> None:
        self._dimension = dimension
        self._seed = seed
        self._initial = list(initial)
        self._asked = 0

    def ask(self, count: int) -> list[Proposal]:
        """New samples; vector k depends on the seed and k only."""
        numbers = range(self._asked, self._asked + count)
        self._asked += count
        return [Proposal(number, self._vector(number)) for number in numbers]

    def tell(self, scores: Sequence[Score]) -> None:
        """Nothing is learnt."""

    def _vector(self, number: int) -> Vector:
        if number < len(self._initial):
            return self._initial[number]
        return stream(self._seed, "random-search", number).random(self._dimension)
