"""What the report page shows, as plain JSON data: rounded, thinned out, nothing but facts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from uav_testgen.backend.registry import BACKENDS
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.record import sample_indices
from uav_testgen.campaign.runner import CampaignResult, SuiteTest
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.oracle.competition import diversity
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.nondeterminism import Repeatability
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Obstacle, Scenario
from uav_testgen.view.fly_again import fly_again
from uav_testgen.view.generations import page_part
from uav_testgen.view.repeats import confirmed_spread, predicted_spread
from uav_testgen.view.suite import overlap_matrix
from uav_testgen.view.summary import agreement_of, command_to_repeat, evidence_of, summary_sentence
from uav_testgen.work.versions import host_facts
from uav_testgen.world.scene import Scene

# The page stays modest: a nominal flight in steps of a fifth of a second, repeats coarser.
_NOMINAL_PERIOD_S = 0.2
_REPEAT_PERIOD_S = 0.5
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
    return {
        "lede": summary_sentence(result),
        "tiles": _tiles(result, measured),
        "notes": [*(agreement.sentences() if agreement else []), *result.notes],
        "tests": [_test(result, test) for test in suite],
        "route": [list(point) for point in result.case.base.mission.route_enu_m],
        "arena": [arena.east_min_m, arena.north_min_m, arena.east_max_m, arena.north_max_m],
        "soft_below_m": limits.safe_distance_m,
        "hard_below_m": limits.collision_distance_m,
        "progress": _progress(result.evaluations, result.config.screening.accept_below_m),
        "generations": page_part(result),
        "overlap": [[round(value, 3) for value in row] for row in overlap],
        "diversity_text": _diversity_text(measured, len(suite)),
        "command": command_to_repeat(result.config),
        "settings": _flat(result.config.model_dump(mode="json")),
        "versions": [*result.versions.items(), *host_facts().items()],
        "legend": _legend(result.config),
    }


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


def _run_label(result: CampaignResult, repeat: int) -> str:
    evidence = evidence_of(result.config.screening.backend)
    if evidence.confirms:
        return f"{evidence.value} {repeat + 1}"
    return "nominal run" if repeat == 0 else f"drawn run {repeat}"


def _test(result: CampaignResult, test: SuiteTest) -> dict[str, Any]:
    evaluation, worth = test.ranked.evaluation, test.ranked.worth
    verdict = evaluation.verdicts[0]
    runs = [
        _run(evaluation.scenario, run, _run_label(result, run.repeat), True)
        for run in test.runs
        if run.flight
    ]
    if test.confirmation is not None:
        label = evidence_of(test.confirmation.backend).value
        runs += [
            _run(evaluation.scenario, run, f"{label} {run.repeat + 1}", False)
            for run in test.confirmation.runs
            if run.flight
        ]
    return {
        "rank": test.rank,
        "stem": test.stem,
        "number": evaluation.number,
        "scenario_id": evaluation.scenario.id,
        "outcome": verdict.outcome.value,
        "sentence": verdict.sentence,
        "distance_m": evaluation.distance_m,
        "nominal_distance_m": evaluation.nominal_distance_m,
        "counts": evaluation.counts_sentence,
        "fly_again": fly_again(result.config, f"tests/{test.stem}.yaml"),
        "failure_probability": evaluation.failure_probability,
        "repeated": _spread(predicted_spread(test)),
        "repeated_confirmation": _spread(confirmed_spread(test)),
        "findings": [finding.to_json() for finding in verdict.findings],
        "margin": evaluation.margin,
        "points_if_failing": worth.points_if_failing,
        "value": worth.value,
        "duration_s": verdict.duration_s,
        "nearest_iou": test.ranked.likeness.obstacle_iou,
        "confirmed": test.confirmation.failed_again if test.confirmation else None,
        "confirms": test.confirmation is not None and evidence_of(test.confirmation.backend).confirms,
        "evidence": evidence_of(
            test.confirmation.backend if test.confirmation else result.config.screening.backend
        ).value,
        "confirmed_by": test.confirmation.backend if test.confirmation else None,
        "confirmed_distances_m": [
            run.verdict.min_distance_aerialist_m
            for run in (test.confirmation.runs if test.confirmation else ())
            if run.verdict is not None and run.verdict.min_distance_aerialist_m is not None
        ],
        "obstacles": [_obstacle(obstacle) for obstacle in evaluation.scenario.obstacles],
        "runs": runs,
    }


def _spread(found: Repeatability | None) -> dict[str, Any] | None:
    if found is None:
        return None
    counts = {"failures": found.failures, "runs": found.conclusive_runs}
    return {**counts, "flaky": found.flaky, "sentence": found.sentence}


def _obstacle(obstacle: Obstacle) -> dict[str, Any]:
    motion = obstacle.motion
    return {
        "shape": obstacle.shape.value,
        "center": list(obstacle.center_enu_m),
        "size": list(obstacle.size_m),
        "yaw": obstacle.yaw_rad,
        "triangles": obstacle.triangles,
        "name": obstacle.name,
        "motion": None
        if motion is None
        else {
            "via": [list(corner) for corner in motion.via_enu_m],
            "to": list(motion.to_enu_m),
            "speed": motion.speed_mps,
            "start": motion.start_s,
            "mode": motion.mode.value,
        },
    }


def _run(scenario: Scenario, run: FlownRun, label: str, prediction: bool) -> dict[str, Any]:
    assert run.flight is not None and run.verdict is not None
    trajectory = run.flight.trajectory
    period_s = _NOMINAL_PERIOD_S if run.repeat == 0 else _REPEAT_PERIOD_S
    keep = sample_indices(trajectory.t_s, period_s)
    t_s, position = trajectory.t_s[keep], trajectory.position_enu_m[keep]
    return {
        "label": label,
        "backend": run.flight.backend,
        "prediction": prediction,
        "seed": str(run.flight.seed),
        "outcome": run.verdict.outcome.value,
        "sentence": run.verdict.sentence,
        "distance_m": run.distance_m,
        "nearest": _nearest(run),
        "t": _short(t_s),
        "x": _short(position[:, 0]),
        "y": _short(position[:, 1]),
        "z": _short(position[:, 2]),
        "yaw": _short(trajectory.yaw_rad[keep]),
        "d": _short(distances_over_time(scenario, t_s, position)),
    }


def distances_over_time(scenario: Scenario, t_s: np.ndarray, position_enu_m: np.ndarray) -> np.ndarray:
    """Horizontal distance to the nearest obstacle at each sample; empty without obstacles."""
    if not scenario.obstacles:
        return np.empty(0)
    scene = Scene.of(scenario)
    if all(obstacle.motion is None for obstacle in scenario.obstacles):
        return np.asarray(scene.distances_m(position_enu_m, 0.0, horizontal=True).min(axis=1))
    return np.array(
        [
            scene.distances_m(point[None, :], float(time), horizontal=True).min()
            for time, point in zip(t_s, position_enu_m, strict=True)
        ]
    )


def _nearest(run: FlownRun) -> dict[str, float] | None:
    assert run.flight is not None and run.verdict is not None
    moment_s = run.verdict.moment_s
    if moment_s is None:
        return None
    trajectory = run.flight.trajectory
    at = [float(np.interp(moment_s, trajectory.t_s, trajectory.position_enu_m[:, axis])) for axis in range(3)]
    return {"t": round(moment_s, 2), "x": round(at[0], 2), "y": round(at[1], 2), "z": round(at[2], 2)}


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


def _short(values: np.ndarray) -> list[float]:
    rounded: list[float] = np.round(values, 2).tolist()
    return rounded
