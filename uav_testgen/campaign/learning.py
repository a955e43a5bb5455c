"""What real flights say about the predictions of one case study.

A flown distance differs from the predicted one by a systematic part (all predictions of this case study are off
by the same), a local part (tests with like obstacles are off alike) and chance. Together they are as wide as the
model's error; the shares below say how much of it is which. That is a Gaussian process with the overlap of
obstacles as its kernel: every flight moves what is expected of the tests that were not flown, most of all of
those like it, and narrows it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.loop.scatter import ModelError
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.footprint import Layouts

SYSTEMATIC_SHARE, LOCAL_SHARE, CHANCE_SHARE = 0.4, 0.3, 0.3
"""Of the variance of the model's error; an assumption, not a measurement."""
_LEAST_SPREAD_M = 0.2
_MOST_SPREADS = 3.0
"""A flight that took another way says little about the size of the error: it counts as this many spreads off."""
_NORMAL_80 = 1.2815515655446004


@dataclass(frozen=True, slots=True)
class SystematicError:
    """By how much flown distances exceed predicted ones on this case study, with its 80 % interval."""

    mean_m: float
    low_m: float
    high_m: float
    tests: int

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "mean_m": round(self.mean_m, 4),
            "interval_80_m": [round(self.low_m, 4), round(self.high_m, 4)],
            "tests": self.tests,
        }

    @property
    def sentence(self) -> str:
        """For people."""
        if not self.tests:
            return "systematic error on this case study: not known, nothing was flown"
        return (
            f"systematic error on this case study: flown minus predicted {self.mean_m:+.2f} m "
            f"(80 % interval {self.low_m:+.2f} to {self.high_m:+.2f} m, {self.tests} tests flown)"
        )


class Lessons:
    """The tests that were flown, and what follows for others."""

    def __init__(self, error: ModelError) -> None:
        self._error = error
        spread_m = max(error.spread_m, _LEAST_SPREAD_M)
        self._variances = tuple(
            share * spread_m**2 for share in (SYSTEMATIC_SHARE, LOCAL_SHARE, CHANCE_SHARE)
        )
        self._most_m = _MOST_SPREADS * spread_m
        self._layouts = Layouts()
        self._likeness: list[FloatArray] = []
        self._off_m: list[float] = []
        self._flights: list[int] = []
        self._seen: dict[int, FloatArray] = {}
        self._solved: tuple[FloatArray, FloatArray] | None = None

    def __len__(self) -> int:
        return len(self._off_m)

    def add(self, evaluation: Evaluation, flown_m: Sequence[float]) -> None:
        """A test that was flown, with the distance of each flight."""
        if evaluation.distance_m is None or not flown_m:
            return
        off_m = sum(flown_m) / len(flown_m) - evaluation.distance_m
        self._likeness.append(self._like(evaluation))
        self._layouts.add(evaluation.scenario.obstacles)
        self._off_m.append(min(max(off_m, -self._most_m), self._most_m))
        self._flights.append(len(flown_m))
        self._solved = None

    def systematic(self) -> SystematicError:
        """What is known about it; zero, and as wide as assumed, before anything was flown."""
        prior = self._variances[0]
        if not self._off_m:
            width_m = _NORMAL_80 * math.sqrt(prior)
            return SystematicError(0.0, -width_m, width_m, 0)
        inverse, weights = self._solve()
        mean_m = float(prior * weights.sum())
        variance = max(prior - prior**2 * float(inverse.sum()), 0.0)
        width_m = _NORMAL_80 * math.sqrt(variance)
        return SystematicError(mean_m, mean_m - width_m, mean_m + width_m, len(self))

    def expected(self, evaluation: Evaluation) -> tuple[Evaluation, ModelError]:
        """A prediction with its distances moved by what was learned, and how far it may still be off."""
        systematic, local, chance = self._variances
        if not self._off_m:
            return evaluation, self._error
        inverse, weights = self._solve()
        towards = systematic + local * self._like(evaluation)
        shift_m = float(towards @ weights)
        variance = systematic + local - float(towards @ inverse @ towards)
        spread_m = math.sqrt(max(variance, 0.0) + chance)
        moved = tuple(
            None if distance_m is None else max(distance_m + shift_m, 0.0)
            for distance_m in evaluation.distances_m
        )
        return replace(evaluation, distances_m=moved), replace(self._error, spread_m=spread_m)

    def _like(self, evaluation: Evaluation) -> FloatArray:
        """Overlap of its obstacles with those of every test flown so far; earlier answers are remembered."""
        known = self._seen.get(evaluation.number, np.zeros(0))
        if len(known) < len(self._layouts):
            new = self._layouts.overlaps(evaluation.scenario.obstacles, len(known))
            known = np.concatenate([known, new])
            self._seen[evaluation.number] = known
        return known

    def _solve(self) -> tuple[FloatArray, FloatArray]:
        if self._solved is None:
            systematic, local, chance = self._variances
            count = len(self._off_m)
            like = np.eye(count)
            for row, known in enumerate(self._likeness):
                like[row, : len(known)] = like[: len(known), row] = known
            # Several flights of one test average chance out.
            noise = np.diag([chance / flights for flights in self._flights])
            inverse = np.asarray(np.linalg.inv(systematic + local * like + noise), dtype=np.float64)
            self._solved = (inverse, np.asarray(inverse @ np.array(self._off_m), dtype=np.float64))
        return self._solved
