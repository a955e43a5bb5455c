"""Agreement of predicted and measured distances: pure functions of two arrays.

Every function answers None where it is not defined (too few values, no variation, one class only). SciPy ranks;
its `spearmanr` and `mannwhitneyu` would also compute p-values, in each of some hundred draws of a bootstrap.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from uav_testgen.core.arrays import FloatArray

BoolArray = NDArray[np.bool_]


def pearson(a: FloatArray, b: FloatArray) -> float | None:
    """Linear correlation."""
    if len(a) < 2:
        return None
    da, db = a - np.mean(a), b - np.mean(b)
    scale = math.sqrt(float(da @ da) * float(db @ db))
    return float(da @ db) / scale if scale > 0.0 else None


def spearman(a: FloatArray, b: FloatArray) -> float | None:
    """Correlation of ranks."""
    return pearson(rankdata(a), rankdata(b)) if len(a) >= 2 else None


def auc(scores: FloatArray, positive: BoolArray) -> float | None:
    """Probability that a positive case has the higher score (ties count half)."""
    n_positive = int(np.sum(positive))
    n_negative = len(positive) - n_positive
    if n_positive == 0 or n_negative == 0:
        return None
    rank_sum = float(np.sum(rankdata(scores)[positive]))
    return (rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative)


def precision_recall_f1(
    called: BoolArray, positive: BoolArray
) -> tuple[float | None, float | None, float | None]:
    """Of the called cases how many are positive, of the positive ones how many are called, and F1."""
    both = int(np.sum(called & positive))
    n_called, n_positive = int(np.sum(called)), int(np.sum(positive))
    precision = both / n_called if n_called else None
    recall = both / n_positive if n_positive else None
    f1 = 2 * both / (n_called + n_positive) if n_called + n_positive else None
    return precision, recall, f1


def median_abs_error(predicted: FloatArray, measured: FloatArray) -> float | None:
    """Median of |error|."""
    return float(np.median(np.abs(predicted - measured))) if len(predicted) else None


def rmse(predicted: FloatArray, measured: FloatArray) -> float | None:
    """Root of the mean squared error."""
    return float(np.sqrt(np.mean((predicted - measured) ** 2))) if len(predicted) else None


def brier(probability: FloatArray, positive: BoolArray) -> float | None:
    """Mean squared difference between probability and outcome."""
    return float(np.mean((probability - positive) ** 2)) if len(probability) else None


def reliability(probability: FloatArray, positive: BoolArray, bins: int = 5) -> list[dict[str, Any]]:
    """Predicted against observed share of failures, in bins of equal width."""
    index = np.minimum((probability * bins).astype(int), bins - 1)
    table = []
    for k in range(bins):
        chosen = index == k
        count = int(np.sum(chosen))
        table.append(
            {
                "from": k / bins,
                "to": (k + 1) / bins,
                "n": count,
                "predicted": float(np.mean(probability[chosen])) if count else None,
                "observed": float(np.mean(positive[chosen])) if count else None,
            }
        )
    return table
