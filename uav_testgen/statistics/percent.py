"""Shares and probabilities in words."""

from __future__ import annotations

SURE, UNLIKELY = 0.95, 0.01
"""Beyond these a probability of failing is not told apart from certainty: recorded flights that were given more are too
few to show it (docs/explanation/how_true.md)."""


def percent(share: float) -> str:
    """A share such as 57 %."""
    return f"{100.0 * share:.0f} %"


def percent_range(low: float, high: float) -> str:
    """An interval of shares such as 57–100 %."""
    return f"{100.0 * low:.0f}–{100.0 * high:.0f} %"


def probability_words(probability: float) -> str:
    """A probability such as 59 %; one that is estimated is never said to be more certain than has been seen."""
    if probability > SURE:
        return f"more than {percent(SURE)}"
    if probability < UNLIKELY:
        return f"less than {percent(UNLIKELY)}"
    return percent(probability)
