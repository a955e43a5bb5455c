"""The archive of diverse failures: what was chosen, and how like a further test is to it.

Two tests are alike if their obstacles cover nearly the same ground (the competition's measure) or if
the drone flew nearly the same path (the 2024 and 2026 measure); either would be paid only once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uav_testgen.campaign.config import RankingConfig
from uav_testgen.flight.similarity import dtw_mean_m
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.footprint import obstacle_iou

# DTW needs the form of a path, not its samples: this many points describe a flight of minutes.
_PATH_POINTS = 64


@dataclass(frozen=True, slots=True)
class Likeness:
    """Largest obstacle overlap with, and smallest path distance to, anything in the archive."""

    obstacle_iou: float
    path_distance_m: float | None


class Archive:
    """Chosen tests. Comparisons are remembered, because the greedy choice asks again and again."""

    def __init__(self, ranking: RankingConfig) -> None:
        self._ranking = ranking
        self._members: list[Evaluation] = []
        self._paths: dict[int, np.ndarray | None] = {}
        self._known: dict[int, tuple[int, Likeness]] = {}

    def __len__(self) -> int:
        return len(self._members)

    @property
    def members(self) -> tuple[Evaluation, ...]:
        """What was chosen so far."""
        return tuple(self._members)

    def add(self, evaluation: Evaluation) -> None:
        """Put a test into the archive."""
        self._members.append(evaluation)

    def likeness(self, evaluation: Evaluation) -> Likeness:
        """How like a test is to the nearest member."""
        compared, nearest = self._known.get(evaluation.number, (0, Likeness(0.0, None)))
        for member in self._members[compared:]:
            nearest = self._nearer(nearest, evaluation, member)
        self._known[evaluation.number] = (len(self._members), nearest)
        return nearest

    def is_alike(self, likeness: Likeness) -> bool:
        """True if the test would repeat a member."""
        if likeness.obstacle_iou > self._ranking.max_obstacle_iou:
            return True
        distance_m = likeness.path_distance_m
        return distance_m is not None and distance_m < self._ranking.min_path_distance_m

    def _nearer(self, nearest: Likeness, evaluation: Evaluation, member: Evaluation) -> Likeness:
        iou = max(
            nearest.obstacle_iou, obstacle_iou(evaluation.scenario.obstacles, member.scenario.obstacles)
        )
        distance_m = nearest.path_distance_m
        one, other = self._path(evaluation), self._path(member)
        if one is not None and other is not None and self._ranking.min_path_distance_m > 0.0:
            measured_m = dtw_mean_m(one, other)
            distance_m = measured_m if distance_m is None else min(distance_m, measured_m)
        return Likeness(iou, distance_m)

    def _path(self, evaluation: Evaluation) -> np.ndarray | None:
        if evaluation.number not in self._paths:
            trajectory = evaluation.trajectory
            self._paths[evaluation.number] = (
                None if trajectory is None or not len(trajectory) else _by_length(trajectory.position_enu_m)
            )
        return self._paths[evaluation.number]


def _by_length(position_m: np.ndarray) -> np.ndarray:
    """Points at equal distances along a path."""
    walked_m = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(position_m, axis=0), axis=1))])
    at_m = np.linspace(0.0, walked_m[-1], _PATH_POINTS)
    return np.column_stack([np.interp(at_m, walked_m, position_m[:, axis]) for axis in range(3)])
