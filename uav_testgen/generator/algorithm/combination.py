"""Sequential combinations: the best of one algorithm and unvisited regions seed the next.

When an algorithm has used its share of the budget, its successor starts from the best vectors found
so far plus random ones from the parts of the cube where the fewest proposals fell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.rng import derive_seed, stream
from uav_testgen.generator.algorithm.base import Proposal, Score, Vector, VectorSearch

Factory = Callable[[int, int, Sequence[Vector]], VectorSearch]
"""(dimension, seed, initial vectors) to a running algorithm."""


class CombinationSettings(RoomConfig):
    """How the budget is split and how a successor is seeded."""

    size: int = Field(default=100, ge=4, le=100_000, description="Population or design of each member")
    evaluations: int = Field(default=500, ge=3, le=10_000_000, description="Budget shared by the members")
    best_share: float = Field(
        default=0.5, ge=0, le=1, description="Share of the seed that is the best so far"
    )
    cells_per_axis: int = Field(
        default=4, ge=2, le=50, description="Slices per variable when counting visits"
    )


@dataclass(slots=True)
class _Visit:
    vector: Vector
    value: float | None


class Combination:
    """Members one after the other, each with an equal part of the budget."""

    def __init__(
        self, dimension: int, settings: CombinationSettings, seed: int, members: Sequence[Factory]
    ) -> None:
        self._dimension = dimension
        self._settings = settings
        self._seed = seed
        self._members = list(members)
        self._rng = stream(seed, "combination")
        self._share = max(1, settings.evaluations // len(self._members))
        self._stage = 0
        self._visits: dict[int, _Visit] = {}
        self._scored_in_stage = 0
        self._asked_in_stage = 0
        self._offset = 0
        self._current = self._start(())

    def ask(self, count: int) -> list[Proposal]:
        """Proposals of the member whose turn it is; never more than its share."""
        if not self._is_last:
            count = min(count, self._share - self._asked_in_stage)
        proposals = [
            Proposal(self._offset + proposal.number, proposal.vector) for proposal in self._current.ask(count)
        ]
        self._asked_in_stage += len(proposals)
        self._visits.update((p.number, _Visit(p.vector, None)) for p in proposals)
        return proposals

    def tell(self, scores: Sequence[Score]) -> None:
        """Pass on to the member; hand over to the next when its share is used.

        Vectors that are not allowed are never flown and cost no budget, so they use up no share either.
        """
        for score in scores:
            if score.objectives is not None:
                self._visits[score.number].value = score.objectives[0]
        inner = [Score(s.number - self._offset, s.objectives, s.violation) for s in scores]
        self._current.tell([score for score in inner if score.number >= 0])
        flown = [score for score in scores if score.number >= self._offset and score.violation == 0.0]
        self._asked_in_stage -= sum(
            score.number >= self._offset and score.violation > 0.0 for score in scores
        )
        self._scored_in_stage += len(flown)
        if not self._is_last and self._scored_in_stage >= self._share:
            self._hand_over()

    @property
    def _is_last(self) -> bool:
        return self._stage == len(self._members) - 1

    def _start(self, initial: Sequence[Vector]) -> VectorSearch:
        seed = derive_seed(self._seed, "member", self._stage)
        return self._members[self._stage](self._dimension, seed, initial)

    def _hand_over(self) -> None:
        self._stage += 1
        self._offset = max(self._visits) + 1
        self._asked_in_stage = self._scored_in_stage = 0
        self._current = self._start(self._seed_vectors())

    def _seed_vectors(self) -> list[Vector]:
        count = self._settings.size
        measured = [visit for visit in self._visits.values() if visit.value is not None]
        measured.sort(key=lambda visit: visit.value if visit.value is not None else 0.0)
        best = [visit.vector for visit in measured[: round(count * self._settings.best_share)]]
        return best + [self._unvisited() for _ in range(count - len(best))]

    def _unvisited(self) -> Vector:
        """A random vector, each coordinate drawn from one of the slices with the fewest visits."""
        slices = self._settings.cells_per_axis
        vectors = np.array([visit.vector for visit in self._visits.values()])
        vector = np.empty(self._dimension)
        for axis in range(self._dimension):
            visited = np.minimum((vectors[:, axis] * slices).astype(int), slices - 1)
            counts = np.bincount(visited, minlength=slices)
            rarest = np.flatnonzero(counts == counts.min())
            chosen = rarest[int(self._rng.integers(0, len(rarest)))]
            vector[axis] = (chosen + self._rng.random()) / slices
        return vector


def sequences(names: Sequence[str], length: int = 3) -> list[tuple[str, ...]]:
    """All sequences of the given length in which no algorithm follows itself (twelve for three names)."""
    return [
        chosen
        for chosen in product(names, repeat=length)
        if all(one != other for one, other in pairwise(chosen))
    ]
