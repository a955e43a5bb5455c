"""The requirement `separation`: keep a distance from every obstacle."""

from __future__ import annotations

from typing import Final

from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.finding import Finding
from uav_testgen.oracle.separation import separation
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.obstacle_name import obstacle_name

MEASURES: Final = {"aerialist": "aerialist", "horizontal": "horizontal", "exact": "3d", "3d": "3d"}
"""Words for the measures of `oracle.separation`."""


class Separation:
    """Keep `limit_m` (1.5) from every obstacle; `measure` is aerialist, exact (3-D) or horizontal."""

    def __init__(self, limit_m: float | None = None, measure: str | None = None) -> None:
        if measure is not None and measure not in MEASURES:
            raise ConfigError(f"measure '{measure}' is unknown; known: {', '.join(MEASURES)}")
        if limit_m is not None and not 0.0 < limit_m <= 100.0:
            raise ConfigError(f"limit_m must be above 0 and at most 100, got {limit_m}")
        self.limit_m, self.measure = limit_m, measure
        shown = [f"{self.limit_m:g} m"] if limit_m is not None else []
        shown += [measure] if measure is not None else []
        self.name = f"separation({', '.join(shown)})" if shown else "separation"

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """The closest approach against the limit; an instance of a logical scenario has its own, in 3-D."""
        limit_m, measure = self._limits(scenario)
        near = separation(scenario, flight.trajectory, OracleConfig())
        if near is None:
            if scenario.obstacles:
                return Finding(self.name, None, "m", sentence="No usable trajectory.")
            return Finding(self.name, None, "m", sentence="There is no obstacle.", holds=True)
        approach = near.by(measure)
        what = obstacle_name(scenario, approach.obstacle_index)
        place = f"{approach.distance_m:.2f} m from {what} after {approach.moment_s:.1f} s"
        kept = approach.distance_m >= limit_m
        sentence = (
            f"Stayed {place}, {limit_m:g} m are required."
            if kept
            else f"Came within {place}, {limit_m:g} m are required."
        )
        return Finding(
            self.name, approach.distance_m - limit_m, "m", approach.moment_s, sentence, approach.obstacle_index,
            by_aerialist=measure == "aerialist",
        )  # fmt: skip

    def _limits(self, scenario: Scenario) -> tuple[float, str]:
        logical = scenario.logical
        limit_m = self.limit_m
        if limit_m is None:
            limit_m = SAFE_DISTANCE_M if logical is None else logical.safety_distance_m
        measure = self.measure or ("aerialist" if logical is None else "exact")
        return limit_m, MEASURES[measure]
