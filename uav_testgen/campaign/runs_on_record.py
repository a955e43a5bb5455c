"""Single flights as records of a store: what was flown, what came of it, or why there is nothing."""

from __future__ import annotations

from typing import Any

from uav_testgen.campaign.record import verdict_from_body
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.flight.json_io import flight_from_json, flight_to_json
from uav_testgen.flight.model import Ending
from uav_testgen.oracle.model import Outcome


def is_answer(run: FlownRun) -> bool:
    """A flight that was broken off before it came too near says nothing about the test."""
    if run.flight is None or run.verdict is None:
        return False
    broken_off = run.flight.ending in (Ending.ABORTED, Ending.OFFBOARD_LOST)
    return run.verdict.failed or not (broken_off or run.verdict.outcome is Outcome.INCONCLUSIVE)


def to_body(run: FlownRun, backend: str) -> dict[str, Any]:
    """Plain JSON of a flight."""
    return {
        "evaluation": run.evaluation_number,
        "repeat": run.repeat,
        "backend": backend,
        "flight": flight_to_json(run.flight) if run.flight is not None else None,
        "verdict": run.verdict.to_json() if run.verdict is not None else None,
        "distance_m": run.distance_m,
        "message": run.message,
    }


def from_body(body: dict[str, Any]) -> FlownRun:
    """Inverse of `to_body`."""
    return FlownRun(
        number=0,
        evaluation_number=int(body["evaluation"]),
        repeat=int(body["repeat"]),
        flight=flight_from_json(body["flight"]) if body["flight"] is not None else None,
        verdict=verdict_from_body(body["verdict"]) if body["verdict"] is not None else None,
        distance_m=body["distance_m"],
        message=str(body["message"]),
    )
