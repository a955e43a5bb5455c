"""What several flights of one test say about the next one: how likely it fails, how near it gets.

Each run stands for a normal distribution around its distance, as wide as the model's error; the test is
their mixture.

A run that hovers before an obstacle until its time is up is a run without an end. Real flights that do so
often find a way after minutes, and then a tight one: such a run also stands for what would have come.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import Any

from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError
from uav_testgen.oracle.competition import POINT_STEPS


@dataclass(frozen=True, slots=True)
class Run:
    """One flight of an ensemble.

    `distance_m` is Aerialist's plus the calibrated bias (a touch stays 0), infinite without obstacles.
    """

    distance_m: float
    duration_s: float
    ending: Ending

    @property
    def is_open(self) -> bool:
        """Did it neither arrive nor crash?"""
        return self.ending in (Ending.TIME_LIMIT, Ending.STUCK)


@dataclass(frozen=True, slots=True)
class Distribution:
    """Predicted outcomes of one test."""

    runs: tuple[Run, ...]
    error: ModelError

    def probability_below(self, limit_m: float) -> float:
        """How likely the least distance is below a limit."""
        shares = [self._share_below(run, limit_m) for run in self.runs]
        return math.fsum(shares) / len(shares)

    def _share_below(self, run: Run, limit_m: float) -> float:
        share = _normal_share(limit_m - run.distance_m, self.error.spread_m)
        if not self._may_go_on(run):
            return share
        escaped = min(max(limit_m / self.error.escape_m, 0.0), 1.0)
        return share + self.error.escape_share * escaped * (1.0 - share)

    def _may_go_on(self, run: Run) -> bool:
        """Does it hover because of an obstacle? A mission too long for its time limit does not."""
        return run.is_open and run.distance_m < self.error.reach_m

    def _middle_m(self, run: Run) -> float:
        """Median of what one run stands for."""
        if not self._may_go_on(run) or self.error.escape_share <= 0.5:
            return run.distance_m
        return min(run.distance_m, 0.5 * self.error.escape_m / self.error.escape_share)

    def quantile_m(self, share: float) -> float:
        """Distance that is undercut with this probability."""
        if not any(math.isfinite(run.distance_m) for run in self.runs):
            return math.inf
        reach = 6.0 * self.error.spread_m
        low = -reach
        high = max(run.distance_m for run in self.runs if math.isfinite(run.distance_m)) + reach
        if self.probability_below(high) < share:
            return math.inf
        for _ in range(60):
            middle = 0.5 * (low + high)
            if self.probability_below(middle) < share:
                low = middle
            else:
                high = middle
        return max(0.5 * (low + high), 0.0)

    @property
    def expected_distance_m(self) -> float:
        """Median over the runs: one run on the other side of an obstacle does not move it."""
        return median(self._middle_m(run) for run in self.runs)

    @property
    def moved_by_hovering(self) -> int:
        """Runs that hover farther away than the ways lie which drones find in the end."""
        return sum(self._middle_m(run) < run.distance_m for run in self.runs)

    @property
    def expected_points(self) -> float:
        """Mean competition points of a flight."""
        total, before = 0.0, 0.0
        for limit_m, points in POINT_STEPS:
            below = self.probability_below(limit_m)
            total += points * (below - before)
            before = below
        return total

    @property
    def mean_duration_s(self) -> float:
        """Mean simulated flight time."""
        return math.fsum(run.duration_s for run in self.runs) / len(self.runs)

    def to_json(self) -> dict[str, Any]:
        """Plain data; an infinite distance is null."""
        return {
            "runs": [
                {
                    "distance_m": _finite(r.distance_m),
                    "duration_s": r.duration_s,
                    "ending": r.ending.value,
                }
                for r in self.runs
            ],
            "spread_m": self.error.spread_m,
            "failure_probability": self.probability_below(1.5),
            "expected_points": self.expected_points,
            "expected_distance_m": _finite(self.expected_distance_m),
            "quantiles_m": {str(q): _finite(self.quantile_m(q)) for q in (0.05, 0.25, 0.5, 0.75, 0.95)},
            "mean_duration_s": self.mean_duration_s,
        }


def _normal_share(margin_m: float, spread_m: float) -> float:
    if spread_m <= 0.0 or not math.isfinite(margin_m):
        return 1.0 if margin_m > 0.0 else 0.0
    return 0.5 * math.erfc(-margin_m / (spread_m * math.sqrt(2.0)))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
