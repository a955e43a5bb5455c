"""Whether a flight is judged on where the vehicle was or on where it believed to be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.flight.model import Flight
from uav_testgen.flight.ulog.truth import TruePath, true_path

JUDGED_ON = "judged_on"
"""Key in a flight's details; the verdict's sentence says it."""
ESTIMATE = "PX4's estimate"
TRUTH = "the ground truth of PX4's log"
SIMULATOR = "what the simulator wrote"


def noted(flight: Flight, judged_on: str, **more: object) -> Flight:
    """The flight with a word on what it is judged on."""
    return replace(flight, details={**flight.details, JUDGED_ON: judged_on, **more})


def on_truth_of(flight: Flight, log: Path, pace: float = 1.0) -> Flight:
    """The flight with the true trajectory of its log; with the estimated one, and why, where there is none."""
    try:
        found = true_path(log, flight.trajectory, pace)
    except (UavTestgenError, OSError, ValueError) as error:
        return noted(flight, ESTIMATE, no_truth=str(error))
    return replace(noted(flight, TRUTH, estimate_error=error_of_estimate(found)), trajectory=found.trajectory)


def error_of_estimate(found: TruePath) -> dict[str, float]:
    """How far the estimate was off, as plain data."""
    return {
        "horizontal_rms_m": round(found.horizontal_rms_m, 3),
        "horizontal_max_m": round(found.horizontal_max_m, 3),
        "vertical_rms_m": round(found.vertical_rms_m, 3),
    }
