"""Spend the suite well: what a test is expected to score, and which tests go together.

A test scores `points x 10 / (obstacles^2 x minutes)` in the competition. Points are those of the
confirming simulator, which the prediction knows only with an error; so a test's expected points are
taken over that error and over the repeated runs. They factor into (points if it fails) x
(probability that it fails when confirmed), and both are reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from uav_testgen.campaign.archive import Archive, Likeness
from uav_testgen.campaign.config import CampaignConfig, RankingConfig
from uav_testgen.core.defaults import COLLISION_DISTANCE_M
from uav_testgen.generator.registry import GENERATORS
from uav_testgen.loop.scatter import ModelError
from uav_testgen.oracle.competition import UNSAFE_BELOW_M
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus

# Candidates compared pairwise are bounded, so that choosing 20 from a million failures stays quick.
_CANDIDATES_PER_PLACE = 20
HARD_FROM = 1.0 / 3.0
"""A test that comes below the collision distance at least this likely may take a place kept for hard tests."""


def candidate_count(ranking: RankingConfig) -> int:
    """How many of the most valuable tests are compared with each other."""
    return _CANDIDATES_PER_PLACE * ranking.suite_size


# Margins of about this size, in their units, make the difference between bad and worse.
_SEVERITY_SCALE = 10.0
# The fastest flights count as at least this long: nobody flies a mission in no time.
_SHORTEST_MINUTES = 1.0 / 60.0


@dataclass(frozen=True, slots=True)
class Worth:
    """Why a test stands where it stands."""

    points_if_failing: float
    confirmation_probability: float
    simplicity: float
    minutes: float
    severity: float | None = None
    """Where requirements decide: grows as the worst margin falls."""

    @property
    def value(self) -> float:
        """Expected competition score of the test; how badly it fails, where requirements decide."""
        if self.severity is not None:
            return self.severity
        return self.points_if_failing * self.confirmation_probability * self.simplicity * 10.0 / self.minutes


@dataclass(frozen=True, slots=True)
class RankedTest:
    """A chosen test, its worth and how like it is to the tests chosen before it."""

    evaluation: Evaluation
    worth: Worth
    likeness: Likeness


def promising(evaluations: Sequence[Evaluation], accept_below_m: float) -> list[Evaluation]:
    """Evaluations whose predicted distance is below the acceptance distance, in order of number.

    Where requirements or the safe distance of a logical scenario decide, it is 1.5 m plus the worst margin: below
    1.5 m it is a failure.
    """
    found = [
        evaluation
        for evaluation in evaluations
        if evaluation.status is EvaluationStatus.VALID
        and evaluation.objective_m is not None
        and evaluation.objective_m < accept_below_m
    ]
    return sorted(found, key=lambda evaluation: evaluation.number)


def worth_of(evaluation: Evaluation, error: ModelError) -> Worth:
    """Expected points over the prediction error and the runs, simplicity 1/n^2, minutes."""
    count = max(1, len(evaluation.scenario.obstacles))
    if not evaluation.verdicts:
        return Worth(0.0, 0.0, 1.0 / count**2, math.inf)
    if evaluation.is_by_requirements or evaluation.measure != "aerialist":
        return _worth_by_margin(evaluation)
    predicted = evaluation.distribution(error)
    probability = predicted.probability_below(UNSAFE_BELOW_M)
    return Worth(
        points_if_failing=predicted.expected_points / probability if probability > 0.0 else 0.0,
        confirmation_probability=probability,
        simplicity=1.0 / count**2,
        minutes=max(predicted.mean_duration_s / 60.0, _SHORTEST_MINUTES),
    )


def _worth_by_margin(evaluation: Evaluation) -> Worth:
    """The worse the margin the better the test, whatever the competition would give for it."""
    found = evaluation.counts()
    margin, failing = evaluation.margin, found["violating"]
    if not evaluation.is_by_requirements:
        distance_m = evaluation.distance_m
        margin = None if distance_m is None else distance_m - evaluation.safe_distance_m
        failing = found["too_close"]
    margin = math.inf if margin is None else margin
    return Worth(
        points_if_failing=0.0,
        confirmation_probability=failing / found["runs"] if found["runs"] else 0.0,
        simplicity=1.0,
        minutes=max(evaluation.verdicts[0].duration_s / 60.0, _SHORTEST_MINUTES),
        # Positive and falling with the margin, so that similarity to other tests can be weighed against it.
        severity=1.0 - math.tanh(margin / _SEVERITY_SCALE),
    )


def with_best(
    suite: Sequence[RankedTest], best: Evaluation, ranking: RankingConfig, error: ModelError
) -> list[RankedTest]:
    """The suite with the test a search hands in whatever it is worth: last, unless it was chosen anyway."""
    if best.objective_m is None or any(test.evaluation.number == best.number for test in suite):
        return list(suite)
    kept = list(suite[: ranking.suite_size - 1])
    archive = Archive(ranking)
    for test in kept:
        archive.add(test.evaluation)
    return [*kept, RankedTest(best, worth_of(best, error), archive.likeness(best))]


def choose_suite(
    evaluations: Sequence[Evaluation],
    accept_below_m: float,
    ranking: RankingConfig,
    error: ModelError,
    check_stop: Callable[[], None] = lambda: None,
) -> list[RankedTest]:
    """The suite, best first: greedily the test with most value for its distance from those chosen.

    Hard tests that the value would not choose take the last places, as many as are kept for them.
    """
    worths = {
        evaluation.number: (evaluation, worth_of(evaluation, error))
        for evaluation in promising(evaluations, accept_below_m)
    }
    by_value = sorted(worths.values(), key=lambda pair: (-pair[1].value, pair[0].number))
    suite = _filled([], by_value[: candidate_count(ranking)], ranking, ranking.suite_size, check_stop)
    wanted = min(ranking.hard_places or 0, ranking.suite_size)
    hard = _hardest_first(worths.values(), error) if wanted else []
    numbers = {evaluation.number for evaluation, _ in hard}
    while hard and wanted > sum(test.evaluation.number in numbers for test in suite):
        # What is worth least makes room; a hard test is never exchanged for another one.
        ordinary = [test for test in suite if test.evaluation.number not in numbers]
        leaving = ordinary[-1:] if len(suite) == ranking.suite_size else []
        kept = [test for test in suite if test not in leaving]
        longer = _filled(kept, hard, ranking, len(kept) + 1, check_stop, by_likeness=False)
        if len(longer) == len(kept):
            break  # every other hard test is like one of the suite
        suite = longer
    return suite


def _hardest_first(
    worths: Iterable[tuple[Evaluation, Worth]], error: ModelError
) -> list[tuple[Evaluation, Worth]]:
    """Tests that are likely to come below the collision distance, the surest first."""
    found = []
    for evaluation, worth in worths:
        # Requirements and other measures know no collision distance.
        if worth.severity is None and evaluation.verdicts:
            probability = evaluation.distribution(error).probability_below(COLLISION_DISTANCE_M)
            if probability >= HARD_FROM:
                found.append((-probability, evaluation.number, evaluation, worth))
    return [(evaluation, worth) for _, _, evaluation, worth in sorted(found, key=lambda one: one[:2])]


def _filled(
    suite: Sequence[RankedTest],
    candidates: Sequence[tuple[Evaluation, Worth]],
    ranking: RankingConfig,
    size: int,
    check_stop: Callable[[], None],
    by_likeness: bool = True,
) -> list[RankedTest]:
    """The suite with candidates that are not alike: by value and likeness, or as they come."""
    archive = Archive(ranking)
    filled = list(suite)
    for test in filled:
        archive.add(test.evaluation)
    candidates = list(candidates)
    while candidates and len(filled) < size:
        check_stop()
        best: tuple[float, int] | None = None
        keep = []
        for evaluation, worth in candidates:
            likeness = archive.likeness(evaluation)
            if archive.is_alike(likeness):
                continue
            keep.append((evaluation, worth))
            score = worth.value * (1.0 - likeness.obstacle_iou) ** ranking.diversity_weight
            if best is None or (by_likeness and score > best[0]):
                best = (score, len(keep) - 1)
        if best is None:
            break
        evaluation, worth = keep.pop(best[1])
        filled.append(RankedTest(evaluation, worth, archive.likeness(evaluation)))
        archive.add(evaluation)
        candidates = keep
    return filled


def ranking_of(config: CampaignConfig) -> RankingConfig:
    """How the suite of a campaign is ranked: as its settings say, with what a registered generator asks for."""
    ranking = config.ranking
    # Reports are written of folders of other people, too: code that only a folder names is not loaded.
    if ranking.hard_places is not None or config.generator not in GENERATORS.names():
        return ranking
    wanted = int(getattr(GENERATORS.load(config.generator), "wants_hard_places", 0))
    return ranking.model_copy(update={"hard_places": wanted})
