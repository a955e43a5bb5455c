"""What happened: the flight record and trajectory arithmetic. Start with `model`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.flight.evidence import Evidence as Evidence
    from uav_testgen.flight.json_io import load_flights as load_flights
    from uav_testgen.flight.json_io import save_flights as save_flights
    from uav_testgen.flight.model import Ending as Ending
    from uav_testgen.flight.model import Flight as Flight
    from uav_testgen.flight.model import Trajectory as Trajectory
    from uav_testgen.flight.similarity import dtw_m as dtw_m
    from uav_testgen.flight.similarity import frechet_m as frechet_m

__getattr__, __all__ = public_names(
    __name__,
    {
        "model": "Ending Flight Trajectory",
        "evidence": "Evidence",
        "json_io": "load_flights save_flights",
        "similarity": "dtw_m frechet_m",
    },
)
