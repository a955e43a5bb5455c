"""Finding the settings of the PX4 vehicle from recorded flights, one effect at a time.

Every effect has a value the firmware or the simulator's files suggest and alternatives (off, or another
value). All records are flown with each. An alternative replaces the value only if it scores better on
missions that bias and spread were not fitted on, by a margin, and not thanks to a single mission (scenes
where there are few missions). What the records decide and what they leave open is told for each (`decided`).
Everything is seeded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import stream
from uav_testgen.fidelity.decided import (
    SURE,
    Decision,
    decide,
    decide_fitted,
    groups_of,
    left_out_by,
    numeric_path,
    undecided_after,
)
from uav_testgen.fidelity.flown import Progress, fly_records
from uav_testgen.fidelity.flown_before import FlownBefore, Outcome
from uav_testgen.fidelity.records import Record
from uav_testgen.fidelity.score import chance_of_gain, fit, left_out_scores, scores
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.loop.system import System
from uav_testgen.predict.draw import has_lock, without_lock
from uav_testgen.statistics import agreement

BoolArray = NDArray[np.bool_]

EFFECTS: dict[str, tuple[dict[str, Any], ...]] = {
    "heading offset": (
        {"vehicle.yaw_feed_forward_degps": 0.0},
        {"vehicle.yaw_feed_forward_degps": 45.0},
        {"vehicle.yaw_feed_forward_degps": -45.0},
    ),
    "speed lock": (
        {"vehicle.speed_lock": False},
        {"vehicle.speed_lock": True, "vehicle.lock_target": "track"},
        {"vehicle.speed_lock": True, "vehicle.lock_target": "waypoint"},
    ),
    "tilt error": (
        {"vehicle.tilt_error_mps2": 0.0, "vehicle.tilt_error_growth_mps3": 0.0},
        {"vehicle.tilt_error_mps2": 0.05, "vehicle.tilt_error_growth_mps3": 0.005},
        {"vehicle.tilt_error_mps2": 0.05, "vehicle.tilt_error_growth_mps3": 0.01},
        {"vehicle.tilt_error_mps2": 0.05, "vehicle.tilt_error_growth_mps3": 0.02},
    ),
    "image age": ({"timing.image_age_s": 0.0}, {"timing.image_age_s": 0.08}, {"timing.image_age_s": 0.16}),
    "plan age": ({"timing.plan_age_s": 0.08}, {"timing.plan_age_s": 0.12}, {"timing.plan_age_s": 0.16}),
    "goal delay": ({"timing.goal_delay_s": 0.0}, {"timing.goal_delay_s": 0.2}),
    "rotor drag": ({"vehicle.drag_per_s": 0.0}, {"vehicle.drag_per_s": 0.30}, {"vehicle.drag_per_s": 0.37}),
    "jerk limit": ({"vehicle.jerk_limit": False}, {"vehicle.jerk_limit": True}),
    "camera tilt": ({"vehicle.tilt": False}, {"vehicle.tilt": True}),
    "camera offset": ({"camera": "hfs_64x48"}, {"camera": "hfs_64x48_offset"}),
    "view estimate": ({"planner.view_deg": (59.0, 46.0)}, {"planner.view_deg": (58.2, 45.1)}),
    "yaw response": ({"vehicle.yaw_rate_lag_s": 0.15}, {"vehicle.yaw_rate_lag_s": 0.3}),
    "tilt response": (
        {"vehicle.attitude_lag_s": 0.12}, {"vehicle.attitude_lag_s": 0.16}, {"vehicle.attitude_lag_s": 0.25},
    ),
}  # fmt: skip
"""Effect: values to try. The one in force is tried in any case, and only once."""

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
"""An alternative must lower the score by this share to be taken, in nearly all sets of missions (`SURE`)."""
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
"""Shares of runs without the speed lock that are tried."""
FREE_SPEEDS_MPS = (None, 1.36)
"""Largest speeds of those runs that are tried: none but the waypoint's, and PX4's on a straight leg."""
_LEAST_REPEATS = 5
_LEAST_HOVERING = 5
"""With fewer pairs of repeats, or flights without an end, a calibrated system keeps its own numbers."""
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


def alternatives(system: System, effect: str) -> list[dict[str, Any]]:
    """The values of an effect that are not those in force."""
    return [change for change in EFFECTS[effect] if _in_force(system, change) != change]


def _in_force(system: System, paths: Iterable[str]) -> dict[str, Any]:
    """The values of some fields; a field this system has not is None."""
    data = system.model_dump()
    found = {}
    for path in paths:
        place: Any = data
        for part in path.split("."):
            place = place.get(part) if isinstance(place, dict) else None
        found[path] = place
    return found


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
    changes += [(effect, change) for effect in effects for change in alternatives(base, effect)]
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
    for share in SHARES[1:]:
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

    Effects are tried one at a time on every `every`-th record; bias, spread and shares are fitted on all. A calibrated
    system keeps its numbers unless others are better on records that were left out.
    """
    flown = flown or FlownBefore()
    some = records[::every]
    variants = fly_variants(some, suggested, effects, flown, seed, jobs, progress)
    groups = groups_of(some)
    table = choose(variants, _measured(some), groups, seed)
    system, taken = _best_together(some, suggested, variants, table, flown, seed, jobs, progress)
    decisions = _decisions_on_effects(some, suggested, variants, table, seed)
    spread = _fit_spread(records, suggested, system, flown, seed, jobs, progress)
    repeats = repeat_differences_m(records)
    target = float(np.median(repeats)) if len(repeats) >= _LEAST_REPEATS else None
    scatter = suggested.scatter if suggested.is_calibrated else SUGGESTED_SCATTER
    difference = None
    if target is not None or not suggested.is_calibrated:
        base = SUGGESTED_SCATTER
        factor, difference = fit_scatter(
            records[:: max(1, len(records) // 12)], system, seed, jobs, 0.1 if target is None else target
        )
        scatter = scatter.model_copy(
            update={"start_m": round(base.start_m * factor, 3), "frame_m": round(base.frame_m * factor, 3)}
        )
    scatter = scatter.model_copy(update={**spread.values, "free_speed_mps": spread.free_speed_mps})
    decisions += spread.decisions
    missions = _missions(records)
    report = {
        "records": len(records),
        "records_for_effects": len(some),
        "effects": list(effects),
        "seed": seed,
        "missions": {mission: missions.count(mission) for mission in sorted(set(missions))},
        "left_out": left_out_by(some),
        "taken": taken,
        **{key: spread.values[key] for key in ("bias_m", "free_share", "escape_share")},
        "spread_m": spread.values["model_m"],
        "free_speed_mps": spread.free_speed_mps,
        "open_flights": spread.open_flights,
        "left_out_score": round(spread.score, 4),
        "left_out_score_before": None if spread.score_before is None else round(spread.score_before, 4),
        "spearman": round(agreement.spearman(spread.predicted, _measured(records)) or 0.0, 4),
        "auc_1_5m": round(agreement.auc(-spread.predicted, _measured(records) < 1.5) or 0.0, 4),
        "repeat_pairs": len(repeats),
        "repeat_difference_m": None if target is None else round(target, 3),
        "scatter_difference_m": None if difference is None else round(difference, 3),
        "measures": sorted({record.measure for record in records}),
        "decisions": [one.to_json() for one in decisions],
        "variants": table,
    }
    figures = {key: value for key, value in report.items() if key not in ("variants", "decisions")}
    paths = {}
    for effect in effects:
        path = numeric_path(EFFECTS[effect])
        if path is not None:
            paths[effect] = path
    new = {
        "scatter": scatter,
        "calibration": figures,
        "undecided": undecided_after(suggested.undecided, decisions, paths),
        "version": suggested.version + 1,
    }
    return system.model_copy(update=new), report


def _best_together(
    some: Sequence[Record], suggested: System, variants: Sequence[Variant], table: list[dict[str, Any]],
    flown: FlownBefore, seed: int, jobs: int, progress: Progress | None,
) -> tuple[System, dict[str, Any]]:  # fmt: skip
    """The system with all changes that are taken; where they do not help together, with the best one alone."""
    taken = _take(variants, table)
    system = suggested.changed(taken)
    chosen = [number for number, row in enumerate(table) if row["taken"]]
    if len(chosen) < 2:
        return system, taken
    together = distances_of(flown.outcomes(some, system, seed, jobs, progress))
    score = float(np.mean(left_out_scores(together, _measured(some), groups_of(some))))
    best = min(chosen, key=lambda number: float(table[number]["left_out_score"]))
    if score <= table[best]["left_out_score"]:
        return system, taken
    for number in chosen:
        table[number]["taken"] = number == best
    return suggested.changed(variants[best].change), dict(variants[best].change)


def _decisions_on_effects(
    some: Sequence[Record],
    suggested: System,
    variants: Sequence[Variant],
    table: list[dict[str, Any]],
    seed: int,
) -> list[Decision]:
    """About every effect that was tried."""
    measured, groups = _measured(some), groups_of(some)
    own = [left_out_scores(variant.predicted, measured, groups) for variant in variants]
    found = []
    for effect in dict.fromkeys(variant.effect for variant in variants if variant.effect):
        numbers = [number for number, variant in enumerate(variants) if variant.effect == effect]
        fields = dict.fromkeys(path for number in numbers for path in variants[number].change)
        in_force = _in_force(suggested, fields)
        values = [in_force, *({**in_force, **variants[number].change} for number in numbers)]
        kept = next((place for place, number in enumerate(numbers, 1) if table[number]["taken"]), 0)
        found.append(
            decide(effect, values, [own[0], *(own[number] for number in numbers)], kept, groups, seed)
        )
    return found


@dataclass(frozen=True)
class _Spread:
    """Bias, spread and shares: the values to write, how good they are, and what the records decide about them."""

    values: dict[str, float]
    free_speed_mps: float | None
    decisions: list[Decision]
    predicted: FloatArray
    open_flights: int
    score: float
    score_before: float | None


def _fit_spread(
    records: Sequence[Record], suggested: System, system: System, flown: FlownBefore, seed: int, jobs: int,
    progress: Progress | None,
) -> _Spread:  # fmt: skip
    """Fitted to all records; the numbers of a calibrated system stay unless the fitted ones are better left out."""
    measured, groups, old = _measured(records), groups_of(records), suggested.scatter
    outcomes = flown.outcomes(records, system, seed, jobs, progress)
    predicted, is_open = distances_of(outcomes), np.array([one.is_open for one in outcomes], dtype=np.bool_)
    free: FloatArray | None = None
    free_speed_mps, speed_decision = old.free_speed_mps, None
    if has_lock(system):
        free_speed_mps, free, speed_decision = _best_free_speed(
            records, suggested, system, predicted, flown, seed, jobs, progress
        )
    mix, free_bias, free_share = None, 0.0, 0.0
    bias, spread = fit(predicted, measured)
    if free is not None:
        free_bias = fit(free, measured)[0]
        moved = free + free_bias - bias
        free_share, _ = fit_free_share(predicted, moved, measured, groups)
        mix = (moved, free_share)
        spread = fit(predicted, measured, mix)[1]
    own = left_out_scores(predicted, measured, groups, mix)
    new = {"bias_m": bias, "model_m": spread, "free_share": free_share, "free_bias_m": free_bias}
    before, chance, gain, keep = None, None, 0.0, False
    if suggested.is_calibrated:
        held = None if free is None else (free + old.free_bias_m, old.free_share)
        before = scores(predicted + old.bias_m, measured, max(old.model_m, 1e-3), held)
        gain = float(np.mean(before) - np.mean(own))
        chance = chance_of_gain(before - own, groups, stream(seed, "spread"))
        keep = chance < SURE
    values = {key: float(getattr(old, key)) if keep else round(value, 3) for key, value in new.items()}
    escapes = fit_escape_share(predicted + values["bias_m"], is_open, measured, old.escape_m)
    hovering = int(np.sum(is_open & (predicted + values["bias_m"] > old.escape_m)))
    few = suggested.is_calibrated and hovering < _LEAST_HOVERING
    values["escape_share"] = old.escape_share if few else round(escapes, 2)
    decisions = [
        decide_fitted(
            "bias [m]", old.bias_m, values["bias_m"], lambda rows: fit(predicted[rows], measured[rows])[0],
            groups, values["model_m"], gain, chance, seed,
        ),
        decide_fitted(
            "spread [m]", old.model_m, values["model_m"],
            lambda rows: fit(predicted[rows], measured[rows], None if mix is None else (mix[0][rows], mix[1]))[1],
            groups, values["model_m"], gain, chance, seed,
        ),
    ]  # fmt: skip
    if free is not None and speed_decision is not None:
        decisions.append(speed_decision)
        decisions.append(
            decide_fitted(
                "share without lock", old.free_share, values["free_share"],
                lambda rows: _best_share(predicted[rows] + bias, moved[rows] + bias, measured[rows], spread),
                groups, 0.5, gain, chance, seed,
            )
        )  # fmt: skip
    escaped = decide_fitted(
        "share that escapes", old.escape_share, values["escape_share"],
        lambda rows: fit_escape_share(
            predicted[rows] + values["bias_m"], is_open[rows], measured[rows], old.escape_m
        ),
        groups, 0.5, 0.0, None, seed,
    )  # fmt: skip
    if hovering < _LEAST_HOVERING:
        escaped = replace(escaped, decided=False, interval=escaped.interval if hovering else None)
    decisions.append(escaped)
    return _Spread(
        values, free_speed_mps, decisions, predicted, int(np.sum(is_open)),
        float(np.mean(before)) if keep and before is not None else float(np.mean(own)),
        None if before is None else float(np.mean(before)),
    )  # fmt: skip


def _best_free_speed(
    records: Sequence[Record], suggested: System, system: System, predicted: FloatArray, flown: FlownBefore,
    seed: int, jobs: int, progress: Progress | None,
) -> tuple[float | None, FloatArray, Decision]:  # fmt: skip
    """How fast runs without the lock may be, what they predict, and what the records say about it.

    Every speed is judged as it is used: in a mixture with the locked flights, with its own share and bias.
    """
    measured, groups = _measured(records), groups_of(records)
    in_force = suggested.scatter.free_speed_mps
    speeds = [in_force, *(speed for speed in FREE_SPEEDS_MPS if speed != in_force)]
    bias = fit(predicted, measured)[0]
    distances, own = [], []
    for speed in speeds:
        scatter = suggested.scatter.model_copy(update={"free_speed_mps": speed})
        free = distances_of(flown.outcomes(records, without_lock(system, scatter), seed, jobs, progress))
        moved = free + fit(free, measured)[0] - bias
        share, _ = fit_free_share(predicted, moved, measured, groups)
        distances.append(free)
        own.append(left_out_scores(predicted, measured, groups, (moved, share)))

    def is_better(number: int) -> bool:
        chance = chance_of_gain(own[0] - own[number], groups, stream(seed, "free speed"))
        return chance >= SURE and float(np.mean(own[number])) < (1.0 - MARGIN) * float(np.mean(own[0]))

    kept = min(
        (number for number in range(len(speeds)) if number == 0 or is_better(number)),
        key=lambda number: float(np.mean(own[number])),
    )
    values = [{"scatter.free_speed_mps": speed} for speed in speeds]
    decision = decide("speed without lock", values, own, kept, groups, seed)
    return speeds[kept], distances[kept], decision


def _best_share(predicted: FloatArray, free: FloatArray, measured: FloatArray, spread_m: float) -> float:
    """The share of runs without the lock that explains records best, bias and spread given."""
    return min(SHARES, key=lambda share: float(np.mean(scores(predicted, measured, spread_m, (free, share)))))


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
