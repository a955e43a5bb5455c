"""Flights and predictions as the page draws them, in the form the report's components read."""

from __future__ import annotations

from typing import Any

import numpy as np

from uav_testgen.campaign.record import sample_indices
from uav_testgen.oracle.judging import limits_of
from uav_testgen.oracle.model import Outcome
from uav_testgen.predict.prediction import PredictedRun, Prediction, said
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.studio.requirements import findings_json
from uav_testgen.view.suite_entry import distances_over_time

NOMINAL_PERIOD_S = 0.2
GHOST_PERIOD_S = 0.5


def path_json(
    scenario: Scenario, run: PredictedRun, requirements: tuple[str, ...] = (), is_unfinished: bool = False
) -> dict[str, Any]:
    """One flown run: its path with everything the charts show, and what was judged.

    An unfinished run is a preview: it is shown as far as it came and not judged as a whole.
    """
    nominal = run.number == 0
    trajectory, verdict = run.flight.trajectory, run.verdict
    keep = sample_indices(trajectory.t_s, NOMINAL_PERIOD_S if nominal else GHOST_PERIOD_S)
    t_s, position = trajectory.t_s[keep], trajectory.position_enu_m[keep]
    data: dict[str, Any] = {
        "run": run.number,
        "label": "nominal run" if nominal else f"drawn run {run.number}",
        "outcome": outcome_of(scenario, run).value,
        "sentence": said(scenario, verdict, run.distance_m),
        "distance_m": run.distance_m,
        "ending": verdict.ending.value,
        "duration_s": verdict.duration_s,
        "nearest": nearest_json(run),
        "t": _short(t_s),
        "x": _short(position[:, 0]),
        "y": _short(position[:, 1]),
        "z": _short(position[:, 2]),
        "requirements": [] if is_unfinished else judged_json(scenario, run, requirements),
    }
    if nominal:
        speed = np.linalg.norm(trajectory.velocity_enu_mps[keep], axis=1)
        tilt = np.zeros(len(keep))
        if trajectory.roll_rad is not None and trajectory.pitch_rad is not None:
            roll, pitch = trajectory.roll_rad[keep], trajectory.pitch_rad[keep]
            tilt = np.degrees(np.arccos(np.clip(np.cos(roll) * np.cos(pitch), -1.0, 1.0)))
        data |= {
            "yaw": _short(trajectory.yaw_rad[keep]),
            "d": _short(distances_over_time(scenario, t_s, position, verdict, run.distance_m)),
            "speed": _short(speed),
            "tilt": _short(tilt),
        }
    if is_unfinished:
        so_far = f"Still flying after {t_s[-1]:.0f} s of simulated time; let go to fly it to its end."
        data |= {"outcome": "unfinished", "ending": "unfinished", "sentence": so_far}
    return data


def outcome_of(scenario: Scenario, run: PredictedRun) -> Outcome:
    """By the corrected distance, as everything else on the page; a collision stays one."""
    verdict, distance_m = run.verdict, run.distance_m
    if verdict.outcome not in (Outcome.PASS, Outcome.SOFT_FAIL) or distance_m is None:
        return verdict.outcome
    if distance_m < limits_of(scenario).safe_distance_m:
        return Outcome.SOFT_FAIL
    return Outcome.PASS if verdict.completed else Outcome.INCOMPLETE


def nearest_json(run: PredictedRun) -> dict[str, float] | None:
    """Where and when the run came closest."""
    moment_s = run.verdict.moment_s
    if moment_s is None:
        return None
    trajectory = run.flight.trajectory
    at = [float(np.interp(moment_s, trajectory.t_s, trajectory.position_enu_m[:, axis])) for axis in range(3)]
    return {"t": round(moment_s, 2), "x": round(at[0], 2), "y": round(at[1], 2), "z": round(at[2], 2)}


def judged_json(scenario: Scenario, run: PredictedRun, requirements: tuple[str, ...]) -> list[dict[str, Any]]:
    """Distance and completion, then the requirements that were asked for: met is true, false or null (cannot be told).

    The distance is the corrected one, as everywhere else on the page.
    """
    verdict, distance_m = run.verdict, run.distance_m
    unknown = verdict.outcome is Outcome.INCONCLUSIVE
    touched = verdict.outcome is Outcome.HARD_FAIL
    limits = limits_of(scenario)
    far = distance_m is None or distance_m >= limits.safe_distance_m
    shown = "no obstacle" if distance_m is None else f"{distance_m:.2f} m"
    lasted = f"{verdict.duration_s:.0f} s"
    ending = f"in {lasted}" if verdict.completed else f"{verdict.ending.value.replace('_', ' ')}, {lasted}"
    return [
        {
            "text": f"keeps {limits.safe_distance_m:g} m from every obstacle",
            "met": None if unknown else far and not touched,
            "value": shown,
        },
        {
            "text": f"never comes below {limits.collision_distance_m:g} m",
            "met": None if unknown else not touched,
            "value": shown,
        },
        {"text": "completes the mission", "met": None if unknown else verdict.completed, "value": ending},
        *findings_json(scenario, run.flight, requirements),
    ]


def prediction_json(prediction: Prediction) -> dict[str, Any]:
    """The prediction as every door gives it, without the paths."""
    return {**prediction.to_json(), "incomplete": prediction.incomplete, "too_close": prediction.too_close}


def _short(values: np.ndarray) -> list[float]:
    rounded: list[float] = np.round(values, 2).tolist()
    return rounded
