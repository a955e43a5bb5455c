"""What a gallery says about a scene, and whether a prediction of it still shows that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.oracle.model import Outcome
from uav_testgen.predict.prediction import Prediction


def figures_of(prediction: Prediction, recorded_enu_m: FloatArray | None = None) -> dict[str, Any]:
    """The figures that bounds can be given for."""
    outcomes = [run.verdict.outcome for run in prediction.runs]
    distances_m = [run.distance_m for run in prediction.runs if run.distance_m is not None]
    nominal = prediction.nominal.flight.trajectory.position_enu_m
    paths = [run.flight.trajectory.position_enu_m for run in prediction.runs]
    found: dict[str, Any] = {
        "nominal": prediction.nominal.verdict.outcome.value,
        "collides": outcomes.count(Outcome.HARD_FAIL),
        "too_close": sum(distance_m < prediction.safe_distance_m for distance_m in distances_m),
        "incomplete": outcomes.count(Outcome.INCOMPLETE),
        "paths_apart_m": max((farthest_m(path, nominal) for path in paths), default=0.0),
    }
    if recorded_enu_m is not None:
        found["off_recorded_m"] = farthest_m(recorded_enu_m, nominal)
    return found


def farthest_m(path: FloatArray, other: FloatArray) -> float:
    """How far a path strays from another one in plan view, at most [m]."""
    from scipy.spatial import cKDTree  # a tenth of a second, for the gallery only

    # Not from every sample to every other: flights of fifteen minutes have nine thousand each.
    beside_m, _ = cKDTree(other[:, :2]).query(path[:, :2])
    return float(np.max(beside_m))


def not_shown(figures: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """A sentence for each figure that is not as wanted; a list of two numbers is a range."""
    wrong = []
    for name, bound in wanted.items():
        value = figures[name]
        fits = bound[0] <= value <= bound[1] if isinstance(bound, list) else value == bound
        if not fits:
            wrong.append(f"{name} is {value}, wanted {bound}")
    return wrong
