"""The conformal table of a system from records of real flights, and how often its intervals hold on flights left out.

A table is judged on flights it was not fitted on: a tenth of them, or all of a mission. The share of intervals that
hold agrees with what is promised if it lies within the 99 % band of the binomial distribution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from uav_testgen.core.defaults import SAFE_DISTANCE_M, VEHICLE_HALF_WIDTH_M
from uav_testgen.core.errors import InputFileError
from uav_testgen.core.rng import stream
from uav_testgen.fidelity.flown import CENTRE, FlownRecord
from uav_testgen.loop.system import System
from uav_testgen.predict.conformal import (
    COVERAGE,
    KEY,
    ConformalTable,
    DistanceBin,
    MissionShift,
    ends_m,
    table_of,
)
from uav_testgen.predict.distribution import Distribution
from uav_testgen.statistics.conformal import binomial_band, conformal_limit

EDGES_M: Final = (0.5, 1.0, 1.5, 2.0, 3.0)
FEWEST: Final = 40
"""Records of a bin; smaller ones are joined with their neighbours."""
FEWEST_OF_A_MISSION: Final = 25
BAND: Final = 0.99
FOLDS: Final = 10
PROBABILITIES: Final = (0.0, 0.02, 0.2, 0.4, 0.6, 0.8, 0.98, 1.01)


@dataclass(frozen=True, slots=True)
class Case:
    """A record beside its prediction, both by Aerialist's measure."""

    mission: str
    predicted: Distribution
    measured_m: float
    distance_m: float
    """What is predicted."""
    ends_m: tuple[float, float]
    """Of the interval that the prediction itself gives."""
    probability: float
    """Predicted, of failing."""

    @property
    def failed(self) -> bool:
        """Did the real flight come too close?"""
        return self.measured_m < SAFE_DISTANCE_M


def cases_of(flown: Sequence[FlownRecord]) -> list[Case]:
    """The records as cases."""
    found = []
    for one in flown:
        predicted, measured_m = one.distribution, one.record.distance_m
        if one.record.measure == CENTRE:
            predicted = Distribution(
                tuple(replace(run, distance_m=_beside_m(run.distance_m)) for run in predicted.runs),
                predicted.error,
            )
            measured_m = _beside_m(measured_m)
        found.append(
            Case(one.record.mission, predicted, measured_m, predicted.expected_distance_m,
                 ends_m(predicted, COVERAGE), predicted.probability_below(SAFE_DISTANCE_M))
        )  # fmt: skip
    return found


def _beside_m(centre_m: float) -> float:
    """A distance of the vehicle's centre as Aerialist gives it today: half the vehicle's width less."""
    return max(centre_m - VEHICLE_HALF_WIDTH_M, 0.0)


def fit_table(cases: Sequence[Case], runs: int, seed: int, coverage: float = COVERAGE) -> ConformalTable:
    """The table of some cases."""
    if len(cases) < 2 * FEWEST:
        raise InputFileError(
            f"{len(cases)} records are too few for intervals; at least {2 * FEWEST} are needed"
        )
    side = 0.5 * (1.0 + coverage)
    bins = []
    for below_m, members in _bins(cases):
        nearer_m = conformal_limit(np.array([one.ends_m[0] - one.measured_m for one in members]), side)
        farther_m = conformal_limit(np.array([one.measured_m - one.ends_m[1] for one in members]), side)
        bins.append(
            DistanceBin(below_m=below_m, records=len(members), nearer_m=round(nearer_m, 3),
                        farther_m=round(farther_m, 3))
        )  # fmt: skip
    table = ConformalTable(coverage=coverage, records=len(cases), runs=runs, seed=seed, bins=tuple(bins))
    return table.model_copy(update={"missions": _missions(cases, table, side)})


def _missions(cases: Sequence[Case], table: ConformalTable, side: float) -> dict[str, MissionShift]:
    """What missions need besides, on which the intervals of all missions together hold too seldom."""
    found = {}
    for mission in sorted({one.mission for one in cases}):
        own = [one for one in cases if one.mission == mission]
        ends = [table.interval_m(one.predicted) or (0.0, 0.0) for one in own]
        held = sum(low <= one.measured_m <= high for one, (low, high) in zip(own, ends, strict=True))
        if len(own) < FEWEST_OF_A_MISSION or held >= binomial_band(len(own), table.coverage, BAND)[0]:
            continue
        nearer = np.array([low - one.measured_m for one, (low, _) in zip(own, ends, strict=True)])
        farther = np.array([one.measured_m - high for one, (_, high) in zip(own, ends, strict=True)])
        found[mission] = MissionShift(
            records=len(own),
            nearer_m=round(max(conformal_limit(nearer, side), 0.0), 3),
            farther_m=round(max(conformal_limit(farther, side), 0.0), 3),
        )
    return found


def _bins(cases: Sequence[Case]) -> list[tuple[float | None, list[Case]]]:
    """Bins of the predicted distance with enough records in each, the last without an end."""
    found: list[tuple[float | None, list[Case]]] = []
    rest = list(cases)
    for edge_m in EDGES_M:
        members = [one for one in rest if one.distance_m < edge_m]
        if len(members) >= FEWEST and len(rest) - len(members) >= FEWEST:
            found.append((edge_m, members))
            rest = [one for one in rest if one.distance_m >= edge_m]
    return [*found, (None, rest)]


def coverage_of(cases: Sequence[Case], table: Callable[[Case], ConformalTable]) -> dict[str, Any]:
    """How often the intervals hold, also per mission and per bin of the predicted distance."""
    held = [_holds(one, table(one)) for one in cases]
    ends = [table(one).interval_m(one.predicted, one.mission) or (0.0, 0.0) for one in cases]
    widths = [high - low for low, high in ends]
    coverage = table(cases[0]).coverage
    edges = (0.0, *EDGES_M, math.inf)
    names = [
        f"{low:g}-{high:g} m" if math.isfinite(high) else f"from {low:g} m" for low, high in pairwise(edges)
    ]
    places = [names[int(np.searchsorted(edges, one.distance_m, side="right")) - 1] for one in cases]
    return {
        "coverage": coverage,
        "all": _row(held, coverage),
        "per_mission": _rows([one.mission for one in cases], held, coverage),
        "per_distance": {
            name: row for name in names for row in [_rows(places, held, coverage).get(name)] if row
        },
        "median_width_m": float(np.median(widths)),
    }


def _holds(case: Case, table: ConformalTable) -> bool:
    interval = table.interval_m(case.predicted, case.mission)
    return interval is not None and interval[0] <= case.measured_m <= interval[1]


def _row(held: Sequence[bool], coverage: float) -> dict[str, Any]:
    low, high = binomial_band(len(held), coverage, BAND)
    return {
        "records": len(held),
        "covered": round(sum(held) / len(held), 4),
        "band": [round(low / len(held), 4), round(high / len(held), 4)],
        "inside": low <= sum(held) <= high,
    }


def _rows(names: Sequence[str], held: Sequence[bool], coverage: float) -> dict[str, Any]:
    groups: dict[str, list[bool]] = {}
    for name, one in zip(names, held, strict=True):
        groups.setdefault(name, []).append(one)
    return {name: _row(groups[name], coverage) for name in sorted(groups)}


def left_out(cases: Sequence[Case], runs: int, seed: int) -> dict[str, Any] | None:
    """Coverage of flights left out: each tenth of them by a table of the others; None with too few."""
    places = stream(seed, "left out").permutation(len(cases)) % FOLDS
    return _by_the_others(cases, [str(place) for place in places], runs, seed)


def new_missions(cases: Sequence[Case], runs: int, seed: int) -> dict[str, Any] | None:
    """Coverage on missions nobody has seen: each mission by a table of the others; None with too few."""
    return _by_the_others(cases, [one.mission for one in cases], runs, seed)


def _by_the_others(
    cases: Sequence[Case], names: Sequence[str], runs: int, seed: int
) -> dict[str, Any] | None:
    tables = {}
    for name in sorted(set(names)):
        others = [one for one, own in zip(cases, names, strict=True) if own != name]
        if len(others) < 2 * FEWEST:
            return None
        tables[name] = fit_table(others, runs, seed)
    by_case = {id(one): tables[name] for one, name in zip(cases, names, strict=True)}
    return coverage_of(cases, lambda one: by_case[id(one)]) if len(tables) > 1 else None


def reliability_of(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Real flights by the failure probability predicted for them: how many failed, and how many may."""
    rows = []
    for low, high in pairwise(PROBABILITIES):
        own = [one for one in cases if low <= one.probability < high]
        if not own:
            continue
        predicted = float(np.mean([one.probability for one in own]))
        fewest, most = binomial_band(len(own), predicted, BAND)
        failed = sum(one.failed for one in own)
        rows.append({"from": low, "to": min(high, 1.0), "records": len(own), "predicted": round(predicted, 4),
                     "failed": failed, "band": [fewest, most], "inside": fewest <= failed <= most})  # fmt: skip
    return rows


def held_by(flown: Sequence[FlownRecord], system: System, runs: int, seed: int) -> dict[str, Any]:
    """How often intervals hold on these records: those of the preset, and of tables fitted on the other records.

    Each is None where there is no table, or too few records to fit one.
    """
    cases, table = cases_of(flown), table_of(system)
    return {
        "preset": None if table is None or not cases else coverage_of(cases, lambda one: table),
        "left_out": left_out(cases, runs, seed),
        "new_missions": new_missions(cases, runs, seed),
        "probability": reliability_of(cases),
    }


def with_table(system: System, table: ConformalTable) -> System:
    """The next version of a preset, with this table."""
    calibration = {**system.calibration, KEY: table.model_dump(mode="json")}
    return system.model_copy(update={"calibration": calibration, "version": system.version + 1})
