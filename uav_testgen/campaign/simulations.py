"""Every simulation of a campaign as files: the test as YAML and its result as JSON.

Written from the store, so that a resumed campaign leaves the same files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.search import KIND, read_back
from uav_testgen.core.files import write_text
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.work.store import Store

FOLDER = "simulations"


def write_simulations(out: Path, case: CaseStudy, store: Store, check_stop: Callable[[], None]) -> int:
    """YAML and JSON of each evaluation that was flown, or that could not be; returns how many."""
    folder = out / FOLDER
    case.write_beside(folder)
    count = 0
    for record in store.read():
        if record.kind != KIND:
            continue
        check_stop()
        evaluation = read_back(record.body, str(store.path))
        if evaluation.status is EvaluationStatus.INVALID_SCENARIO:
            # Refused before any simulation.
            continue
        stem = f"{evaluation.number:06d}-{evaluation.scenario.id}"
        case.write_test(folder / f"{stem}.yaml", evaluation.scenario)
        text = json.dumps(result_to_json(evaluation, f"{stem}.yaml"), allow_nan=False)
        write_text(folder / f"{stem}.json", text + "\n")
        count += 1
    return count


def result_to_json(evaluation: Evaluation, test_file: str) -> dict[str, Any]:
    """Minimum distance, duration and the flown path with its times; or why there is none."""
    verdict, trajectory = evaluation.verdict, evaluation.trajectory
    return {
        "test": test_file,
        "number": evaluation.number,
        "scenario_id": evaluation.scenario.id,
        "status": evaluation.status.value,
        "message": evaluation.message,
        "distance_m": evaluation.distance_m,
        "duration_s": None if verdict is None else verdict.duration_s,
        "outcome": None if verdict is None else verdict.outcome.value,
        "failure_probability": evaluation.failure_probability,
        "path": None
        if trajectory is None
        else {
            "t_s": [round(float(t_s), 3) for t_s in trajectory.t_s],
            "position_enu_m": [
                [round(float(value), 4) for value in point] for point in trajectory.position_enu_m
            ],
        },
    }
