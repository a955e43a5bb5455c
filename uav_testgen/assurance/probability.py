"""With which probability does a requirement fail?

Plain Monte Carlo counts failures among independent flights; its interval is exact. Rare failures are reached by
splitting (`statistics/splitting.py`), which begins with the same independent flights. Both say how likely the *model*
fails. How likely a real flight fails follows from the independent flights: each stands for a normal distribution as
wide as predictions were off on real flights.
"""

from __future__ import annotations

import math
from typing import Final, Literal

import numpy as np

from uav_testgen.assurance.certificate import Certificate, Estimate
from uav_testgen.assurance.flights import Flights, answered
from uav_testgen.assurance.question import Answer, Question
from uav_testgen.assurance.spaces import Space
from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.core.rng import stream
from uav_testgen.statistics.intervals import exact_interval
from uav_testgen.statistics.splitting import SplittingSettings, first_points, split

Method = Literal["auto", "monte-carlo", "splitting"]
METHODS: Final = ("auto", "monte-carlo", "splitting")
ENOUGH_FAILURES: Final = 50
"""With so many failures among the first flights counting them is as good as anything else."""
ENOUGH_SHARE: Final = 0.1
"""And so it is where so many of them fail."""
ENOUGH_TO_SPLIT: Final = 1000
"""Flights on a level below which splitting's interval holds the truth less often than it says."""
_BATCHES = 10


def certify(
    flights: Flights,
    space: Space,
    question: Question,
    *,
    system: str = "",
    method: Method = "auto",
    count: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
    calibrated: bool = True,
) -> Certificate:
    """The certificate; `count` flights for Monte Carlo, and on each level of splitting.

    `calibrated` says whether the model's error was measured with this system.
    """
    if method not in METHODS:
        raise ConfigError(f"method '{method}' is unknown; known: {', '.join(METHODS)}")
    if not 0.5 <= confidence < 1.0:
        raise ConfigError(f"the confidence must be from 0.5 to below 1, got {confidence}")
    if count < 100:
        raise ConfigError(f"at least 100 flights are needed, got {count}")
    if method == "splitting" and not space.is_continuous:
        raise ConfigError(
            "splitting needs scenes that change little by little; a generator's need monte-carlo"
        )
    if method == "splitting" and count < ENOUGH_TO_SPLIT:
        raise ConfigError(
            f"splitting needs at least {ENOUGH_TO_SPLIT} flights on each level, got {count}: with fewer its "
            "interval is too narrow; give more flights, or use monte-carlo"
        )
    settings = SplittingSettings(_BATCHES, math.ceil(count / _BATCHES))
    margins = flights.margins(first_points(space.dimension, seed, settings))
    first = list(flights.answers)
    told = answered(first)
    if not told:
        raise BackendError(
            "no flight says anything: every scene breaks a rule or every flight is inconclusive"
        )
    failures = sum((one.margin or 0.0) < 0.0 for one in told)
    rare = failures < ENOUGH_FAILURES and failures < ENOUGH_SHARE * len(told)
    may_split = space.is_continuous and count >= ENOUGH_TO_SPLIT
    levels: tuple[tuple[float, float], ...] = ()
    reached = failures > 0
    if method == "splitting" or (method == "auto" and rare and may_split):
        found = split(flights.margins, space.dimension, seed, settings, confidence, margins)
        valid = len(told) / len(first)  # what does not count cannot fail, and cannot pass either
        low, high = (min(end / valid, 1.0) for end in found.interval)
        simulated = Estimate(min(found.probability / valid, 1.0), (low, high))
        levels, reached, used = found.levels, found.reached, "splitting"
    else:
        interval = exact_interval(failures, len(told), confidence)
        simulated, used = Estimate(failures / len(told), interval), "monte-carlo"
    return Certificate(
        requirement=question.text,
        varies=space.text,
        system=system,
        method=used,
        confidence=confidence,
        simulated=simulated,
        real=_real(told, confidence, seed) if calibrated else None,
        flights=len(flights.answers),
        failures=failures,
        independent=len(first),
        uncounted=len(first) - len(told),
        reached=reached,
        levels=levels,
        margins=tuple(one.margin for one in told if one.margin is not None and math.isfinite(one.margin)),
        unit=question.unit,
        seed=seed,
    )


def _real(told: list[Answer], confidence: float, seed: int) -> Estimate | None:
    """The model's error folded in: for each independent flight one real flight is drawn and counted.

    Drawing instead of averaging keeps the interval exact.
    """
    shares = np.array([np.nan if one.real_share is None else one.real_share for one in told])
    if np.any(np.isnan(shares)):
        return None
    fails = int(np.sum(stream(seed, "real").uniform(size=len(shares)) < shares))
    mean = float(np.mean(shares))
    low, high = exact_interval(fails, len(shares), confidence)
    return Estimate(mean, (min(low, mean), max(high, mean)))
