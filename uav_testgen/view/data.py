"""What the report page shows, as plain JSON data: rounded, thinned out, nothing but facts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from uav_testgen.backend.registry import BACKENDS
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.result import CampaignResult
from uav_testgen.oracle.competition import diversity
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.view.assured import explained_suite, mechanisms
from uav_testgen.view.generations import page_part
from uav_testgen.view.suite import overlap_matrix
from uav_testgen.view.suite_entry import suite_entry
from uav_testgen.view.summary import agreement_of, command_to_repeat, evidence_of, summary_sentence
from uav_testgen.work.versions import host_facts

_MAX_PROGRESS_POINTS = 3000
_LEGEND = (
    "A prediction is a flight of the low-fidelity simulator. It counts as confirmed or refuted only where the test "
    "was flown on PX4 or in PX4 + Gazebo. Distances are Aerialist's (0.5 s averages, half the vehicle's width "
    "subtracted), corrected for the model's bias; the nominal run is the undisturbed flight."
)


def page_data(result: CampaignResult) -> dict[str, Any]:
    """Everything the page needs."""
    limits = OracleConfig()
    suite = result.suite
    scenarios = [test.ranked.evaluation.scenario for test in suite]
    overlap = overlap_matrix(scenarios)
    measured = diversity([scenario.obstacles for scenario in scenarios])
    arena = result.config.arena
    agreement = agreement_of(result)
    explained = explained_suite(result)
    return {
        "lede": summary_sentence(result),
        "tiles": _tiles(result, measured),
        "notes": [*(agreement.sentences() if agreement else []), *result.notes],
        "tests": [suite_entry(result, test, one) for test, one in zip(suite, explained, strict=True)],
        "mechanisms": mechanisms(explained),
        "route": [list(point) for point in result.case.base.mission.route_enu_m],
        "arena": [arena.east_min_m, arena.north_min_m, arena.east_max_m, arena.north_max_m],
        "soft_below_m": limits.safe_distance_m,
        "hard_below_m": limits.collision_distance_m,
        "progress": _progress(result.evaluations, result.config.screening.accept_below_m),
        "generations": page_part(result),
        "overlap": [[round(value, 3) for value in row] for row in overlap],
        "diversity_text": _diversity_text(measured, len(suite)),
        "downloads": _downloads(result),
        "command": command_to_repeat(result.config),
        "settings": _flat(result.config.model_dump(mode="json")),
        "versions": [*result.versions.items(), *host_facts().items()],
        "legend": _legend(result.config),
    }


def _downloads(result: CampaignResult) -> list[list[str]]:
    """Files beside the report, with what is in them."""
    found = [
        ["evaluations.csv", "every evaluated scene"],
        ["summary.json", "all numbers of this page"],
        ["junit.xml", "the tests for a CI server"],
        ["campaign.yaml", "the settings"],
    ]
    if result.generator_report is not None and result.generator_report.speaks_of_generations:
        found.append(["generations.csv", "the generations of the search"])
    if result.flights is not None:
        found.append(["flown.csv", "all that was flown again"])
    return found


def _legend(config: CampaignConfig) -> str:
    """What prediction and confirmation mean here; a confirming simulator is called one."""
    confirming_backend = config.confirmation.backend
    if config.requirements:
        return (
            "A test fails if it violates a requirement. Curves over the search show 1.5 plus the worst margin of the "
            f"requirements: below 1.5 one of them is violated. {_LEGEND}"
        )
    if confirming_backend == "none" or not BACKENDS.load(confirming_backend).capabilities.prediction:
        return _LEGEND
    return f"{_LEGEND} Checks over ROS topics fly the same simulator: they test the software, not the prediction."


def _tiles(result: CampaignResult, measured: float | None) -> list[list[Any]]:
    progress = result.progress
    checks = [test.confirmation for test in result.suite if test.confirmation is not None]
    confirmed = [check.failed_again for check in checks]
    word = "flown" if evidence_of(result.config.screening.backend).confirms else "predicted"
    tiles: list[list[Any]] = [
        [f"{progress.evaluated:,}", "scenarios evaluated", False],
        [f"{progress.flights:,}", f"{word} flights" if word == "predicted" else word, False],
        [f"{progress.failures:,}", _failing(result, word), True],
        [f"{len(result.suite)}", "tests in the suite", False],
        ["–" if progress.best_m is None else f"{progress.best_m:.2f} m", f"smallest {word} distance", True],
    ]
    if checks and evidence_of(checks[0].backend).confirms:
        failed = sum(value is True for value in confirmed)
        tiles.append([f"{failed} of {len(confirmed)}", f"failed again, {checks[0].backend}", True])
    elif checks:
        tiles.append([f"{len(checks)}", "checked over ROS topics", False])
    if measured is not None:
        tiles.append([f"{measured:.2f}", "diversity of the suite", False])
    return tiles


def _failing(result: CampaignResult, word: str) -> str:
    if result.config.requirements:
        return f"{word} to violate a requirement" if word == "predicted" else "violated a requirement"
    return f"{word} below {result.config.screening.accept_below_m:g} m"


def _progress(evaluations: Sequence[Evaluation], accept_below_m: float) -> dict[str, Any]:
    """Best distance and failures over the search; thinned where there are very many evaluations."""
    numbers, distances, failures, best = [], [], [], []
    count, least = 0, math.inf
    every = max(1, math.ceil(len(evaluations) / _MAX_PROGRESS_POINTS))
    for index, evaluation in enumerate(evaluations):
        distance_m = evaluation.objective_m
        failing = distance_m is not None and distance_m < accept_below_m
        improved = distance_m is not None and distance_m < least
        if distance_m is not None:
            least = min(least, distance_m)
        count += failing
        if index % every == 0 or improved or index == len(evaluations) - 1:
            numbers.append(evaluation.number)
            distances.append(None if distance_m is None else round(distance_m, 3))
            failures.append(count)
            best.append(None if math.isinf(least) else round(least, 3))
    return {"numbers": numbers, "distances": distances, "failures": failures, "best": best}


def _diversity_text(measured: float | None, count: int) -> str:
    if measured is None:
        return "Diversity needs at least two tests."
    return (
        f"{measured:.3f} over {count} tests: one minus the mean overlap (intersection over union) of the "
        "obstacle areas of two tests, the competition's measure of 2025."
    )


def _flat(settings: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for key, value in settings.items():
        if isinstance(value, dict) and value:
            rows += _flat(value, f"{prefix}{key}.")
        else:
            rows.append((f"{prefix}{key}", "–" if value in (None, {}) else str(value)))
    return rows
