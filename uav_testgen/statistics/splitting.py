"""The probability of rare events by multilevel splitting (subset simulation), with an interval.

The event is that a margin, a function of independent standard normal numbers, is below 0. Points are drawn; the
share with the least margins is kept and multiplied by short Markov chains that never leave the level reached; and so
on until the level is 0. The probability is the product of the shares.

Several batches do this independently of each other, on levels that all points together decide. With common levels the
product of a batch has the right mean, however few points it has, and the batches tell how far it is off: products of
many shares are log-normal, for which Cox's interval of a mean is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import stream

Evaluate = Callable[[FloatArray], FloatArray]
"""Margins (n) of points (n, dimension)."""

_ACCEPTED = 0.44
"""Share of accepted moves at which chains forget their start soonest."""


@dataclass(frozen=True, slots=True)
class SplittingSettings:
    """`batches` × `size` points on every level, of which the share `keep` goes on."""

    batches: int = 10
    size: int = 200
    keep: float = 0.2
    most_levels: int = 12

    def __post_init__(self) -> None:
        if self.batches < 3 or self.size < 10 or not 0.0 < self.keep < 1.0 or self.most_levels < 1:
            raise ValueError("splitting needs at least 3 batches of 10 points, and a share between 0 and 1")


@dataclass(frozen=True, slots=True)
class Splitting:
    """What was found. `reached` is False where no level came to 0: then only the upper limit means something."""

    probability: float
    interval: tuple[float, float]
    confidence: float
    reached: bool
    evaluations: int
    levels: tuple[tuple[float, float], ...]
    """(level, probability of a margin up to it), falling."""
    first_margins: FloatArray
    """Margins of the independent points it began with."""


@dataclass
class _Batch:
    points: FloatArray
    margins: FloatArray
    product: float = 1.0


def split(
    evaluate: Evaluate,
    dimension: int,
    seed: int,
    settings: SplittingSettings | None = None,
    confidence: float = 0.95,
    first_margins: FloatArray | None = None,
) -> Splitting:
    """The probability that the margin is below 0; `first_margins` are those of `first_points`, if known already."""
    chosen = settings or SplittingSettings()
    random, points = _begun(dimension, seed, chosen)
    margins = evaluate(points) if first_margins is None else first_margins
    first = margins.copy()
    batches = [
        _Batch(part, own)
        for part, own in zip(np.split(points, chosen.batches), np.split(margins, chosen.batches), strict=True)
    ]
    levels: list[tuple[float, float]] = []
    evaluations, reach = len(points), 0.8
    for _ in range(chosen.most_levels):
        level = _quantile(np.concatenate([batch.margins for batch in batches]), chosen.keep)
        if level < 0.0:
            return _finished(batches, levels, evaluations, confidence, first)
        for batch in batches:
            batch.product *= _share(batch.margins <= level)
        levels.append((level, float(np.mean([batch.product for batch in batches]))))
        flown, reach = _multiplied(evaluate, batches, level, reach, chosen.size, random)
        evaluations += flown
    if any(np.any(batch.margins < 0.0) for batch in batches):
        return _finished(batches, levels, evaluations, confidence, first)
    products = [batch.product for batch in batches]
    high = cox_interval(products, confidence)[1]
    return Splitting(0.0, (0.0, high), confidence, False, evaluations, tuple(levels), first)


def first_points(dimension: int, seed: int, settings: SplittingSettings) -> FloatArray:
    """The independent points that `split` begins with."""
    return _begun(dimension, seed, settings)[1]


def _begun(dimension: int, seed: int, settings: SplittingSettings) -> tuple[np.random.Generator, FloatArray]:
    random = stream(seed, "splitting")
    return random, random.standard_normal((settings.batches * settings.size, dimension))


def _finished(
    batches: Sequence[_Batch],
    levels: list[tuple[float, float]],
    evaluations: int,
    confidence: float,
    first: FloatArray,
) -> Splitting:
    products = [batch.product * _share(batch.margins < 0.0) for batch in batches]
    mean = float(np.mean(products))
    levels.append((0.0, mean))
    interval = cox_interval(products, confidence)
    return Splitting(mean, interval, confidence, True, evaluations, tuple(levels), first)


def _multiplied(
    evaluate: Evaluate,
    batches: Sequence[_Batch],
    level: float,
    reach: float,
    size: int,
    random: np.random.Generator,
) -> tuple[int, float]:
    """Fill every batch up to `size` with chains from the points that go on; the number of evaluations, the reach.

    All chains of all batches move together, so that there is much to evaluate at a time. A batch of which nothing
    goes on stays empty and counts as 0.
    """
    owners, points, margins = [], [], []
    for number, batch in enumerate(batches):
        going = random.permutation(np.flatnonzero(batch.margins <= level))
        owners.append(np.full(len(going), number))
        points.append(batch.points[going])
        margins.append(batch.margins[going])
    owner, here, margin = np.concatenate(owners), np.concatenate(points), np.concatenate(margins)
    place = np.concatenate([np.arange(len(one)) for one in owners])
    found = [(owner, here.copy(), margin.copy())]
    missing = np.array([size - len(one) if len(one) else 0 for one in owners])
    evaluations, step = 0, 0
    while np.any(missing > 0):
        moving = np.flatnonzero(place < missing[owner])
        noise = random.standard_normal((len(moving), here.shape[1]))
        proposed = math.sqrt(1.0 - reach**2) * here[moving] + reach * noise
        new = evaluate(proposed)
        evaluations, step = evaluations + len(moving), step + 1
        accepted = new <= level
        here[moving[accepted]] = proposed[accepted]
        margin[moving[accepted]] = new[accepted]
        found.append((owner[moving], here[moving], margin[moving]))
        missing = missing - np.bincount(owner[moving], minlength=len(batches))
        if len(moving) > 20:
            change = (float(np.mean(accepted)) - _ACCEPTED) / math.sqrt(step)
            reach = min(max(reach * math.exp(change), 0.05), 1.0)
    owner, here, margin = (np.concatenate([part[k] for part in found]) for k in range(3))
    for number, batch in enumerate(batches):
        batch.points, batch.margins = here[owner == number], margin[owner == number]
    return evaluations, reach


def cox_interval(products: Sequence[float], confidence: float) -> tuple[float, float]:
    """The mean of a log-normal value; where some are 0, of any positive value by its mean and spread."""
    values = np.array(products)
    count = len(values)
    mean = float(np.mean(values))
    if mean == 0.0:
        return 0.0, 1.0
    t = float(stdtrit(count - 1, 0.5 + 0.5 * confidence))
    if np.any(values == 0.0):
        half = t * float(np.std(values, ddof=1)) / math.sqrt(count) / mean
        return mean * math.exp(-half), min(mean * math.exp(half), 1.0)
    logs = np.log(values)
    variance = float(np.var(logs, ddof=1))
    half = t * math.sqrt(variance / count + variance**2 / (2.0 * (count - 1)))
    middle = float(np.mean(logs)) + 0.5 * variance
    return math.exp(middle - half), min(math.exp(middle + half), 1.0)


def _quantile(margins: FloatArray, share: float) -> float:
    """A value of the sample, so that infinite margins do no harm."""
    return float(np.sort(margins)[max(math.ceil(share * len(margins)) - 1, 0)])


def _share(which: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> float:
    return float(np.mean(which)) if len(which) else 0.0
