"""Conformal prediction: limits that hold for the next case as often as they say, whatever made the errors.

All it needs is that the next case could have stood anywhere among those seen (exchangeable). A case that somebody chose
because of what was predicted for it breaks that.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import bdtr

from uav_testgen.core.arrays import FloatArray


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
