"""Flights and predictions as the page draws them, in the form the report's components read."""

from __future__ import annotations

from typing import Any

import numpy as np

from uav_testgen.campaign.record import sample_indices
from uav_testgen.core.defaults import COLLISION_DISTANCE_M, SAFE_DISTANCE_M
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.predict.prediction import PredictedRun, Prediction
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.suite_entry import distances_over_time

NOMINAL_PERIOD_S = 0.2
GHOST_PERIOD_S = 0.5


def path_json(scenario: Scenario, run: PredictedRun, is_unfinished: bool = False) -> dict[str, Any]:
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
        "prediction": True,
        "outcome": verdict.outcome.value,
        "sentence": verdict.sentence,
        "distance_m": run.distance_m,
        "ending": verdict.ending.value,
        "duration_s": verdict.duration_s,
        "nearest": nearest_json(run),
        "t": _short(t_s),
        "x": _short(position[:, 0]),
        "y": _short(position[:, 1]),
        "z": _short(position[:, 2]),
    }
    if nominal:
        speed = np.linalg.norm(trajectory.velocity_enu_mps[keep], axis=1)
        tilt = np.zeros(len(keep))
        if trajectory.roll_rad is not None and trajectory.pitch_rad is not None:
            roll, pitch = trajectory.roll_rad[keep], trajectory.pitch_rad[keep]
            tilt = np.degrees(np.arccos(np.clip(np.cos(roll) * np.cos(pitch), -1.0, 1.0)))
        data |= {
            "yaw": _short(trajectory.yaw_rad[keep]),
            "d": _short(distances_over_time(scenario, t_s, position)),
            "speed": _short(speed),
            "tilt": _short(tilt),
            "requirements": requirements_json(verdict),
        }
    if is_unfinished:
        so_far = f"Still flying after {t_s[-1]:.0f} s of simulated time; let go to fly it to its end."
        data |= {"outcome": "unfinished", "ending": "unfinished", "sentence": so_far, "requirements": []}
    return data


def nearest_json(run: PredictedRun) -> dict[str, float] | None:
    """Where and when the run came closest."""
    moment_s = run.verdict.moment_s
    if moment_s is None:
        return None
    trajectory = run.flight.trajectory
    at = [float(np.interp(moment_s, trajectory.t_s, trajectory.position_enu_m[:, axis])) for axis in range(3)]
    return {"t": round(moment_s, 2), "x": round(at[0], 2), "y": round(at[1], 2), "z": round(at[2], 2)}


def requirements_json(verdict: Verdict) -> list[dict[str, Any]]:
    """Every requirement with its verdict on the nominal run: met is true, false or null (cannot be told)."""
    unknown = verdict.outcome is Outcome.INCONCLUSIVE
    distance_m = verdict.min_distance_aerialist_m
    safe = None if unknown else verdict.outcome not in (Outcome.SOFT_FAIL, Outcome.HARD_FAIL)
    whole = None if unknown else verdict.outcome is not Outcome.HARD_FAIL
    shown = "no obstacle" if distance_m is None else f"{distance_m:.2f} m"
    return [
        {"text": f"keeps {SAFE_DISTANCE_M:g} m from every obstacle", "met": safe, "value": shown},
        {"text": f"never comes below {COLLISION_DISTANCE_M:g} m", "met": whole, "value": shown},
        {
            "text": "completes the mission",
            "met": None if unknown else verdict.completed,
            "value": f"{verdict.ending.value.replace('_', ' ')}, {verdict.duration_s:.0f} s",
        },
    ]


def prediction_json(prediction: Prediction) -> dict[str, Any]:
    """The prediction as every door gives it, without the paths."""
    return {**prediction.to_json(), "incomplete": prediction.incomplete, "too_close": prediction.too_close}


def _short(values: np.ndarray) -> list[float]:
    rounded: list[float] = np.round(values, 2).tolist()
    return rounded
