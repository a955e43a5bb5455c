"""Finding the settings of the PX4 vehicle from recorded flights, one effect at a time.

Every effect has a value the firmware or the simulator's files suggest and alternatives (off, or another
value). All records are flown with each. An alternative replaces the value only if it is better on the
missions it was chosen on *and* on the missions left out (every mission is left out once), by a margin.
Bias and spread of the remaining error are fitted the same way. Everything is seeded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.fidelity import metrics
from uav_testgen.fidelity.flown import Progress, fly_records
from uav_testgen.fidelity.records import Record
from uav_testgen.vehicle.px4_config import Px4VehicleConfig
from uav_testgen.vehicle.px4_preset import Px4Preset, ScatterConfig

FloatArray = NDArray[np.float64]

EFFECTS: dict[str, tuple[dict[str, Any], ...]] = {
    "heading offset": ({"yaw_feed_forward_degps": 0.0}, {"yaw_feed_forward_degps": -45.0}),
    "speed lock": ({"speed_lock": False}, {"lock_target": "waypoint"}),
    "plan age": ({"plan_age_s": 0.0}, {"plan_age_s": 0.08}),
    "rotor drag": ({"drag_per_s": 0.0},),
    "jerk limit": ({"jerk_limit": False},),
    "camera tilt": ({"tilt": False},),
    "camera offset": ({"camera_offset": False},),
    "view estimate": ({"fov_h_deg": 59.0, "fov_v_deg": 46.0},),
    "yaw response": ({"yaw_rate_lag_s": 0.3},),
    "tilt response": ({"attitude_lag_s": 0.25},),
}
"""Effect: the alternatives to the suggested value."""

CAP_M = 1.0
"""Errors count up to this: a flight on the other side of an obstacle says nothing about centimetres."""
MARGIN = 0.01
"""An alternative must lower the error by this share to be taken."""
SPREADS_M = tuple(float(v) for v in np.arange(0.15, 1.01, 0.05))
REPEAT_M = 0.4
"""Two records whose boxes agree this well in every number are repeats of one flight."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to fly, with what it predicts for every record."""

    effect: str
    change: dict[str, Any]
    predicted: FloatArray

    @property
    def name(self) -> str:
        """For tables."""
        return ", ".join(f"{key}={value}" for key, value in self.change.items()) or "as suggested"


def cost(predicted: FloatArray, measured: FloatArray, bias_m: float | None = None) -> float:
    """Mean capped error after removing the median error (or a given one)."""
    error = measured - predicted
    bias = float(np.median(error)) if bias_m is None else bias_m
    return float(np.mean(np.minimum(np.abs(error - bias), CAP_M)))


def fly_variants(
    records: Sequence[Record], base: Px4VehicleConfig, seed: int, jobs: int, progress: Progress | None
) -> list[Variant]:
    """All records with the suggested values and with every alternative."""
    changes: list[tuple[str, dict[str, Any]]] = [("", {})]
    changes += [(effect, change) for effect, group in EFFECTS.items() for change in group]
    scatter = ScatterConfig(bias_m=0.0)
    total = len(changes) * len(records)
    variants = []
    for number, (effect, change) in enumerate(changes):

        def show(done: int, _: int, first: int = number * len(records)) -> None:
            if progress is not None:
                progress(first + done, total)

        config = LfsConfig(vehicle="px4", px4_vehicle=base.model_copy(update=change))
        flown = fly_records(records, config, scatter, 1, seed, jobs, show)
        variants.append(Variant(effect, change, np.array([p.distance_m for p in flown])))
    return variants


def choose(
    variants: Sequence[Variant], measured: FloatArray, missions: Sequence[str]
) -> list[dict[str, Any]]:
    """For every alternative: error on all records, error on missions left out, and whether it is taken."""
    base = variants[0]
    labels = np.array(missions)
    rows = []
    for variant in variants:
        left_out, wins = [], 0
        folds = sorted(set(missions))
        for mission in folds:
            test, train = labels == mission, labels != mission
            if not np.any(train):
                continue
            pair = []
            for candidate in (variant, base):
                bias = float(np.median((measured - candidate.predicted)[train]))
                pair.append(cost(candidate.predicted[test], measured[test], bias) * int(np.sum(test)))
            better_train = cost(variant.predicted[train], measured[train]) < cost(
                base.predicted[train], measured[train]
            )
            wins += int(better_train and pair[0] < pair[1])
            left_out.append(pair)
        sums = np.sum(left_out, axis=0) / len(measured) if left_out else np.array([np.nan, np.nan])
        rows.append(
            {
                "effect": variant.effect or "none",
                "variant": variant.name,
                "error_m": cost(variant.predicted, measured),
                "left_out_error_m": float(sums[0]),
                "spearman": metrics.spearman(variant.predicted, measured),
                "auc_1_5m": metrics.auc(-variant.predicted, measured < 1.5),
                "median_abs_error_m": float(
                    np.median(np.abs(measured - variant.predicted - np.median(measured - variant.predicted)))
                ),
                "wins": wins,
                "folds": len(folds),
                "taken": bool(
                    variant.change and wins > len(folds) / 2 and sums[0] < (1.0 - MARGIN) * sums[1]
                ),
            }
        )
    return rows


def fit_spread(
    predicted: FloatArray, measured: FloatArray, missions: Sequence[str]
) -> tuple[float, float, float]:
    """(bias, spread with the best Brier score, that score on missions left out)."""
    labels = np.array(missions)
    failed = measured < 1.5

    def probability(chosen: NDArray[np.bool_], bias: float, spread: float) -> FloatArray:
        z = (1.5 - predicted[chosen] - bias) / spread
        return np.asarray(0.5 * (1.0 + np.tanh(0.7978845608 * (z + 0.044715 * z**3))))

    def best(chosen: NDArray[np.bool_]) -> tuple[float, float]:
        bias = float(np.median((measured - predicted)[chosen]))
        scores = [
            metrics.brier(probability(chosen, bias, spread), failed[chosen]) or 0.0 for spread in SPREADS_M
        ]
        return bias, SPREADS_M[int(np.argmin(scores))]

    squared = 0.0
    for mission in sorted(set(missions)):
        test, train = labels == mission, labels != mission
        if np.any(train):
            bias, spread = best(train)
            squared += float(np.sum((probability(test, bias, spread) - failed[test]) ** 2))
    everything = np.ones(len(measured), dtype=bool)
    bias, spread = best(everything)
    return bias, spread, squared / len(measured)


def repeat_differences_m(records: Sequence[Record]) -> FloatArray:
    """|difference| of measured distances between real flights of (nearly) the same test."""

    def numbers(record: Record) -> FloatArray:
        rows = sorted(
            (*o.center_enu_m[:2], *o.size_m[:2], np.degrees(o.yaw_rad) / 10.0)
            for o in record.scenario.obstacles
        )
        return np.array(rows).ravel()

    groups: dict[tuple[str, int], list[tuple[FloatArray, float]]] = {}
    for record in records:
        key = (record.mission, len(record.scenario.obstacles))
        groups.setdefault(key, []).append((numbers(record), record.distance_m))
    found = [
        abs(d_one - d_other)
        for group in groups.values()
        for (one, d_one), (other, d_other) in combinations(group, 2)
        if np.max(np.abs(one - other)) < REPEAT_M
    ]
    return np.array(found)


def fit_scatter(
    records: Sequence[Record], vehicle: Px4VehicleConfig, seed: int, jobs: int, target_m: float
) -> tuple[float, float]:
    """(factor on the default scatter, median difference of two disturbed runs) nearest to the real one."""
    base = ScatterConfig()
    config = LfsConfig(vehicle="px4", px4_vehicle=vehicle)
    tried = []
    for factor in (0.5, 1.0, 1.5):
        scatter = base.model_copy(update={"start_m": base.start_m * factor, "frame_m": base.frame_m * factor})
        flown = fly_records(records, config, scatter, 3, seed, jobs)
        between = [abs(p.distribution.runs[1].distance_m - p.distribution.runs[2].distance_m) for p in flown]
        tried.append((abs(float(np.median(between)) - target_m), factor, float(np.median(between))))
    _, factor, difference = min(tried)
    return factor, difference


def calibrate(
    records: Sequence[Record],
    start: Px4Preset,
    seed: int = 1,
    jobs: int = 0,
    progress: Progress | None = None,
) -> tuple[Px4Preset, dict[str, Any]]:
    """A preset from records, and the report of how it was found."""
    missions = [record.mission for record in records]
    measured = np.array([record.distance_m for record in records])
    base = Px4VehicleConfig()
    variants = fly_variants(records, base, seed, jobs, progress)
    table = choose(variants, measured, missions)
    vehicle, predicted = base, variants[0].predicted
    taken: dict[str, Any] = {}
    for variant, row in zip(variants, table, strict=True):
        if row["taken"] and not set(variant.change) & set(taken):
            taken |= variant.change
    if taken:
        vehicle = base.model_copy(update=taken)
        config = LfsConfig(vehicle="px4", px4_vehicle=vehicle)
        flown = fly_records(records, config, ScatterConfig(bias_m=0.0), 1, seed, jobs)
        predicted = np.array([p.distance_m for p in flown])
    bias, spread, brier = fit_spread(predicted, measured, missions)
    repeats = repeat_differences_m(records)
    target = float(np.median(repeats)) if len(repeats) >= 5 else 0.1
    factor, difference = fit_scatter(records[:: max(1, len(records) // 40)], vehicle, seed, jobs, target)
    default = ScatterConfig()
    scatter = default.model_copy(
        update={
            "model_m": round(spread, 3),
            "bias_m": round(bias, 3),
            "start_m": round(default.start_m * factor, 3),
            "frame_m": round(default.frame_m * factor, 3),
        }
    )
    report = {
        "records": len(records),
        "seed": seed,
        "missions": {mission: missions.count(mission) for mission in sorted(set(missions))},
        "taken": taken,
        "bias_m": round(bias, 3),
        "spread_m": round(spread, 3),
        "left_out_brier": round(brier, 4),
        "left_out_error_m": round(table[0]["left_out_error_m"], 4),
        "repeat_pairs": len(repeats),
        "repeat_difference_m": round(target, 3),
        "scatter_difference_m": round(difference, 3),
        "variants": table,
    }
    figures = {key: value for key, value in report.items() if key != "variants"}
    return Px4Preset(vehicle=vehicle, scatter=scatter, calibration=figures), report
