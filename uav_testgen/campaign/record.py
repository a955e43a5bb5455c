"""Evaluations as plain JSON, with trajectories in a compact form.

The generator is always told the evaluation as it was read back from this form, also while the
campaign runs, so a resumed search sees exactly what the uninterrupted one saw.
"""

from __future__ import annotations

import base64
import math
import zlib
from dataclasses import fields
from typing import Any

import numpy as np

from uav_testgen.flight.model import Trajectory
from uav_testgen.oracle.model import Verdict
from uav_testgen.predict.conformal import DistanceInterval
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.model import Scenario

PLANNERS = "planners"
"""Among the details: what each planner did, where several flew the same scene."""
_COLUMNS = 8
# A record is read back from a file: what it unpacks to is bounded before memory is spent on it.
_MAX_UNPACKED_BYTES = 64 * 1024 * 1024

_MEASURED = tuple(field.name for field in fields(Verdict) if field.name.endswith(("_m", "_s")))
"""Numbers of a verdict; looked up once, a campaign has millions of verdicts."""


def pack_trajectory(trajectory: Trajectory, period_s: float) -> str:
    """Samples at least `period_s` apart (0 keeps all), as compressed float32 columns in base64."""
    keep = sample_indices(trajectory.t_s, period_s)
    table = np.column_stack(
        [
            trajectory.t_s[keep],
            trajectory.position_enu_m[keep],
            trajectory.velocity_enu_mps[keep],
            trajectory.yaw_rad[keep],
        ]
    ).astype("<f4")
    # Column by column: neighbouring bytes are alike, so it compresses better.
    return base64.b64encode(zlib.compress(np.ascontiguousarray(table.T).tobytes(), 6)).decode()


def unpack_trajectory(text: str) -> Trajectory:
    """Inverse of `pack_trajectory`, as float64."""
    inflater = zlib.decompressobj()
    raw = inflater.decompress(base64.b64decode(text, validate=True), _MAX_UNPACKED_BYTES)
    if inflater.unconsumed_tail:
        raise ValueError("a packed trajectory is larger than any flight")
    columns = np.frombuffer(raw, dtype="<f4").reshape(_COLUMNS, -1).astype(np.float64)
    if not np.isfinite(columns).all():
        raise ValueError("a packed trajectory holds values that are not finite")
    return Trajectory(columns[0], columns[1:4].T, columns[4:7].T, columns[7])


def sample_indices(t_s: np.ndarray, period_s: float) -> np.ndarray:
    """Indices of samples at least a period apart, the first and the last always among them."""
    if len(t_s) < 3 or period_s <= 0.0:
        return np.arange(len(t_s))
    slot = np.floor((t_s - t_s[0]) / period_s + 1e-6).astype(np.int64)
    first_of_slot = np.flatnonzero(np.diff(slot, prepend=-1) > 0)
    last = len(t_s) - 1
    return first_of_slot if first_of_slot[-1] == last else np.append(first_of_slot, last)


def evaluation_to_body(evaluation: Evaluation, period_s: float) -> dict[str, Any]:
    """Plain JSON of an evaluation."""
    packed = None
    if evaluation.trajectory is not None:
        packed = pack_trajectory(evaluation.trajectory, period_s)
    return {
        "number": evaluation.number,
        "scenario": evaluation.scenario.model_dump(mode="json", exclude_defaults=True),
        "scenario_id": evaluation.scenario.id,
        "status": evaluation.status.value,
        "verdicts": [verdict.to_json() for verdict in evaluation.verdicts],
        "distances_m": list(evaluation.distances_m),
        "distance_m": evaluation.distance_m,
        "failure_probability": evaluation.failure_probability,
        **({} if evaluation.margin is None else {"margin": evaluation.margin}),
        **({} if evaluation.expected_points is None else {"expected_points": evaluation.expected_points}),
        "trajectory": packed,
        "message": evaluation.message,
        "details": evaluation.details,
    }


def number_of(body: dict[str, Any]) -> int:
    """The number of a stored evaluation; ValueError where it is none."""
    number = body["number"]
    if type(number) is not int or number < 0:
        raise ValueError(f"number is {str(number)[:40]!r}, a whole number from 0 is expected")
    return number


def verdict_from_body(data: dict[str, Any]) -> Verdict:
    """A stored verdict whose values are what they should be; ValueError or TypeError where not."""
    verdict = Verdict.from_json(data)
    index = verdict.obstacle_index
    if index is not None and (type(index) is not int or index < 0):
        raise ValueError(f"obstacle_index is {str(index)[:40]!r}")
    for name in _MEASURED:
        _finite_or_none(getattr(verdict, name), name)
    if not isinstance(verdict.completed, bool) or not isinstance(verdict.sentence, str):
        raise TypeError("a verdict has values of another kind")
    if verdict.duration_s is None:
        raise ValueError("duration_s is missing")
    return verdict


def _details_from_body(data: dict[str, Any]) -> dict[str, Any]:
    """What is counted, added up or shown later is checked now; the rest is text for people."""
    details = dict(data)
    for name in ("flights", "seed"):
        if type(details.get(name, 0)) is not int or details.get(name, 0) < 0:
            raise ValueError(
                f"details.{name} is {str(details[name])[:40]!r}, a whole number from 0 is expected"
            )
    for name in ("cpu_s", "wall_s"):
        _finite(details.get(name, 0.0), f"details.{name}")
    for name in ("fitness", "dtw", "frechet"):
        _finite_or_none(details.get(name), f"details.{name}")
    if (interval := details.get("distance_interval")) is not None:
        details["distance_interval"] = DistanceInterval.from_json(interval).to_json()
    for planner, facts in dict(details.get(PLANNERS, {})).items():
        for name in ("objective_m", "distance_m", "margin", "duration_s"):
            _finite_or_none(facts[name], f"details.{PLANNERS}.{planner}.{name}")
    return details


def _finite(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{name} is {str(value)[:40]!r}, a finite number is expected")
    return value


def _finite_or_none(value: Any, name: str) -> float | None:
    return None if value is None else _finite(value, name)


def evaluation_from_body(body: dict[str, Any]) -> Evaluation:
    """Inverse of `evaluation_to_body`."""
    scenario = Scenario.model_validate(body["scenario"])
    if scenario.id != body["scenario_id"]:
        raise ValueError(
            f"evaluation {body['number']} was stored with scenario id {body['scenario_id']} but now reads as "
            f"{scenario.id}: it was written by an incompatible version"
        )
    details = _details_from_body(body["details"])
    if len(body["distances_m"]) != len(body["verdicts"]):
        raise ValueError(f"{len(body['verdicts'])} verdicts, but {len(body['distances_m'])} distances")
    return Evaluation(
        number=number_of(body),
        scenario=scenario,
        status=EvaluationStatus(body["status"]),
        verdicts=tuple(verdict_from_body(verdict) for verdict in body["verdicts"]),
        distances_m=tuple(_finite_or_none(value, "distances_m") for value in body["distances_m"]),
        distance_m=_finite_or_none(body["distance_m"], "distance_m"),
        failure_probability=_finite_or_none(body["failure_probability"], "failure_probability"),
        margin=_finite_or_none(body.get("margin"), "margin"),
        expected_points=_finite_or_none(body.get("expected_points"), "expected_points"),
        trajectory=unpack_trajectory(body["trajectory"]) if body["trajectory"] else None,
        message=str(body["message"]),
        details=details,
    )
