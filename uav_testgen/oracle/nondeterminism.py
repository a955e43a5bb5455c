"""How repeatable a test is: the spread of several flights of the same scenario."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from uav_testgen.core.defaults import COLLISION_DISTANCE_M, SAFE_DISTANCE_M
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.resample import resampled
from uav_testgen.flight.similarity import dtw_mean_m
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.oracle.unjudged import unjudged_words
from uav_testgen.statistics.intervals import share_interval

# Paths are compared in pairs: more would take long and hardly change their spread.
_MOST_PATHS = 30


@dataclass(frozen=True, slots=True)
class Repeatability:
    """Distances are Aerialist's; None where no run has one.

    `dtw_*` are distances of two paths per point [m], over the first 30; None where fewer than two were kept.
    """

    runs: int
    conclusive_runs: int
    failures: int
    hard_failures: int
    failure_share: float | None
    failure_share_low: float | None
    failure_share_high: float | None
    distance_min_m: float | None
    distance_mean_m: float | None
    distance_max_m: float | None
    distance_deviation_m: float | None
    dtw_mean_m: float | None
    dtw_max_m: float | None

    @property
    def flaky(self) -> bool:
        """True if some runs failed and others did not."""
        return 0 < self.failures < self.conclusive_runs

    @property
    def sentence(self) -> str:
        """The same for people; without the spread of the paths where they were not kept."""
        if not self.conclusive_runs:
            return unjudged_words(self.runs)
        kind = "runs" if self.conclusive_runs == self.runs else f"conclusive runs ({self.runs} flown)"
        parts = [f"{self.failures} of {self.conclusive_runs} {kind} failed"]
        if self.failure_share_low is not None and self.failure_share_high is not None:
            low, high = 100 * self.failure_share_low, 100 * self.failure_share_high
            parts[0] += f" (95 % CI {low:.0f}–{high:.0f} %)"
        parts.append("flaky" if self.flaky else "consistent")
        if self.distance_min_m is not None and self.distance_max_m is not None:
            parts.append(f"distance {self.distance_min_m:.2f} to {self.distance_max_m:.2f} m")
        if self.dtw_mean_m is not None and self.dtw_max_m is not None:
            parts.append(
                f"paths {self.dtw_mean_m:.2f} m apart, at most {self.dtw_max_m:.2f} m (DTW per point)"
            )
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the judgement."""
        return {**asdict(self), "flaky": self.flaky, "sentence": self.sentence}


def repeatability(
    verdicts: Sequence[Verdict],
    trajectories: Sequence[Trajectory] = (),
    distances_m: Sequence[float | None] | None = None,
    safe_distance_m: float = SAFE_DISTANCE_M,
) -> Repeatability:
    """Spread over the runs of one scenario; inconclusive runs do not count for shares.

    Trajectories may be fewer than verdicts, or none: then only the verdicts speak. Predicted runs come with their
    corrected `distances_m`: these decide, as they do wherever a prediction is counted.
    """
    if distances_m is None:
        measured = [
            (v, v.min_distance_aerialist_m, v.failed, v.outcome is Outcome.HARD_FAIL) for v in verdicts
        ]
    else:
        measured = [
            (
                v,
                near_m,
                v.failed if v.findings else v.is_nearer(near_m, safe_distance_m),
                v.is_nearer(near_m, COLLISION_DISTANCE_M),
            )
            for v, near_m in zip(verdicts, distances_m, strict=True)
        ]
    conclusive = [one for one in measured if one[0].outcome is not Outcome.INCONCLUSIVE]
    failures = sum(failed for _, _, failed, _ in conclusive)
    known = [near_m for _, near_m, _, _ in conclusive if near_m is not None]
    mean = math.fsum(known) / len(known) if known else None
    share = failures / len(conclusive) if conclusive else None
    low, high = share_interval(failures, len(conclusive)) if conclusive else (None, None)
    whole = [one for one in trajectories if len(one) and np.all(np.isfinite(one.position_enu_m))]
    paths = [resampled(trajectory).position_enu_m for trajectory in whole[:_MOST_PATHS]]
    warps = [dtw_mean_m(one, other) for one, other in combinations(paths, 2)]
    return Repeatability(
        runs=len(verdicts),
        conclusive_runs=len(conclusive),
        failures=failures,
        hard_failures=sum(hard for *_, hard in conclusive),
        failure_share=share,
        failure_share_low=low,
        failure_share_high=high,
        distance_min_m=min(known, default=None),
        distance_mean_m=mean,
        distance_max_m=max(known, default=None),
        distance_deviation_m=_deviation(known, mean),
        dtw_mean_m=math.fsum(warps) / len(warps) if warps else None,
        dtw_max_m=max(warps, default=None),
    )


def _deviation(values: list[float], mean: float | None) -> float | None:
    if mean is None or len(values) < 2:
        return None
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
