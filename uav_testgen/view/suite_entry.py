"""One test of a suite as the report shows it: its name, its numbers, its obstacles and every flown run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from uav_testgen.assurance.suite import ExplainedTest
from uav_testgen.campaign.record import sample_indices
from uav_testgen.campaign.result import CampaignResult, SuiteTest
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.core.defaults import VEHICLE_HALF_WIDTH_M
from uav_testgen.oracle.model import Verdict
from uav_testgen.oracle.nondeterminism import Repeatability
from uav_testgen.predict.prediction import said
from uav_testgen.predict.unvalidated import unvalidated_sentence
from uav_testgen.scenario.model import Obstacle, Scenario
from uav_testgen.scenario.obstacle_name import obstacle_name
from uav_testgen.view.assured import formulas_over_time
from uav_testgen.view.fly_again import fly_again
from uav_testgen.view.held_out import held_out_of
from uav_testgen.view.repeats import confirmed_spread, flown_again_m, predicted_spread
from uav_testgen.view.summary import evidence_of
from uav_testgen.world.scene import Scene

# The page stays modest: a nominal flight in steps of a fifth of a second, repeats coarser.
_NOMINAL_PERIOD_S = 0.2
_REPEAT_PERIOD_S = 0.5


def _run_label(result: CampaignResult, repeat: int) -> str:
    evidence = evidence_of(result.config.screening.backend)
    if evidence.confirms:
        return f"{evidence.value} {repeat + 1}"
    return "nominal run" if repeat == 0 else f"drawn run {repeat}"


def suite_entry(result: CampaignResult, test: SuiteTest, explained: ExplainedTest | None) -> dict[str, Any]:
    """Everything the page shows of one test; `explained` says how it fails."""
    evaluation, worth = test.ranked.evaluation, test.ranked.worth
    verdict = evaluation.verdicts[0]
    found_by = evidence_of(result.config.screening.backend)
    searched = found_by.value
    runs = [
        _run(evaluation.scenario, run, _run_label(result, run.repeat), searched, result.config.requirements)
        for run in test.runs
        if run.flight
    ]
    check = test.confirmation
    confirms = check is not None and evidence_of(check.backend).confirms
    if check is not None:
        label = evidence_of(check.backend).value
        runs += [
            _run(evaluation.scenario, run, f"{label} {run.repeat + 1}", label, result.config.requirements)
            for run in check.runs
            if run.flight
        ]
    distances_m = [metres for metres in flown_again_m(test, confirms) if metres is not None]
    return {
        "rank": test.rank,
        "stem": test.stem,
        "title": _title(evaluation.scenario, verdict.obstacle_index, verdict.moment_s),
        "files": _files(test),
        "number": evaluation.number,
        "scenario_id": evaluation.scenario.id,
        "outcome": verdict.outcome.value,
        "sentence": verdict.sentence,
        "distance_m": evaluation.distance_m,
        "nominal_distance_m": evaluation.nominal_distance_m,
        "counts": evaluation.counts_sentence,
        "fly_again": fly_again(result.config, f"tests/{test.stem}.yaml"),
        "distance_interval": evaluation.distance_interval,
        "failure_probability": evaluation.failure_probability,
        "unvalidated": ""
        if evidence_of(result.config.screening.backend).confirms
        else unvalidated_sentence(evaluation.scenario),
        "mechanism": None if explained is None else explained.mechanism.value,
        "repeated": _spread(predicted_spread(test)),
        "repeated_confirmation": _spread(confirmed_spread(test)),
        "findings": [finding.to_json() for finding in verdict.findings],
        "margin": evaluation.margin,
        "points_if_failing": worth.points_if_failing,
        **held_out_of(test),
        "value": worth.value,
        "duration_s": verdict.duration_s,
        "nearest_iou": test.ranked.likeness.obstacle_iou,
        "confirmed": check.failed_again if check else None,
        "confirms": confirms,
        "evidence": evidence_of(check.backend).value if check else searched,
        # A check of the software says nothing about how far a real flight stays away.
        "confirmed_distances_m": distances_m if confirms else [],
        "checked_distances_m": [] if confirms else distances_m,
        "obstacles": [_obstacle(obstacle) for obstacle in evaluation.scenario.obstacles],
        "runs": runs,
    }


def _title(scenario: Scenario, nearest: int | None, moment_s: float | None) -> str:
    """What is on it and where it gets tight, for people; the number comes before it."""
    counts = Counter(obstacle.shape.value for obstacle in scenario.obstacles)
    words = [f"{count} {_many(shape, count)}" for shape, count in counts.items()]
    what = " and ".join(words) or "no obstacle"
    if nearest is None or moment_s is None:
        return what
    return f"{what}, tightest at {obstacle_name(scenario, nearest)} after {moment_s:.0f} s"


def _many(shape: str, count: int) -> str:
    if count == 1:
        return shape
    return f"{shape}es" if shape.endswith(("x", "sh")) else f"{shape}s"


def _files(test: SuiteTest) -> list[list[str]]:
    """Its files beside the report, with what is in them."""
    found = [
        [f"tests/{test.stem}.yaml", "test"],
        [f"flights/{test.stem}.json", "predicted flights"],
        [f"plots/{test.stem}.png", "picture"],
    ]
    if test.confirmation is not None:
        found.insert(2, [f"confirmed/{test.stem}.json", evidence_of(test.confirmation.backend).value])
    return found


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


def _run(
    scenario: Scenario, run: FlownRun, label: str, evidence: str, requirements: Sequence[str]
) -> dict[str, Any]:
    assert run.flight is not None and run.verdict is not None
    trajectory = run.flight.trajectory
    period_s = _NOMINAL_PERIOD_S if run.repeat == 0 else _REPEAT_PERIOD_S
    keep = sample_indices(trajectory.t_s, period_s)
    t_s, position = trajectory.t_s[keep], trajectory.position_enu_m[keep]
    return {
        "label": label,
        "backend": run.flight.backend,
        "evidence": evidence,
        "seed": str(run.flight.seed),
        "outcome": run.verdict.outcome.value,
        "sentence": said(scenario, run.verdict, run.distance_m),
        "distance_m": run.distance_m,
        "nearest": _nearest(run),
        "t": _short(t_s),
        "x": _short(position[:, 0]),
        "y": _short(position[:, 1]),
        "z": _short(position[:, 2]),
        "yaw": _short(trajectory.yaw_rad[keep]),
        "d": _short(distances_over_time(scenario, t_s, position, run.verdict, run.distance_m)),
        "formulas": formulas_over_time(requirements, scenario, run.flight),
    }


def distances_over_time(
    scenario: Scenario,
    t_s: np.ndarray,
    position_enu_m: np.ndarray,
    verdict: Verdict,
    distance_m: float | None,
) -> np.ndarray:
    """Distance to the nearest obstacle at each sample, as the run is judged; empty without obstacles.

    Charts and colours stand beside the verdict, so they show its measure: half the vehicle's width is taken off and the
    model's bias added. A scene of a logical scenario is judged by the 3-D distance, which needs neither.
    """
    if not scenario.obstacles:
        return np.empty(0)
    scene, in_plan = Scene.of(scenario), scenario.logical is None
    if all(obstacle.motion is None for obstacle in scenario.obstacles):
        found = np.asarray(scene.distances_m(position_enu_m, 0.0, horizontal=in_plan).min(axis=1))
    else:
        found = np.array(
            [
                scene.distances_m(point[None, :], float(time), horizontal=in_plan).min()
                for time, point in zip(t_s, position_enu_m, strict=True)
            ]
        )
    if not in_plan:
        return found
    flown_m = verdict.min_distance_aerialist_m
    correction_m = 0.0 if flown_m is None or distance_m is None else distance_m - flown_m
    return np.maximum(found - VEHICLE_HALF_WIDTH_M + correction_m, 0.0)


def _nearest(run: FlownRun) -> dict[str, float] | None:
    assert run.flight is not None and run.verdict is not None
    moment_s = run.verdict.moment_s
    if moment_s is None:
        return None
    trajectory = run.flight.trajectory
    at = [float(np.interp(moment_s, trajectory.t_s, trajectory.position_enu_m[:, axis])) for axis in range(3)]
    return {"t": round(moment_s, 2), "x": round(at[0], 2), "y": round(at[1], 2), "z": round(at[2], 2)}


def _short(values: np.ndarray) -> list[float]:
    rounded: list[float] = np.round(values, 2).tolist()
    return rounded
