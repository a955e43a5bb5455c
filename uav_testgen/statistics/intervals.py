"""Intervals of shares."""

from __future__ import annotations

from scipy.stats import binomtest


def share_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a share of independent trials: sensible for the few runs a test gets."""
    if trials < 1:
        raise ValueError("an interval needs at least one trial")
    found = binomtest(successes, trials).proportion_ci(confidence_level=confidence, method="wilson")
    return float(found.low), float(found.high)
