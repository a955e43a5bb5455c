"""Points and scores of the UAV testing competition, by the rules of each edition.

point(flight) = 5 below 0.25 m, 2 below 1 m, 1 below 1.5 m, else 0, by Aerialist's distance.
test score = mean points × 10 / (number of obstacles² × mean flight time in minutes).

* 2024: unevaluated tests count half the mean score of the evaluated ones; the sum is multiplied by
  1 - (similar tests / evaluated tests), where a test is similar if its average path nearly repeats
  that of an earlier one (DTW).
* 2025: of the evaluated tests those whose obstacles are identical to an earlier one's are removed; the
  failure score is the sum; diversity = 1 - mean pairwise IoU of the obstacle areas. The ranking uses both.
* 2026: sum × similarity factor as in 2024, without the share for unevaluated tests.

The organisers never published when two paths are "almost identical"; `similar_path_m` is our choice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.average import average_path
from uav_testgen.flight.similarity import dtw_mean_m
from uav_testgen.scenario.footprint import obstacle_iou
from uav_testgen.scenario.model import Obstacle

POINT_STEPS = ((0.25, 5), (1.0, 2), (1.5, 1))
"""(distance below which, points), nearest first."""
UNSAFE_BELOW_M = POINT_STEPS[-1][0]
"""A flight nearer than this is a failure."""

RULES = ("2024", "2025", "2026")
_SAME_AREA_IOU = 1.0 - 1e-9
_NO_TIME_MINUTES = 1e-3


class ScoreConfig(RoomConfig):
    """What the published rules leave open."""

    evaluated_tests: int = Field(default=20, ge=1, description="How many tests of a suite are evaluated")
    similar_path_m: float = Field(
        default=0.5, ge=0, description="Average paths nearer than this per point (DTW) count as the same [m]"
    )


@dataclass(frozen=True, slots=True)
class FlownTest:
    """One test of a suite with the distances, durations and paths of its runs."""

    name: str
    obstacles: tuple[Obstacle, ...]
    distances_m: tuple[float | None, ...]
    durations_s: tuple[float, ...]
    paths_enu_m: tuple[NDArray[np.float64], ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredTest:
    """What one test earned."""

    name: str
    points: tuple[int, ...]
    mean_points: float
    obstacles: int
    mean_minutes: float
    score: float
    evaluated: bool
    duplicate_of: str | None = None
    similar_to: str | None = None

    @property
    def failed(self) -> bool:
        """True if any run earned points."""
        return any(self.points)


@dataclass(frozen=True, slots=True)
class SuiteScore:
    """What a suite earned by one edition's rules."""

    rules: str
    failure_score: float
    diversity: float | None
    similarity_factor: float
    rest_score: float
    tests: tuple[ScoredTest, ...]
    notes: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """Plain data for the command line."""
        return {
            "rules": self.rules,
            "failure_score": self.failure_score,
            "diversity": self.diversity,
            "similarity_factor": self.similarity_factor,
            "rest_score": self.rest_score,
            "evaluated": sum(test.evaluated for test in self.tests),
            "failing": sum(test.evaluated and test.failed for test in self.tests),
            "tests": [
                {
                    "name": test.name,
                    "points": list(test.points),
                    "mean_points": test.mean_points,
                    "obstacles": test.obstacles,
                    "mean_minutes": test.mean_minutes,
                    "score": test.score,
                    "evaluated": test.evaluated,
                    "duplicate_of": test.duplicate_of,
                    "similar_to": test.similar_to,
                }
                for test in self.tests
            ],
            "notes": list(self.notes),
        }


def points(distance_m: float | None) -> int:
    """Points of one flight by its minimum distance; none without a distance."""
    if distance_m is None:
        return 0
    return next((value for limit_m, value in POINT_STEPS if distance_m < limit_m), 0)


def score_of_test(mean_points: float, obstacle_count: int, mean_minutes: float) -> float:
    """Score of one test; a test without obstacles or without flights earns nothing."""
    if obstacle_count == 0 or mean_points == 0.0:
        return 0.0
    return mean_points * 10.0 / (obstacle_count**2 * max(mean_minutes, _NO_TIME_MINUTES))


def score_suite(tests: Sequence[FlownTest], rules: str, config: ScoreConfig | None = None) -> SuiteScore:
    """Score a suite in the order it was submitted."""
    if rules not in RULES:
        raise ConfigError(f"rules '{rules}' are not known; choose one of {', '.join(RULES)}")
    config = config or ScoreConfig()
    first = list(tests[: config.evaluated_tests])
    duplicates = duplicates_of(first) if rules == "2025" else {}
    similar = similar_to(first, config.similar_path_m) if rules != "2025" else {}
    evaluated = [test for number, test in enumerate(first) if number not in duplicates]
    scores = tuple(
        _score(
            test,
            number < len(first) and number not in duplicates,
            duplicates.get(number),
            similar.get(number),
        )
        for number, test in enumerate(tests)
    )
    total = math.fsum(one.score for one in scores if one.evaluated)
    factor = 1.0 - len(similar) / len(evaluated) if evaluated else 1.0
    rest = 0.0
    if rules == "2024" and len(tests) > len(first):
        rest = (len(tests) - len(first)) * (total / len(evaluated)) / 2.0
    return SuiteScore(
        rules=rules,
        failure_score=(total + rest) * factor,
        diversity=diversity([test.obstacles for test in evaluated]),
        similarity_factor=factor,
        rest_score=rest,
        tests=scores,
        notes=_notes(tests, evaluated, rules),
    )


def diversity(obstacle_sets: Sequence[tuple[Obstacle, ...]]) -> float | None:
    """1 - mean pairwise IoU of the obstacle areas; None for fewer than two tests."""
    pairs = [obstacle_iou(one, other) for one, other in combinations(obstacle_sets, 2)]
    return 1.0 - math.fsum(pairs) / len(pairs) if pairs else None


def duplicates_of(tests: Sequence[FlownTest]) -> dict[int, str]:
    """Index of every test that covers the same ground as an earlier one, with that one's name."""
    found: dict[int, str] = {}
    for number, test in enumerate(tests):
        for earlier in range(number):
            if earlier in found:
                continue
            if obstacle_iou(tests[earlier].obstacles, test.obstacles) >= _SAME_AREA_IOU:
                found[number] = tests[earlier].name
                break
    return found


def similar_to(tests: Sequence[FlownTest], limit_m: float) -> dict[int, str]:
    """Index of every test whose average path nearly repeats that of an earlier one, with its name."""
    averages = [average_path(test.paths_enu_m) if test.paths_enu_m else None for test in tests]
    found: dict[int, str] = {}
    for number, path in enumerate(averages):
        for earlier in range(number):
            other = averages[earlier]
            if path is None or other is None or earlier in found:
                continue
            if dtw_mean_m(other, path) < limit_m:
                found[number] = tests[earlier].name
                break
    return found


def _score(test: FlownTest, evaluated: bool, duplicate: str | None, similar: str | None) -> ScoredTest:
    earned = tuple(points(distance) for distance in test.distances_m)
    mean_points = sum(earned) / len(earned) if earned else 0.0
    minutes = math.fsum(test.durations_s) / len(test.durations_s) / 60.0 if test.durations_s else 0.0
    return ScoredTest(
        name=test.name,
        points=earned,
        mean_points=mean_points,
        obstacles=len(test.obstacles),
        mean_minutes=minutes,
        score=score_of_test(mean_points, len(test.obstacles), minutes),
        evaluated=evaluated,
        duplicate_of=duplicate,
        similar_to=similar,
    )


def _notes(tests: Sequence[FlownTest], evaluated: Sequence[FlownTest], rules: str) -> tuple[str, ...]:
    notes = []
    unflown = [test.name for test in evaluated if not test.distances_m]
    if unflown:
        notes.append(f"no flight of: {', '.join(unflown)} (counted with 0 points)")
    if len(tests) > len(evaluated):
        notes.append(f"{len(evaluated)} of {len(tests)} tests evaluated")
    if rules in ("2024", "2026"):
        notes.append("the limit of 'almost identical' paths is unpublished; similar_path_m is an assumption")
    return tuple(notes)
