"""Conformal prediction: limits that hold for the next case as often as they say, whatever made the errors.

All it needs is that the next case could have stood anywhere among those seen (exchangeable). A case that somebody chose
because of what was predicted for it breaks that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from uav_testgen.core.arrays import FloatArray

BoolArray = NDArray[np.bool_]


def conformal_limit(scores: FloatArray, share: float) -> float:
    """What the score of the next case stays below with at least this probability; infinite with too few cases."""
    place = math.ceil(share * (len(scores) + 1))
    return math.inf if place > len(scores) else float(np.sort(scores)[place - 1])


def binomial_band(trials: int, share: float, confidence: float = 0.99) -> tuple[int, int]:
    """The fewest and the most successes of independent trials that do not contradict a share.

    Each tail outside the band is at most half of what the confidence leaves.
    """
    counts = np.arange(-1, trials + 1)
    below = np.where(counts < 0, 0.0, bdtr(np.maximum(counts, 0), trials, share))
    tail = 0.5 * (1.0 - confidence)
    low = int(np.argmax(below[1:] > tail))
    high = int(np.argmax(below[1:] >= 1.0 - tail))
    return low, high


def rising_steps(scores: FloatArray, happened: BoolArray, fewest: int) -> list[tuple[float, float, int]]:
    """(mean score, share that happened, cases) of groups of cases with rising scores and rising shares.

    Neighbouring groups whose shares fall are joined (isotonic regression); so are groups of fewer than `fewest` cases.
    """
    order = np.argsort(scores, kind="stable")
    groups: list[list[int]] = []
    for case in order.tolist():
        if groups and len(groups[-1]) < fewest:
            groups[-1].append(case)
        else:
            groups.append([case])
    if len(groups) > 1 and len(groups[-1]) < fewest:
        short = groups.pop()
        groups[-1] += short
    steps: list[list[int]] = []
    for group in groups:
        steps.append(group)
        while len(steps) > 1 and _share(happened, steps[-2]) >= _share(happened, steps[-1]):
            last = steps.pop()
            steps[-1] = steps[-1] + last
    return [(float(np.mean(scores[step])), _share(happened, step), len(step)) for step in steps]


def _share(happened: BoolArray, cases: Sequence[int]) -> float:
    return float(np.mean(happened[list(cases)]))
