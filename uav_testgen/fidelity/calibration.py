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

from uav_testgen.backend.ensemble import with_lock
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.fidelity import metrics
from uav_testgen.fidelity.flown import Progress, fly_records
from uav_testgen.fidelity.flown_before import FlownBefore
from uav_testgen.fidelity.records import Record
from uav_testgen.fidelity.score import chance_of_gain, fit, left_out_scores
from uav_testgen.rng import stream
from uav_testgen.vehicle.px4_config import Px4VehicleConfig
from uav_testgen.vehicle.px4_preset import Px4Preset, ScatterConfig

FloatArray = NDArray[np.float64]

EFFECTS: dict[str, tuple[dict[str, Any], ...]] = {
    "heading offset": ({"yaw_feed_forward_degps": 0.0}, {"yaw_feed_forward_degps": -45.0}),
    "speed lock": (
        {"speed_lock": False},
        {"lock_target": "waypoint"},
        {"lock_release": "nowhere"},
        {"lock_release": "everywhere"},
    ),
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
FIRST = "speed lock"

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
    base: Px4VehicleConfig,
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

        config = LfsConfig(vehicle="px4", px4_vehicle=base.model_copy(update=change))
        variants.append(
            Variant(effect, change, np.array(flown.distances_m(records, config, seed, jobs, show)))
        )
    return variants


def choose(
    variants: Sequence[Variant],
    measured: FloatArray,
    missions: Sequence[str],
    seed: int = 1,
    sure: float = SURE,
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
                "spearman": metrics.spearman(variant.predicted, measured),
                "auc_1_5m": metrics.auc(-variant.predicted, measured < 1.5),
                "median_abs_error_m": float(np.median(error)),
                "bias_m": bias_m,
                "spread_m": spread_m,
                "taken": bool(
                    variant.change and chance >= sure and np.mean(own) < (1.0 - MARGIN) * np.mean(base)
                ),
            }
        )
    return rows


def fit_lock_share(
    free: FloatArray, locked: FloatArray, measured: FloatArray, missions: Sequence[str]
) -> tuple[float, float]:
    """(share of runs with the speed lock, left-out score of that mixture)."""
    best = (0.0, float(np.mean(left_out_scores(free, measured, missions))))
    for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        score = float(np.mean(left_out_scores(free, measured, missions, (locked, share))))
        if score < best[1]:
            best = (share, score)
    return best


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
    every: int = 1,
    effects: Sequence[str] = tuple(EFFECTS),
    flown: FlownBefore | None = None,
    seed: int = 1,
    jobs: int = 0,
    progress: Progress | None = None,
) -> tuple[Px4Preset, dict[str, Any]]:
    """A preset from records, and the report of how it was found.

    The speed lock changes most, so it is decided first; the other effects are tried around that decision.
    Effects are tried on every `every`-th record; bias and spread are fitted on all.
    """
    flown = flown or FlownBefore()
    some = records[::every]
    vehicle = Px4VehicleConfig()
    table: list[dict[str, Any]] = []
    taken: dict[str, Any] = {}
    for stage in ([FIRST], [effect for effect in effects if effect != FIRST]):
        stage = [effect for effect in stage if effect in effects]
        if not stage:
            continue
        variants = fly_variants(some, vehicle, stage, flown, seed, jobs, progress)
        # Whether the lock belongs in the single prediction has no preferred answer: the better score decides.
        sure = 0.5 if stage == [FIRST] else SURE
        rows = choose(variants, _measured(some), _missions(some), seed, sure)
        changes: dict[str, Any] = {}
        for _, variant in sorted(
            (row["left_out_score"], number) for number, row in enumerate(rows) if row["taken"]
        ):
            change = variants[variant].change
            if set(change) & set(changes):
                rows[variant]["taken"] = False
            else:
                changes |= change
        table += [{"stage": stage[0] if len(stage) == 1 else "others", **row} for row in rows]
        vehicle, taken = vehicle.model_copy(update=changes), taken | changes
    config = LfsConfig(vehicle="px4", px4_vehicle=vehicle)
    measured, missions = _measured(records), _missions(records)
    predicted = np.array(flown.distances_m(records, config, seed, jobs, progress))
    bias, spread = fit(predicted, measured)
    left_out = left_out_scores(predicted, measured, missions)
    share, lock_bias, nearer_bias = 0.0, 0.0, 0.0
    figures_of = predicted
    if not vehicle.speed_lock:
        locked = with_lock(config)
        other = np.array(flown.distances_m(records, locked, seed, jobs, progress))
        lock_bias = fit(other, measured)[0]
        share, _ = fit_lock_share(predicted, other, measured, missions)
        nearer = np.minimum(predicted + bias, other + lock_bias)
        nearer_bias = fit(nearer, measured)[0]
        left_out = left_out_scores(nearer, measured, missions)
        spread = fit(predicted, measured, (other + lock_bias - bias, share))[1]
        figures_of = nearer
    repeats = repeat_differences_m(records)
    target = float(np.median(repeats)) if len(repeats) >= 5 else 0.1
    factor, difference = fit_scatter(records[:: max(1, len(records) // 12)], vehicle, seed, jobs, target)
    default = ScatterConfig()
    scatter = default.model_copy(
        update={
            "model_m": round(spread, 3),
            "bias_m": round(bias, 3),
            "lock_share": share,
            "lock_bias_m": round(lock_bias, 3),
            "nearer_bias_m": round(nearer_bias, 3),
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
        "lock_share": share,
        "left_out_score": round(float(np.mean(left_out)), 4),
        "spearman": round(metrics.spearman(figures_of, measured) or 0.0, 4),
        "auc_1_5m": round(metrics.auc(-figures_of, measured < 1.5) or 0.0, 4),
        "repeat_pairs": len(repeats),
        "repeat_difference_m": round(target, 3),
        "scatter_difference_m": round(difference, 3),
        "variants": table,
    }
    figures = {key: value for key, value in report.items() if key != "variants"}
    return Px4Preset(vehicle=vehicle, scatter=scatter, calibration=figures), report


def _measured(records: Sequence[Record]) -> FloatArray:
    return np.array([record.distance_m for record in records])


def _missions(records: Sequence[Record]) -> list[str]:
    return [record.mission for record in records]
