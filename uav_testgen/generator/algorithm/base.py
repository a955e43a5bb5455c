"""The contract of an algorithm: propose vectors of the unit cube, be told how good they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A vector with the number under which its score is told."""

    number: int
    vector: Vector


@dataclass(frozen=True, slots=True)
class Score:
    """What a proposal was worth; all objectives are minimised.

    `objectives` is None where nothing was measured: either the vector is not allowed (`violation` > 0
    says by how much) or flying it failed for reasons of its own (`violation` 0), which says nothing.
    """

    number: int
    objectives: tuple[float, ...] | None
    violation: float = 0.0


class VectorSearch(Protocol):
    """Built from (dimension, settings, seed, initial vectors); deterministic for a seed."""

    def ask(self, count: int) -> list[Proposal]:
        """Up to `count` new proposals; fewer while earlier ones wait for their scores."""
        ...

    def tell(self, scores: Sequence[Score]) -> None:
        """Scores of earlier proposals, in any order."""
        ...


def clipped(vector: Vector) -> Vector:
    """Into the unit cube."""
    return np.clip(vector, 0.0, 1.0)
