"""Several treatments against each other: Friedman's test over blocks, all pairs, Holm's correction.

Smaller values are better throughout, as in `samples`; negate where larger is better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import friedmanchisquare, rankdata

from uav_testgen.statistics.samples import a12_better, effect_size, mann_whitney_p

_FEWEST_TREATMENTS = 3
_FEWEST_BLOCKS = 2


@dataclass(frozen=True, slots=True)
class Friedman:
    """Do the treatments differ? `mean_ranks` in the order given, 1 is best; None where the test is not defined."""

    blocks: int
    statistic: float | None
    p: float | None
    mean_ranks: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two treatments: p-values (None where all values are equal), A12 in favour of the first, its size."""

    first: str
    second: str
    p: float | None
    p_holm: float | None
    a12: float
    effect: str


def friedman(blocks: Sequence[Sequence[float]]) -> Friedman:
    """One row for each block (what was the same for all), one column for each treatment.

    Defined for three treatments and two blocks at least, and where not every block is one tie.
    """
    if not blocks:
        return Friedman(0, None, None, ())
    ranks = np.array([rankdata(block) for block in blocks])
    means = tuple(float(mean) for mean in ranks.mean(axis=0))
    count, treatments = ranks.shape
    tied = all(len(set(block)) == 1 for block in blocks)
    if treatments < _FEWEST_TREATMENTS or count < _FEWEST_BLOCKS or tied:
        return Friedman(count, None, None, means)
    found = friedmanchisquare(*np.array(blocks, dtype=float).T)
    return Friedman(count, _finite(found.statistic), _finite(found.pvalue), means)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction for several tests; None stays None and is not counted as a test."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for order, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - order) * p))
        corrected[place] = highest
    return corrected


def pairwise(samples: Mapping[str, Sequence[float]]) -> list[Pair]:
    """Every two samples by Mann-Whitney (two-sided) and A12, corrected together; empty samples are left out."""
    pairs = list(combinations([name for name, values in samples.items() if values], 2))
    p_values = [mann_whitney_p(samples[first], samples[second]) for first, second in pairs]
    found = []
    for (first, second), p, p_holm in zip(pairs, p_values, holm(p_values), strict=True):
        a12 = a12_better(samples[first], samples[second])
        found.append(Pair(first, second, p, p_holm, a12, effect_size(a12)))
    return found


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
