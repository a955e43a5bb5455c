"""Finding the settings of the PX4 vehicle from recorded flights, one effect at a time.

Every effect has a value the firmware or the simulator's files suggest and alternatives (off, or another
value). All records are flown with each. An alternative replaces the value only if it scores better on
missions that bias and spread were not fitted on, by a margin, and not thanks to a single mission.
Everything is seeded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import stream
from uav_testgen.fidelity.flown import Progress, fly_records
from uav_testgen.fidelity.flown_before import FlownBefore, Outcome
from uav_testgen.fidelity.records import Record
from uav_testgen.fidelity.score import chance_of_gain, fit, left_out_scores
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.loop.system import System
from uav_testgen.predict.draw import has_lock, without_lock
from uav_testgen.statistics import agreement

BoolArray = NDArray[np.bool_]

EFFECTS: dict[str, tuple[dict[str, Any], ...]] = {
    "heading offset": (
        {"vehicle.yaw_feed_forward_degps": 0.0},
        {"vehicle.yaw_feed_forward_degps": -45.0},
    ),
    "speed lock": ({"vehicle.speed_lock": False}, {"vehicle.lock_target": "waypoint"}),
    "tilt error": (
        {"vehicle.tilt_error_mps2": 0.0, "vehicle.tilt_error_growth_mps3": 0.0},
        {"vehicle.tilt_error_growth_mps3": 0.005},
        {"vehicle.tilt_error_growth_mps3": 0.02},
    ),
    "image age": ({"timing.image_age_s": 0.0}, {"timing.image_age_s": 0.16}),
    "plan age": ({"timing.plan_age_s": 0.08}, {"timing.plan_age_s": 0.16}),
    "goal delay": ({"timing.goal_delay_s": 0.0},),
    "rotor drag": ({"vehicle.drag_per_s": 0.0}, {"vehicle.drag_per_s": 0.37}),
    "jerk limit": ({"vehicle.jerk_limit": False},),
    "camera tilt": ({"vehicle.tilt": False},),
    "camera offset": ({"camera": "hfs_64x48"},),
    "view estimate": ({"planner.view_deg": (59.0, 46.0)},),
    "yaw response": ({"vehicle.yaw_rate_lag_s": 0.3},),
    "tilt response": ({"vehicle.attitude_lag_s": 0.16}, {"vehicle.attitude_lag_s": 0.25}),
}
"""Effect: the alternatives to the suggested value."""

SUGGESTED_SCATTER = ScatterConfig(
    start_m=0.15,
    heading_rad=0.02,
    frame_m=0.1,
    range_noise_m=0.02,
    timing_s=0.02,
    tilt_error=0.7,
    model_m=0.35,
)
"""Differences between real flights before their size is fitted."""
MARGIN = 0.01
"""An alternative must lower the score by this share to be taken..."""
SURE = 0.9
"""...and do so in this share of the sets of missions drawn again."""
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


def fly_variants(
    records: Sequence[Record],
    base: System,
    effects: Sequence[str],
    flown: FlownBefore,
    seed: int,
    jobs: int,
    progress: Progress | None,
) -> list[Variant]:
    """All records with the values in force and with every alternative to the named effects."""
    changes: list[tuple[str, dict[str, Any]]] = [("", {})]
    changes += [(effect, change) for effect in effects for change in EFFECTS[effect]]
    total = len(changes) * len(records)
    variants = []
    for number, (effect, change) in enumerate(changes):

        def show(done: int, _: int, first: int = number * len(records)) -> None:
            if progress is not None:
                progress(first + done, total)

        outcomes = flown.outcomes(records, base.changed(change), seed, jobs, show)
        variants.append(Variant(effect, change, distances_of(outcomes)))
    return variants


def choose(
    variants: Sequence[Variant],
    measured: FloatArray,
    missions: Sequence[str],
    seed: int = 1,
) -> list[dict[str, Any]]:
    """For every alternative: how it does on missions left out, and whether it replaces the first variant."""
    base = left_out_scores(variants[0].predicted, measured, missions)
    rows = []
    for variant in variants:
        own = left_out_scores(variant.predicted, measured, missions)
        chance = chance_of_gain(base - own, missions, stream(seed, "choose"))
        bias_m, spread_m = fit(variant.predicted, measured)
        error = np.abs(measured - variant.predicted - bias_m)
        rows.append(
            {
                "effect": variant.effect or "none",
                "variant": variant.name,
                "left_out_score": float(np.mean(own)),
                "chance_of_gain": chance if variant.change else None,
                "spearman": agreement.spearman(variant.predicted, measured),
                "auc_1_5m": agreement.auc(-variant.predicted, measured < 1.5),
                "median_abs_error_m": float(np.median(error)),
                "bias_m": bias_m,
                "spread_m": spread_m,
                "taken": bool(
                    variant.change and chance >= SURE and np.mean(own) < (1.0 - MARGIN) * np.mean(base)
                ),
            }
        )
    return rows


def fit_free_share(
    locked: FloatArray, free: FloatArray, measured: FloatArray, missions: Sequence[str]
) -> tuple[float, float]:
    """(share of runs without the speed lock, left-out score of that mixture)."""
    best = (0.0, float(np.mean(left_out_scores(locked, measured, missions))))
    for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        score = float(np.mean(left_out_scores(locked, measured, missions, (free, share))))
        if score < best[1]:
            best = (share, score)
    return best


def fit_escape_share(
    predicted: FloatArray, is_open: BoolArray, measured: FloatArray, escape_m: float
) -> float:
    """Share of the flights in which the model hovers, farther than `escape_m`, and reality comes nearer."""
    hovering = is_open & (predicted > escape_m)
    return float(np.mean(measured[hovering] < escape_m)) if np.any(hovering) else 0.0


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
    records: Sequence[Record], system: System, seed: int, jobs: int, target_m: float
) -> tuple[float, float]:
    """(factor on the default scatter, median difference of two disturbed runs) nearest to the real one."""
    base = SUGGESTED_SCATTER
    tried = []
    for factor in (0.5, 1.0, 1.5):
        scatter = base.model_copy(update={"start_m": base.start_m * factor, "frame_m": base.frame_m * factor})
        flown = fly_records(records, system, 2, seed, jobs, scatter=scatter)
        between = [abs(p.distribution.runs[0].distance_m - p.distribution.runs[1].distance_m) for p in flown]
        tried.append((abs(float(np.median(between)) - target_m), factor, float(np.median(between))))
    _, factor, difference = min(tried)
    return factor, difference


def calibrate(
    records: Sequence[Record],
    suggested: System,
    every: int = 1,
    effects: Sequence[str] = tuple(EFFECTS),
    flown: FlownBefore | None = None,
    seed: int = 1,
    jobs: int = 0,
    progress: Progress | None = None,
) -> tuple[System, dict[str, Any]]:
    """A system from records, and the report of how it was found.

    Effects are tried one at a time on every `every`-th record; bias, spread and shares are fitted on all.
    """
    flown = flown or FlownBefore()
    some = records[::every]
    variants = fly_variants(some, suggested, effects, flown, seed, jobs, progress)
    table = choose(variants, _measured(some), _missions(some), seed)
    taken = _take(variants, table)
    system = suggested.changed(taken)
    measured, missions = _measured(records), _missions(records)
    outcomes = flown.outcomes(records, system, seed, jobs, progress)
    predicted, is_open = distances_of(outcomes), np.array([one.is_open for one in outcomes], dtype=np.bool_)
    bias, spread = fit(predicted, measured)
    left_out = left_out_scores(predicted, measured, missions)
    free_share, free_bias = 0.0, 0.0
    if has_lock(system):
        free = distances_of(flown.outcomes(records, without_lock(system), seed, jobs, progress))
        free_bias = fit(free, measured)[0]
        free_share, _ = fit_free_share(predicted, free + free_bias - bias, measured, missions)
        mix = (free + free_bias - bias, free_share)
        spread = fit(predicted, measured, mix)[1]
        left_out = left_out_scores(predicted, measured, missions, mix)
    default = SUGGESTED_SCATTER
    escape_share = fit_escape_share(predicted + bias, is_open, measured, default.escape_m)
    repeats = repeat_differences_m(records)
    target = float(np.median(repeats)) if len(repeats) >= 5 else 0.1
    factor, difference = fit_scatter(records[:: max(1, len(records) // 12)], system, seed, jobs, target)
    scatter = default.model_copy(
        update={
            "model_m": round(spread, 3),
            "bias_m": round(bias, 3),
            "free_share": free_share,
            "free_bias_m": round(free_bias, 3),
            "escape_share": round(escape_share, 2),
            "start_m": round(default.start_m * factor, 3),
            "frame_m": round(default.frame_m * factor, 3),
        }
    )
    report = {
        "records": len(records),
        "records_for_effects": len(some),
        "effects": list(effects),
        "seed": seed,
        "missions": {mission: missions.count(mission) for mission in sorted(set(missions))},
        "taken": taken,
        "bias_m": round(bias, 3),
        "spread_m": round(spread, 3),
        "free_share": free_share,
        "open_flights": int(np.sum(is_open)),
        "escape_share": round(escape_share, 2),
        "left_out_score": round(float(np.mean(left_out)), 4),
        "spearman": round(agreement.spearman(predicted, measured) or 0.0, 4),
        "auc_1_5m": round(agreement.auc(-predicted, measured < 1.5) or 0.0, 4),
        "repeat_pairs": len(repeats),
        "repeat_difference_m": round(target, 3),
        "scatter_difference_m": round(difference, 3),
        "variants": table,
    }
    figures = {key: value for key, value in report.items() if key != "variants"}
    new = {"scatter": scatter, "calibration": figures, "version": suggested.version + 1}
    return system.model_copy(update=new), report


def distances_of(outcomes: Sequence[Outcome]) -> FloatArray:
    """Their least distances."""
    return np.array([one.distance_m for one in outcomes], dtype=np.float64)


def _take(variants: Sequence[Variant], table: list[dict[str, Any]]) -> dict[str, Any]:
    """The changes that are taken, the best of those that exclude each other; corrects the table."""
    changes: dict[str, Any] = {}
    for _, number in sorted((row["left_out_score"], n) for n, row in enumerate(table) if row["taken"]):
        change = variants[number].change
        if set(change) & set(changes):
            table[number]["taken"] = False
        else:
            changes |= change
    return changes


def _measured(records: Sequence[Record]) -> FloatArray:
    return np.array([record.distance_m for record in records])


def _missions(records: Sequence[Record]) -> list[str]:
    return [record.mission for record in records]
