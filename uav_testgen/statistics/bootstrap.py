"""Confidence intervals by drawing the records again.

Not SciPy's `bootstrap`: a statistic may be undefined for some draws (one class only), and those are left out here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Statistic = Callable[[NDArray[np.int64]], float | None]


def interval(
    statistic: Statistic, count: int, random: np.random.Generator, draws: int = 400, share: float = 0.95
) -> list[float] | None:
    """Percentile interval of a statistic of chosen record numbers; None if it is hardly ever defined."""
    values: list[float] = []
    for _ in range(draws):
        value = statistic(random.integers(0, count, count)) if count else None
        if value is not None:
            values.append(value)
    if len(values) < draws // 2:
        return None
    tail = 50.0 * (1.0 - share)
    return [float(v) for v in np.percentile(values, [tail, 100.0 - tail])]


def intervals(
    statistics: dict[str, Statistic], count: int, seed_random: np.random.Generator
) -> dict[str, Any]:
    """Intervals of several statistics."""
    return {name: interval(statistic, count, seed_random) for name, statistic in statistics.items()}
