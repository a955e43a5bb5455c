"""What a flight of a live PX4 is judged on: the truth in its log where that is at hand, else the estimate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.flight.model import Flight
from uav_testgen.flight.ulog.newest import keep, newest_log
from uav_testgen.flight.ulog.truth import true_path

JUDGED_ON = "judged_on"
_ESTIMATE = "PX4's estimate"
_TRUTH = "the ground truth of PX4's log"


def judged_on_truth(flight: Flight, log_folder: str, began_s: float, keep_at: Path | None) -> Flight:
    """The flight with its true trajectory; with the estimated one, and why, where there is no truth."""
    if not log_folder:
        return _noted(flight, _ESTIMATE)
    try:
        log = newest_log(Path(log_folder), began_s)
        kept = keep(log, keep_at) if keep_at is not None else log
        flight = _noted(flight, _ESTIMATE, px4_log=str(kept))
        pace = flight.details.get("real_time_factor") or 1.0
        found = true_path(kept, flight.trajectory, pace)
    except (UavTestgenError, OSError, ValueError) as error:
        return _noted(flight, _ESTIMATE, no_truth=str(error))
    off = {
        "horizontal_rms_m": round(found.horizontal_rms_m, 3),
        "horizontal_max_m": round(found.horizontal_max_m, 3),
        "vertical_rms_m": round(found.vertical_rms_m, 3),
    }
    return replace(_noted(flight, _TRUTH, estimate_error=off), trajectory=found.trajectory)


def _noted(flight: Flight, judged_on: str, **more: object) -> Flight:
    return replace(flight, details={**flight.details, JUDGED_ON: judged_on, **more})
