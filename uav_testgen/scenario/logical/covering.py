"""Covering arrays: few rows in which every combination of t values of any t factors occurs.

Rows are built one after the other. Each is the best of several candidates; a candidate begins with a
combination that is still open and takes, factor by factor, the value that closes the most open ones. The
result is not the smallest possible, but it is complete, and the same for the same seed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

CANDIDATES = 12

Row = tuple[str, ...]
Pairs = tuple[tuple[int, str], ...]
"""A combination: factor numbers, rising, each with a value."""


@dataclass(frozen=True)
class Factors:
    """Names and values of the factors, and which partial rows can be completed."""

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    is_possible: Callable[[Mapping[int, str]], bool]

    def combinations(self, strength: int) -> set[Pairs]:
        """Every possible combination of `strength` values."""
        found: set[Pairs] = set()
        for chosen in itertools.combinations(range(len(self.names)), strength):
            for picked in itertools.product(*(self.values[factor] for factor in chosen)):
                if self.is_possible(dict(zip(chosen, picked, strict=True))):
                    found.add(tuple(zip(chosen, picked, strict=True)))
        return found

    def describe(self, pairs: Pairs) -> str:
        """A combination in words."""
        return ", ".join(f"{self.names[factor]} {value}" for factor, value in pairs)


@dataclass(frozen=True)
class Coverage:
    """How many of the possible combinations occur, and which do not."""

    strength: int
    rows: int
    possible: int
    missing: tuple[str, ...]

    @property
    def covered(self) -> int:
        """Combinations that occur at least once."""
        return self.possible - len(self.missing)

    @property
    def share(self) -> float:
        """Covered part, 0 to 1."""
        return self.covered / self.possible if self.possible else 1.0


def coverage_of(factors: Factors, rows: Sequence[Row], strength: int) -> Coverage:
    """What a list of rows covers."""
    possible = factors.combinations(strength)
    left = possible.difference(itertools.chain.from_iterable(_in_row(row, strength) for row in rows))
    missing = tuple(factors.describe(pairs) for pairs in sorted(left))
    return Coverage(strength, len(rows), len(possible), missing)


def covering_array(factors: Factors, strength: int, seed: int = 0) -> list[Row]:
    """Rows in which every possible combination occurs."""
    rng = np.random.default_rng(seed)
    # A list in a fixed order to draw from, and a set to look up in.
    left = sorted(factors.combinations(strength))
    open_ones = set(left)
    rows: list[Row] = []
    while left:
        drawn = [left[int(rng.integers(len(left)))] for _ in range(CANDIDATES)]
        candidates = [_completed(factors, first, open_ones, strength, rng) for first in drawn]
        best = max(candidates, key=lambda row: sum(pairs in open_ones for pairs in _in_row(row, strength)))
        rows.append(best)
        open_ones.difference_update(_in_row(best, strength))
        left = [pairs for pairs in left if pairs in open_ones]
    return rows


def _in_row(row: Row, strength: int) -> Iterable[Pairs]:
    return itertools.combinations(tuple(enumerate(row)), strength)


def _completed(
    factors: Factors, first: Pairs, open_ones: set[Pairs], strength: int, rng: np.random.Generator
) -> Row:
    chosen = dict(first)
    rest = [factor for factor in rng.permutation(len(factors.names)).tolist() if factor not in chosen]
    for factor in rest:
        values = [one for one in factors.values[factor] if factors.is_possible({**chosen, factor: one})]
        others = list(itertools.combinations(sorted(chosen.items()), strength - 1))
        gains = [
            sum(tuple(sorted((*other, (factor, value)))) in open_ones for other in others) for value in values
        ]
        best = [value for value, gain in zip(values, gains, strict=True) if gain == max(gains)]
        chosen[factor] = best[int(rng.integers(len(best)))]
    return tuple(chosen[factor] for factor in range(len(factors.names)))
