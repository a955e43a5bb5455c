"""How repeatable a test is: the spread of several flights of the same scenario."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.resample import resampled
from uav_testgen.flight.similarity import dtw_mean_m
from uav_testgen.oracle.model import Outcome, Verdict

_Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Repeatability:
    """Distances are Aerialist's; None where no run has one. `dtw_*` are per point [m]."""

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

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the judgement."""
        return {**asdict(self), "flaky": self.flaky}


def repeatability(verdicts: Sequence[Verdict], trajectories: Sequence[Trajectory] = ()) -> Repeatability:
    """Spread over the runs of one scenario; inconclusive runs do not count for shares."""
    conclusive = [verdict for verdict in verdicts if verdict.outcome is not Outcome.INCONCLUSIVE]
    failures = sum(verdict.failed for verdict in conclusive)
    known = [v.min_distance_aerialist_m for v in conclusive if v.min_distance_aerialist_m is not None]
    mean = math.fsum(known) / len(known) if known else None
    share = failures / len(conclusive) if conclusive else None
    low, high = wilson_interval(failures, len(conclusive)) if conclusive else (None, None)
    paths = [resampled(trajectory).position_enu_m for trajectory in trajectories if len(trajectory)]
    warps = [dtw_mean_m(one, other) for one, other in combinations(paths, 2)]
    return Repeatability(
        runs=len(verdicts),
        conclusive_runs=len(conclusive),
        failures=failures,
        hard_failures=sum(verdict.outcome is Outcome.HARD_FAIL for verdict in conclusive),
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


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """95 % interval of a share: sensible for the three or five runs a test gets."""
    share, square = successes / trials, _Z_95**2
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = _Z_95 * math.sqrt(share * (1 - share) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return (max(middle - half, 0.0), min(middle + half, 1.0))


def _deviation(values: list[float], mean: float | None) -> float | None:
    if mean is None or len(values) < 2:
        return None
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
