"""Bayesian optimisation: a Gaussian process models the objective, expected improvement picks vectors.

Own code instead of a library, because a proposal has to cost a fraction of a flight (a tenth of a
second): the kernel's length is chosen on a small grid by marginal likelihood, the data is limited to
the best and the latest points, and a batch is proposed at once, each point believing the model's
mean for those before it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.rng import stream
from uav_testgen.generator.algorithm.base import Proposal, Score, Vector, clipped

_JITTER = 1e-6
_LENGTHS = (0.1, 0.2, 0.4, 0.8, 1.6)


class BayesianSettings(RoomConfig):
    """Size of the first design and what the model may cost."""

    size: int = Field(default=20, ge=2, le=10_000, description="Vectors proposed before the model is used")
    candidates: int = Field(default=512, ge=8, le=100_000, description="Vectors compared per proposal")
    data_limit: int = Field(default=200, ge=10, le=2000, description="Points the model is fitted to")
    refit_every: int = Field(default=10, ge=1, le=1000, description="Scores between two length searches")
    noise: float = Field(default=1e-3, gt=0, le=1, description="Variance of noise over variance of the data")


class BayesianSearch:
    """Gaussian process with a Matérn 5/2 kernel and expected improvement."""

    settings_type = BayesianSettings

    def __init__(
        self, dimension: int, settings: BayesianSettings, seed: int, initial: Sequence[Vector] = ()
    ) -> None:
        self._dimension = dimension
        self._settings = settings
        self._rng = stream(seed, "bayesian")
        design = list(initial) or list(_latin_hypercube(settings.size, dimension, self._rng))
        missing = settings.size - len(design)
        if missing > 0:
            design += list(self._rng.random((missing, dimension)))
        self._design = design
        self._next_number = 0
        self._open: dict[int, Vector] = {}
        self._points: list[Vector] = []
        self._values: list[float] = []
        self._length = 0.4
        self._scores_at_fit = -math.inf

    def ask(self, count: int) -> list[Proposal]:
        """First the design, then what the model finds promising."""
        proposals: list[Proposal] = []
        model: _GaussianProcess | None = None
        for _ in range(count):
            if self._next_number < len(self._design):
                vector = self._design[self._next_number]
            elif len(self._values) < 2:
                vector = self._rng.random(self._dimension)
            else:
                model = model or self._model()
                vector = self._best_candidate(model)
                model.believe(vector)
            proposals.append(Proposal(self._next_number, vector))
            self._open[self._next_number] = vector
            self._next_number += 1
        return proposals

    def tell(self, scores: Sequence[Score]) -> None:
        """Points without a value (not allowed, failed) are left out of the model."""
        for score in sorted(scores, key=lambda item: item.number):
            vector = self._open.pop(score.number, None)
            if vector is not None and score.objectives is not None:
                self._points.append(vector)
                self._values.append(score.objectives[0])

    def _model(self) -> _GaussianProcess:
        points, values = self._chosen_data()
        if len(self._values) - self._scores_at_fit >= self._settings.refit_every:
            self._scores_at_fit = len(self._values)
            fits = [_GaussianProcess(points, values, length, self._settings.noise) for length in _LENGTHS]
            self._length = max(fits, key=lambda fit: fit.log_likelihood).length
        return _GaussianProcess(points, values, self._length, self._settings.noise)

    def _chosen_data(self) -> tuple[Vector, Vector]:
        """At most `data_limit` points: the better half, and the latest of the rest."""
        values, points = np.array(self._values), np.array(self._points)
        limit = self._settings.data_limit
        if len(values) > limit:
            best = np.argsort(values, kind="stable")[: limit // 2]
            rest = np.setdiff1d(np.arange(len(values)), best)
            chosen = np.sort(np.concatenate([best, rest[-(limit - limit // 2) :]]))
            values, points = values[chosen], points[chosen]
        return points, values

    def _best_candidate(self, model: _GaussianProcess) -> Vector:
        count = self._settings.candidates
        wide = self._rng.random((count // 2, self._dimension))
        centres = model.best_points(4)
        chosen = centres[self._rng.integers(0, len(centres), count - count // 2)]
        near = clipped(chosen + self._rng.normal(0.0, 0.08, chosen.shape))
        candidates = np.concatenate([wide, near])
        chosen_row: Vector = candidates[int(np.argmax(model.expected_improvement(candidates)))]
        return chosen_row


class _GaussianProcess:
    """Zero-mean process on standardised values."""

    def __init__(self, points: Vector, values: Vector, length: float, noise: float) -> None:
        self.length = length
        self._noise = noise
        self._mean, self._scale = float(np.mean(values)), float(np.std(values)) or 1.0
        self._points = points
        self._values = (values - self._mean) / self._scale
        self._fit()

    def _fit(self) -> None:
        covariance = _matern(self._points, self._points, self.length)
        covariance[np.diag_indices_from(covariance)] += self._noise + _JITTER
        self._factor: Vector = np.linalg.cholesky(covariance).astype(np.float64)
        self._weights = _solve(self._factor, self._values)
        determinant = float(np.sum(np.log(np.diag(self._factor))))
        self.log_likelihood = -0.5 * float(self._values @ self._weights) - determinant

    def best_points(self, count: int) -> Vector:
        """The points with the lowest values."""
        return self._points[np.argsort(self._values, kind="stable")[:count]]

    def believe(self, vector: Vector) -> None:
        """Take the model's own mean for a proposed point as its value, so that the next one differs."""
        mean = _matern(vector[None, :], self._points, self.length) @ self._weights
        self._points = np.vstack([self._points, vector])
        self._values = np.append(self._values, mean)
        self._fit()

    def expected_improvement(self, candidates: Vector) -> Vector:
        """How much below the best value a candidate is expected to come."""
        cross = _matern(candidates, self._points, self.length)
        mean = cross @ self._weights
        half = np.linalg.solve(self._factor, cross.T)
        deviation = np.sqrt(np.maximum(1.0 - np.sum(half**2, axis=0), 1e-12))
        gain = float(np.min(self._values)) - mean
        z = gain / deviation
        density = np.exp(-0.5 * z**2) / math.sqrt(2.0 * math.pi)
        improvement: Vector = gain * _normal_cdf(z) + deviation * density
        return improvement


def _matern(one: Vector, other: Vector, length: float) -> Vector:
    squared = np.sum(one**2, axis=1)[:, None] + np.sum(other**2, axis=1)[None, :] - 2.0 * one @ other.T
    # Lengths are per dimension of the unit cube, so distances are taken per root of the dimension.
    scaled = math.sqrt(5.0) * np.sqrt(np.maximum(squared, 0.0) / one.shape[1]) / length
    kernel: Vector = (1.0 + scaled + scaled**2 / 3.0) * np.exp(-scaled)
    return kernel


def _solve(factor: Vector, values: Vector) -> Vector:
    return np.linalg.solve(factor.T, np.linalg.solve(factor, values))


def _normal_cdf(z: Vector) -> Vector:
    return np.array([0.5 * math.erfc(-value / math.sqrt(2.0)) for value in z])


def _latin_hypercube(count: int, dimension: int, rng: np.random.Generator) -> Vector:
    """One sample in each of `count` slices of every variable."""
    slices = np.argsort(rng.random((dimension, count)), axis=1).T
    samples: Vector = (slices + rng.random((count, dimension))) / count
    return samples
