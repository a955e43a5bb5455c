"""Shares and probabilities in words."""

from __future__ import annotations

NEARLY = 0.001
"""Nearer to 0 or 1 than this a probability is not told apart from them: nobody has flown that often."""


def percent(share: float) -> str:
    """A share such as 57 %."""
    return f"{100.0 * share:.0f} %"


def percent_range(low: float, high: float) -> str:
    """An interval of shares such as 57–100 %."""
    return f"{100.0 * low:.0f}–{100.0 * high:.0f} %"


def probability_words(probability: float) -> str:
    """A probability such as 59 %; one that is estimated is never said to be 0 % or 100 %."""
    if probability > 1.0 - NEARLY:
        return f"more than {100.0 * (1.0 - NEARLY):.1f} %"
    if probability < NEARLY:
        return f"less than {100.0 * NEARLY:.1f} %"
    if 0.01 <= probability <= 0.99:
        return percent(probability)
    return f"{100.0 * probability:.1f} %"
