"""What a flight of a live PX4 is judged on: the truth in its log where that is at hand, else the estimate."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.flight.judged_on import ESTIMATE, noted, on_truth_of
from uav_testgen.flight.model import Flight
from uav_testgen.flight.ulog.newest import keep, newest_log


def judged_on_truth(flight: Flight, log_folder: str, began_s: float, keep_at: Path | None) -> Flight:
    """The flight with its true trajectory; with the estimated one, and why, where there is no truth."""
    if not log_folder:
        return noted(flight, ESTIMATE)
    try:
        log = newest_log(Path(log_folder), began_s)
        kept = keep(log, keep_at) if keep_at is not None else log
    except (UavTestgenError, OSError, ValueError) as error:
        return noted(flight, ESTIMATE, no_truth=str(error))
    pace = flight.details.get("real_time_factor") or 1.0
    return on_truth_of(noted(flight, ESTIMATE, px4_log=str(kept)), kept, pace)
