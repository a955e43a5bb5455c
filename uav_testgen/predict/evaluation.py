"""A scenario together with what flying it showed: what searches learn from and campaigns keep."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from uav_testgen.core.defaults import COLLISION_DISTANCE_M, SAFE_DISTANCE_M
from uav_testgen.flight.model import Trajectory
from uav_testgen.loop.scatter import ModelError
from uav_testgen.oracle.competition import score_of_test
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.oracle.unjudged import unjudged_words
from uav_testgen.predict.distribution import Distribution, Run
from uav_testgen.predict.prediction import corrected_margin
from uav_testgen.scenario.model import Scenario


class EvaluationStatus(str, Enum):
    """Whether an evaluation says anything about its scenario."""

    VALID = "valid"
    INVALID_SCENARIO = "invalid_scenario"
    BACKEND_ERROR = "backend_error"
    TIMEOUT = "timeout"
    PLANNER_ERROR = "planner_error"
    PLANNER_LATE = "planner_late"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A scenario with the numbers of its prediction.

    `number` is the position in the campaign's order of asking. `verdicts` has the nominal run first, then the
    drawn ones; `distances_m` their distances, corrected for the model's bias. `distance_m` and
    `failure_probability` are those of the prediction (`predict.prediction`); a probability that was never compared
    with real flights is None. `expected_points` are the competition's, over the runs and the error of the model; None
    where another measure than Aerialist's distance counts. `margin` is the worst margin of the campaign's
    requirements, None where it has none.
    """

    number: int
    scenario: Scenario
    status: EvaluationStatus
    verdicts: tuple[Verdict, ...] = ()
    distances_m: tuple[float | None, ...] = ()
    distance_m: float | None = None
    failure_probability: float | None = None
    trajectory: Trajectory | None = None
    message: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    margin: float | None = None
    expected_points: float | None = None

    @property
    def verdict(self) -> Verdict | None:
        """The nominal run's verdict."""
        return self.verdicts[0] if self.verdicts else None

    @property
    def nominal_distance_m(self) -> float | None:
        """Corrected distance of the nominal run."""
        return self.distances_m[0] if self.distances_m else None

    @property
    def distance_interval(self) -> dict[str, Any] | None:
        """Where a real flight's distance lies (`DistanceInterval.to_json`); None where that was never measured."""
        return self.details.get("distance_interval")

    @property
    def is_by_requirements(self) -> bool:
        """Was it judged by a list of requirements rather than by the safe distance alone?"""
        return bool(self.verdicts) and bool(self.verdicts[0].findings)

    @property
    def safe_distance_m(self) -> float:
        """What has to be kept: the competition's distance, or (in 3-D) that of the logical scenario."""
        logical = self.scenario.logical
        return SAFE_DISTANCE_M if logical is None else logical.safety_distance_m

    @property
    def measure(self) -> str:
        """How `distance_m` and `distances_m` are measured: Aerialist's way, in plan view, or in 3-D."""
        return "aerialist" if self.scenario.logical is None or self.is_by_requirements else "3d"

    @property
    def objective_m(self) -> float | None:
        """What searches minimise and suites are chosen by; below the safe distance it is a failure.

        The predicted distance or, where the campaign has requirements, the safe distance plus their worst margin.
        An instance of a logical scenario has a safe distance of its own, and what it leaves of that is its margin.
        None where nothing was found out.
        """
        if not self.is_by_requirements:
            distance_m = self.distance_m
            return None if distance_m is None else distance_m + (SAFE_DISTANCE_M - self.safe_distance_m)
        return None if self.margin is None else SAFE_DISTANCE_M + self.margin

    @property
    def expected_score(self) -> float | None:
        """What the test is expected to earn by the competition's formula; None where points are not known."""
        if self.expected_points is None:
            return None
        minutes = sum(verdict.duration_s for verdict, _ in self.drawn) / len(self.drawn) / 60.0
        return score_of_test(self.expected_points, len(self.scenario.obstacles), minutes)

    @property
    def drawn(self) -> tuple[tuple[Verdict, float | None], ...]:
        """The runs the numbers come from: the drawn ones, or the nominal one where there are no others."""
        pairs = tuple(zip(self.verdicts, self.distances_m, strict=True))
        return pairs[1:] or pairs

    def distribution(self, error: ModelError) -> Distribution:
        """Predicted outcomes."""
        runs = tuple(
            Run(float("inf") if distance_m is None else distance_m, verdict.duration_s, verdict.ending)
            for verdict, distance_m in self.drawn
        )
        return Distribution(runs, error)

    def counts(self) -> dict[str, int]:
        """How many of the counted runs collide, come too close, do not complete; and how many there are."""
        conclusive = [pair for pair in self.drawn if pair[0].outcome is not Outcome.INCONCLUSIVE]

        def nearer(limit_m: float) -> int:
            return sum(verdict.is_nearer(distance_m, limit_m) for verdict, distance_m in conclusive)

        return {
            "runs": len(conclusive),
            "collisions": nearer(COLLISION_DISTANCE_M),
            "too_close": nearer(self.safe_distance_m),
            "violating": sum(_violates(verdict, distance_m) for verdict, distance_m in conclusive),
            "incomplete": sum(verdict.outcome is Outcome.INCOMPLETE for verdict, _ in conclusive),
        }

    @property
    def counts_sentence(self) -> str:
        """ "collides 1/5, too close 5/5"."""
        found = self.counts()
        count = found["runs"]
        if not count:
            return unjudged_words(1)
        words = [f"collides {found['collisions']}/{count}"] if found["collisions"] else []
        if self.is_by_requirements:
            words.append(f"violates {found['violating']}/{count}")
        else:
            words.append(f"too close {found['too_close']}/{count}")
        if found["incomplete"]:
            words.append(f"incomplete {found['incomplete']}/{count}")
        return ", ".join(words)


def _violates(verdict: Verdict, distance_m: float | None) -> bool:
    margin = corrected_margin(verdict, distance_m)
    if margin is not None and margin < 0.0:
        return True
    return any(finding.violated for finding in verdict.findings if finding.margin is None)
