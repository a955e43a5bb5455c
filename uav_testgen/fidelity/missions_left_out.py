"""How good predictions are on a mission that nobody has recorded: bias and spread are fitted without it.

The preset's bias and spread were fitted on flights of all missions. Here each mission is predicted with what fits all
others best: a constant that is added to the distance, and the spread around it. The effects of the vehicle's model and
the shares of runs are those of the preset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from uav_testgen.fidelity.flown import FlownRecord
from uav_testgen.fidelity.score import LIMITS_M, SPREADS_M
from uav_testgen.predict.distribution import Distribution
from uav_testgen.statistics import agreement

FEWEST = 10
"""Records of other missions that a fit needs."""


def missions_left_out(predictions: Sequence[FlownRecord]) -> dict[str, dict[str, Any]]:
    """By mission: what the others say about bias and spread, and the figures of the mission with these."""
    found = {}
    for mission in sorted({one.record.mission for one in predictions}):
        others = [one for one in predictions if one.record.mission != mission]
        if len(others) < FEWEST:
            continue
        shift_m = float(np.median([one.record.distance_m - one.distance_m for one in others]))
        spread_m = _best_spread_m(others, shift_m)
        own = [one for one in predictions if one.record.mission == mission]
        measured = np.array([one.record.distance_m for one in own])
        refitted = [_changed(one.distribution, shift_m, spread_m) for one in own]
        predicted = np.array([one.expected_distance_m for one in refitted])
        probability = np.array([one.probability_below(1.5) for one in refitted])
        found[mission] = {
            "n": len(own),
            "added_m": shift_m,
            "spread_m": spread_m,
            "auc_1_5m": agreement.auc(probability - 1e-6 * predicted, measured < 1.5),
            "spearman": agreement.spearman(predicted, measured),
            "median_abs_error_m": agreement.median_abs_error(predicted, measured),
            "brier": agreement.brier(probability, measured < 1.5),
        }
    return found


def _best_spread_m(records: Sequence[FlownRecord], shift_m: float) -> float:
    """The spread with the best probabilities of undercutting several distances."""

    def score(spread_m: float) -> float:
        squares = []
        for one in records:
            changed = _changed(one.distribution, shift_m, spread_m)
            squares += [(changed.probability_below(m) - (one.record.distance_m < m)) ** 2 for m in LIMITS_M]
        return float(np.mean(squares))

    return min(SPREADS_M, key=score)


def _changed(found: Distribution, shift_m: float, spread_m: float) -> Distribution:
    """The same runs with another bias and spread; a touch stays one."""
    runs = tuple(
        run if run.distance_m <= 0.0 else replace(run, distance_m=max(run.distance_m + shift_m, 0.0))
        for run in found.runs
    )
    return Distribution(runs, replace(found.error, spread_m=spread_m))
