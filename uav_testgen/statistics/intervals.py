"""Intervals of shares."""

from __future__ import annotations

import math

from scipy.special import betaincinv, ndtri


def share_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a share of independent trials: sensible for the few runs a test gets.

    Written out, because importing scipy.stats for it would take a third of the time of a flight from the shell.
    """
    if trials < 1:
        raise ValueError("an interval needs at least one trial")
    z = float(ndtri(0.5 + 0.5 * confidence))
    share, square = successes / trials, z * z / trials
    middle = (share + 0.5 * square) / (1.0 + square)
    half = z / (1.0 + square) * math.sqrt(share * (1.0 - share) / trials + 0.25 * square / trials)
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == trials else middle + half
    return low, high


def exact_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share: it holds the truth at least as often as it says, for any share."""
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError("an interval needs at least one trial, and no more successes than trials")
    tail = 0.5 * (1.0 - confidence)
    low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes == trials else float(betaincinv(successes + 1, trials - successes, 1.0 - tail))
    return low, high
