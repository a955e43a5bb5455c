"""Two samples against each other: Mann-Whitney, ANOVA, Shapiro-Wilk, Vargha and Delaney's A12, Cohen's d.

Smaller values are better throughout, as for every objective here. A12 is the probability that a run of the
first sample is better than one of the second, ties counting half; 0.5 means no difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, variance
from typing import Literal

from scipy.stats import f_oneway, mannwhitneyu, shapiro

# Limits of |A12 - 0.5| by Vargha and Delaney: 0.56, 0.64 and 0.71.
_SIZES = ((0.21, "large"), (0.14, "medium"), (0.06, "small"))
_ROUNDING = 1e-12


def a12_better(first: Sequence[float], second: Sequence[float]) -> float:
    """Share of pairs in which the first is better (smaller), ties counting half."""
    if not first or not second:
        raise ValueError("A12 needs two samples with at least one value each")
    better = sum((x < y) + 0.5 * (x == y) for x in first for y in second)
    return better / (len(first) * len(second))


def effect_size(a12: float) -> str:
    """negligible, small, medium or large, whichever of the two is better."""
    difference = abs(a12 - 0.5)
    return next((word for limit, word in _SIZES if difference >= limit - _ROUNDING), "negligible")


def mann_whitney_p(
    first: Sequence[float],
    second: Sequence[float],
    alternative: Literal["two-sided", "better"] = "two-sided",
) -> float | None:
    """p-value that the samples differ (or that the first is better); None where all values are equal."""
    if not first or not second:
        raise ValueError("the test needs two samples with at least one value each")
    if len({*first, *second}) == 1:
        return None
    side = "less" if alternative == "better" else "two-sided"
    return float(mannwhitneyu(first, second, alternative=side).pvalue)


def improvement_percent(value: float, base: float) -> float | None:
    """How much smaller a value is than the base, in percent of the base's size; None for a base of 0."""
    return None if base == 0.0 else 100.0 * (base - value) / abs(base)


def anova_p(first: Sequence[float], second: Sequence[float]) -> float | None:
    """p of the one-way ANOVA; None where it is not defined (fewer than two values, or no spread)."""
    if min(len(first), len(second)) < 2 or len({*first}) == len({*second}) == 1:
        return None
    p = float(f_oneway(first, second).pvalue)
    return p if math.isfinite(p) else None


def shapiro_p(values: Sequence[float]) -> float | None:
    """p of the Shapiro-Wilk test: small where the values are not normally distributed; None below three."""
    if len(values) < 3 or len({*values}) == 1:
        return None
    return float(shapiro(values).pvalue)


def cohens_d(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Difference of the means in pooled standard deviations; None where there is no spread."""
    if min(len(first), len(second)) < 2:
        return None
    pooled = math.sqrt(0.5 * (variance(first) + variance(second)))
    return (fmean(first) - fmean(second)) / pooled if pooled > 0.0 else None
