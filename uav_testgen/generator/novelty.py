"""Novelty of a flight: its distance by dynamic time warping to the flights seen before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.resample import thinned
from uav_testgen.flight.similarity import dtw_m

Path = NDArray[np.float64]


class NoveltyArchive:
    """Down-sampled paths in plan view; novelty is the mean distance to the nearest few."""

    def __init__(self, *, points: int, neighbours: int, limit: int) -> None:
        self._points = points
        self._neighbours = neighbours
        self._limit = limit
        self._paths: list[Path] = []

    def __len__(self) -> int:
        return len(self._paths)

    def novelty_m(self, trajectory: Trajectory) -> float:
        """Mean DTW distance to the nearest archived paths, per point; the first flight has none: 0."""
        path = self._path(trajectory)
        if not self._paths:
            return 0.0
        distances = np.sort([dtw_m(path, other) for other in self._paths])
        return float(np.mean(distances[: self._neighbours])) / self._points

    def add(self, trajectory: Trajectory) -> None:
        """Remember a flight; the oldest is forgotten when the archive is full."""
        self._paths.append(self._path(trajectory))
        del self._paths[: -self._limit]

    def _path(self, trajectory: Trajectory) -> Path:
        return np.asarray(thinned(trajectory.position_enu_m[:, :2], self._points), dtype=np.float64)
