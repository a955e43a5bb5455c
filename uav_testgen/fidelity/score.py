"""How good a prediction is on missions it was not fitted on: one number per record, lower is better.

A prediction becomes a distribution (normal, with a bias and a spread fitted on the other missions), and the
distribution is asked for the probability of undercutting several distances. The mean squared difference to
what happened is a proper score: it rewards the right order and honest doubt, and one flight on the other
side of an obstacle cannot outweigh all others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uav_testgen.core.arrays import FloatArray

LIMITS_M = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
SPREADS_M = tuple(float(v) for v in np.arange(0.15, 1.01, 0.05))


def probability_below(limit_m: float, predicted: FloatArray, spread_m: float) -> FloatArray:
    """Normal distribution function, to four digits."""
    z = (limit_m - predicted) / spread_m
    return np.asarray(0.5 * (1.0 + np.tanh(0.7978845608 * (z + 0.044715 * z**3))))


def scores(
    predicted: FloatArray, measured: FloatArray, spread_m: float, mix: tuple[FloatArray, float] | None = None
) -> FloatArray:
    """Per record: squared error of the probabilities, averaged over the distances asked for.

    `mix` is a second prediction and its weight: the distribution then has two peaks.
    """
    squares = []
    for limit_m in LIMITS_M:
        probability = probability_below(limit_m, predicted, spread_m)
        if mix is not None:
            other, weight = mix
            probability = (1.0 - weight) * probability + weight * probability_below(limit_m, other, spread_m)
        squares.append((probability - (measured < limit_m)) ** 2)
    return np.asarray(np.mean(squares, axis=0))


def fit(
    predicted: FloatArray, measured: FloatArray, mix: tuple[FloatArray, float] | None = None
) -> tuple[float, float]:
    """(bias: median error of the (first) prediction, spread with the best score)."""
    bias_m = float(np.median(measured - predicted))
    moved = None if mix is None else (mix[0] + bias_m, mix[1])
    means = [float(np.mean(scores(predicted + bias_m, measured, spread_m, moved))) for spread_m in SPREADS_M]
    return bias_m, SPREADS_M[int(np.argmin(means))]


def left_out_scores(
    predicted: FloatArray,
    measured: FloatArray,
    missions: Sequence[str],
    mix: tuple[FloatArray, float] | None = None,
) -> FloatArray:
    """Per record: its score with bias and spread fitted on all other missions."""
    labels = np.array(missions)
    result = np.full(len(measured), np.nan)
    for mission in sorted(set(missions)):
        test, train = labels == mission, labels != mission
        if not np.any(train):
            continue
        bias_m, spread_m = fit(predicted[train], measured[train], mix and (mix[0][train], mix[1]))
        moved = mix and (mix[0][test] + bias_m, mix[1])
        result[test] = scores(predicted[test] + bias_m, measured[test], spread_m, moved)
    return result


def chance_of_gain(
    gain: FloatArray, missions: Sequence[str], random: np.random.Generator, draws: int = 1000
) -> float:
    """Share of sets of missions, drawn again, in which the sum of the gains is above 0."""
    labels = np.array(missions)
    sums = np.array([np.sum(gain[labels == mission]) for mission in sorted(set(missions))])
    chosen = random.integers(0, len(sums), (draws, len(sums)))
    return float(np.mean(np.sum(sums[chosen], axis=1) > 0.0))
