"""All figures of a comparison, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.rng import stream
from uav_testgen.fidelity import paths
from uav_testgen.fidelity.flown import FlownRecord
from uav_testgen.statistics import agreement
from uav_testgen.statistics.bootstrap import intervals

LIMITS_M = (1.5, 1.0)
IntArray = NDArray[np.int64]


def summarise(predictions: Sequence[FlownRecord], seed: int = 0) -> dict[str, Any]:
    """Metrics over all records, per mission and per source, with bootstrap intervals."""
    table = _Table(predictions)
    everything = np.arange(len(predictions))
    summary: dict[str, Any] = table.figures(everything)
    summary |= {
        "reliability": agreement.reliability(table.probability(1.5), table.measured < 1.5),
        "confidence_95": intervals(table.statistics(), len(predictions), stream(seed, "bootstrap")),
        "per_mission": table.grouped([p.record.mission for p in predictions]),
        "per_source": table.grouped([p.record.source for p in predictions]),
        "path_flights": int(np.sum(np.isfinite(table.path_errors))),
        "sides_compared": int(np.sum(table.sides_compared)),
        "endings": _count([p.ending.value for p in predictions]),
    }
    return summary


def _count(names: list[str]) -> dict[str, int]:
    return {name: names.count(name) for name in sorted(set(names))}


class _Table:
    """Columns of a comparison."""

    def __init__(self, predictions: Sequence[FlownRecord]) -> None:
        self.predictions = list(predictions)
        self.measured = np.array([p.record.distance_m for p in predictions], dtype=np.float64)
        self.predicted = np.array([p.distance_m for p in predictions], dtype=np.float64)
        compared = [compare_path(p) for p in predictions]
        self.path_errors = np.array([c[0] for c in compared], dtype=np.float64)
        self.sides_same = np.array([c[1] for c in compared], dtype=np.int64)
        self.sides_compared = np.array([c[2] for c in compared], dtype=np.int64)
        self.durations = np.array([c[3] for c in compared], dtype=np.float64).reshape(-1, 2)
        self._probability: dict[float, NDArray[np.float64]] = {}

    def probability(self, limit_m: float) -> NDArray[np.float64]:
        """Predicted probability of coming nearer than a limit."""
        if limit_m not in self._probability:
            self._probability[limit_m] = np.array(
                [p.distribution.probability_below(limit_m) for p in self.predictions], dtype=np.float64
            )
        return self._probability[limit_m]

    def figures(self, chosen: IntArray) -> dict[str, Any]:
        """Metrics of some of the records."""
        p, m = self.predicted[chosen], self.measured[chosen]
        figures: dict[str, Any] = {
            "n": len(chosen),
            "spearman": agreement.spearman(p, m),
            "pearson": agreement.pearson(p, m),
            "median_abs_error_m": agreement.median_abs_error(p, m),
            "bias_m": float(np.median(p - m)) if len(p) else None,
            "rmse_m": agreement.rmse(p, m),
        }
        for limit_m in LIMITS_M:
            name = f"{limit_m:.1f}m".replace(".", "_")
            # The probability ranks the records; ties (all runs far away) are broken by the distance.
            figures[f"auc_{name}"] = agreement.auc(self.score(limit_m)[chosen], m < limit_m)
            precision, recall, f1 = agreement.precision_recall_f1(p < limit_m, m < limit_m)
            figures |= {f"precision_{name}": precision, f"recall_{name}": recall, f"f1_{name}": f1}
            figures[f"failures_{name}"] = int(np.sum(m < limit_m))
        figures["brier"] = agreement.brier(self.probability(1.5)[chosen], m < 1.5)
        errors = self.path_errors[chosen]
        errors = errors[np.isfinite(errors)]
        compared = int(np.sum(self.sides_compared[chosen]))
        figures |= {
            "median_path_error_m": float(np.median(errors)) if len(errors) else None,
            "mean_path_error_m": float(np.mean(errors)) if len(errors) else None,
            "same_side": int(np.sum(self.sides_same[chosen])) / compared if compared else None,
        }
        both = self.durations[chosen]
        both = both[np.all(np.isfinite(both), axis=1)]
        figures |= {
            "median_duration_error_s": float(np.median(both[:, 0] - both[:, 1])) if len(both) else None,
            "median_abs_duration_error_s": (
                float(np.median(np.abs(both[:, 0] - both[:, 1]))) if len(both) else None
            ),
            "duration_spearman": agreement.spearman(both[:, 0], both[:, 1]),
        }
        return figures

    def score(self, limit_m: float) -> NDArray[np.float64]:
        """Failure score: the probability, then the nearness."""
        return self.probability(limit_m) - 1e-6 * self.predicted

    def grouped(self, names: list[str]) -> dict[str, Any]:
        """Metrics per group."""
        labels = np.array(names)
        return {name: self.figures(np.flatnonzero(labels == name)) for name in sorted(set(names))}

    def statistics(self) -> dict[str, Any]:
        """What gets a confidence interval."""
        p, m = self.predicted, self.measured
        score_15, score_10 = self.score(1.5), self.score(1.0)
        probability = self.probability(1.5)

        def same_side(chosen: IntArray) -> float | None:
            compared = int(np.sum(self.sides_compared[chosen]))
            return int(np.sum(self.sides_same[chosen])) / compared if compared else None

        def path_error(chosen: IntArray) -> float | None:
            errors = self.path_errors[chosen]
            errors = errors[np.isfinite(errors)]
            return float(np.median(errors)) if len(errors) else None

        return {
            "spearman": lambda c: agreement.spearman(p[c], m[c]),
            "pearson": lambda c: agreement.pearson(p[c], m[c]),
            "median_abs_error_m": lambda c: agreement.median_abs_error(p[c], m[c]),
            "rmse_m": lambda c: agreement.rmse(p[c], m[c]),
            "auc_1_5m": lambda c: agreement.auc(score_15[c], m[c] < 1.5),
            "precision_1_5m": lambda c: agreement.precision_recall_f1(p[c] < 1.5, m[c] < 1.5)[0],
            "recall_1_5m": lambda c: agreement.precision_recall_f1(p[c] < 1.5, m[c] < 1.5)[1],
            "auc_1_0m": lambda c: agreement.auc(score_10[c], m[c] < 1.0),
            "brier": lambda c: agreement.brier(probability[c], m[c] < 1.5),
            "median_path_error_m": path_error,
            "same_side": same_side,
        }


def compare_path(prediction: FlownRecord) -> tuple[float, int, int, tuple[float, float]]:
    """(path error or NaN, same sides, compared sides, (predicted, real) duration or NaN)."""
    nan = float("nan")
    real, flown = prediction.record.path_txyz, prediction.path_txyz
    if len(real) < 10 or len(flown) < 10:
        return nan, 0, 0, (nan, nan)
    one, other = paths.at_height(flown[:, 1:]), paths.at_height(real[:, 1:])
    error = paths.path_error_m(one, other)
    corners = np.array(prediction.record.scenario.mission.route_enu_m)[:, :2]
    same, compared = paths.sides(one, other, corners, prediction.record.scenario.obstacles)
    durations = (paths.airborne_s(flown[:, 0], flown[:, 3]), paths.airborne_s(real[:, 0], real[:, 3]))
    predicted_s, real_s = (nan if value is None else value for value in durations)
    return (nan if error is None else error), same, compared, (predicted_s, real_s)
