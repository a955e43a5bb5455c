"""Likeness of flights to a logged variable that is not their path: computed by workers, from whole flights.

Stored trajectories hold no tilt and are averages of paths, so a heading or a distance is read before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.average import average_path
from uav_testgen.flight.model import Flight
from uav_testgen.flight.series import KINDS, OBSTACLE_DISTANCE, half_seconds, turn_of
from uav_testgen.flight.similarity import dtw_m, frechet_m
from uav_testgen.flight.ulog.sectors import sector_distances_m
from uav_testgen.scenario.model import Scenario


@dataclass(frozen=True, slots=True)
class SeriesLikeness:
    """Minus the DTW distance between the logged series and the average of the flown ones (section 3.2.2)."""

    name: str
    target: tuple[tuple[float, ...], ...]
    range_m: float

    def measure(self, flights: Sequence[Flight], scenario: Scenario) -> dict[str, Any]:
        """`fitness`, `dtw` and `frechet`; without them `no_fitness` says why."""
        target = np.array(self.target, dtype=np.float64)
        runs = [self._flown(flight, scenario, target) for flight in flights]
        told = [_as_path(run) for run in runs if len(run)]
        if not told:
            return {
                "fitness": None,
                "no_fitness": f"backend '{flights[0].backend}' does not tell {self.name}",
            }
        mean = average_path(told)
        dtw, frechet = dtw_m(_as_path(target), mean), frechet_m(_as_path(target), mean)
        return {"fitness": -dtw, "dtw": dtw, "frechet": frechet}

    def _flown(self, flight: Flight, scenario: Scenario, target: FloatArray) -> FloatArray:
        flown, turn = flight.trajectory, turn_of(self.name)
        if self.name == OBSTACLE_DISTANCE:
            ring = sector_distances_m(scenario, flown.position_enu_m, flown.yaw_rad, flown.t_s, self.range_m)
            return half_seconds(flown.t_s, np.minimum(ring.min(axis=1), self.range_m))
        values = half_seconds(flown.t_s, KINDS[self.name].of(flown), turn)
        if turn is not None and len(values):
            # Both are unwrapped from wherever they begin; whole turns between them are no difference.
            values = values + turn * np.round((target.mean() - values.mean()) / turn)
        return np.asarray(values)


def _as_path(values: FloatArray) -> FloatArray:
    """Values as points of a plane, which is what paths are compared in."""
    return np.column_stack([values[:, 0], np.zeros(len(values))])
