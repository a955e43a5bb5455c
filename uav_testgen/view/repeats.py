"""How repeatable the tests of a suite are: by their predicted runs, and by their confirming flights."""

from __future__ import annotations

from collections.abc import Sequence

from uav_testgen.campaign.result import SuiteTest
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.oracle.model import Verdict
from uav_testgen.oracle.nondeterminism import Repeatability, repeatability


def predicted_spread(test: SuiteTest) -> Repeatability | None:
    """Over the drawn runs of the prediction; None for a test that has fewer than two.

    The store has all verdicts but only the nominal path; the paths are those of the flights flown again.
    """
    evaluation = test.ranked.evaluation
    drawn = [run for run in test.runs if run.repeat > 0]
    return _spread(evaluation.verdicts[1:], drawn, evaluation.distances_m[1:], evaluation.safe_distance_m)


def confirmed_spread(test: SuiteTest) -> Repeatability | None:
    """Over the confirming flights; None where fewer than two were flown."""
    runs = test.confirmation.runs if test.confirmation is not None else ()
    return _spread([run.verdict for run in runs if run.verdict is not None], runs)


def flown_again_m(test: SuiteTest, confirms: bool) -> list[float | None]:
    """How near each flight of the other backend came.

    As flown where it confirms; a check flies the same simulator, so its distance is corrected like the prediction's.
    """
    check = test.confirmation
    if check is None:
        return []
    flown_m = [run.verdict.min_distance_aerialist_m if run.verdict else None for run in check.runs]
    if confirms:
        return flown_m
    return [
        raw_m if run.distance_m is None else run.distance_m
        for run, raw_m in zip(check.runs, flown_m, strict=True)
    ]


def _spread(
    verdicts: Sequence[Verdict],
    runs: Sequence[FlownRun],
    distances_m: Sequence[float | None] | None = None,
    safe_distance_m: float = SAFE_DISTANCE_M,
) -> Repeatability | None:
    if len(verdicts) < 2:
        return None
    paths = [run.flight.trajectory for run in runs if run.flight is not None]
    return repeatability(verdicts, paths, distances_m, safe_distance_m)
