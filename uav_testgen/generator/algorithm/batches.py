"""What generation-wise algorithms share: hand out a generation piece by piece, collect its scores."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from uav_testgen.generator.algorithm.base import Proposal, Score, Vector


class GenerationQueue:
    """A generation is asked for in pieces of any size and is complete when every score is in."""

    def __init__(self) -> None:
        self._waiting: deque[Proposal] = deque()
        self._generation: list[Proposal] = []
        self._scores: dict[int, Score] = {}
        self._next_number = 0

    @property
    def is_complete(self) -> bool:
        """Whether the current generation has been handed out and scored."""
        return len(self._scores) == len(self._generation)

    def start(self, vectors: Sequence[Vector]) -> None:
        """Begin a new generation."""
        self._generation = [
            Proposal(self._next_number + offset, vector) for offset, vector in enumerate(vectors)
        ]
        self._next_number += len(self._generation)
        self._waiting = deque(self._generation)
        self._scores = {}

    def take(self, count: int) -> list[Proposal]:
        """The next proposals of the generation, at most `count`."""
        return [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]

    def note(self, scores: Sequence[Score]) -> None:
        """Scores of members of the current generation."""
        members = {proposal.number for proposal in self._generation}
        self._scores.update((score.number, score) for score in scores if score.number in members)

    def scored(self) -> list[tuple[Proposal, Score]]:
        """The generation with its scores, in order."""
        return [(proposal, self._scores[proposal.number]) for proposal in self._generation]
