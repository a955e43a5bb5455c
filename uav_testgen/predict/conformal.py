"""How far real flights were from predictions, as a table that makes intervals of the distance.

The table belongs to a system preset (`calibration.intervals`); `uav-testgen calibrate --intervals` writes it from
records of real flights. Both ends of the predicted distribution are moved until they hold as often as they should, each
on its own, in bins of the predicted distance (conformalised quantiles). Distances are Aerialist's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig, parse_config
from uav_testgen.loop.system import System
from uav_testgen.predict.distribution import Distribution
from uav_testgen.predict.unvalidated import unvalidated
from uav_testgen.scenario.formats.missions import mission_names, named_mission
from uav_testgen.scenario.model import Scenario
from uav_testgen.statistics.percent import percent

KEY: Final = "intervals"
"""Where a preset's calibration keeps its table."""
COVERAGE: Final = 0.8


class DistanceBin(RoomConfig):
    """By how much the ends are moved where the predicted distance is below `below_m`."""

    below_m: float | None = Field(gt=0, description="upper end of the bin; none: the last one [m]")
    records: int = Field(ge=1, description="real flights it was fitted on [1]")
    nearer_m: float = Field(ge=-50, le=50, description="the lower end goes down by this [m]")
    farther_m: float = Field(ge=-50, le=50, description="the upper end goes up by this [m]")


class MissionShift(RoomConfig):
    """By how much more the ends are moved on a mission where those of all missions together do not hold."""

    records: int = Field(ge=1, description="real flights of this mission [1]")
    nearer_m: float = Field(ge=0, le=50, description="the lower end goes down by this, too [m]")
    farther_m: float = Field(ge=0, le=50, description="the upper end goes up by this, too [m]")


class ConformalTable(RoomConfig):
    """What `calibrate --intervals` found."""

    coverage: float = Field(COVERAGE, gt=0, lt=1, description="share of real flights inside the interval [1]")
    records: int = Field(ge=1, description="real flights it was fitted on [1]")
    runs: int = Field(ge=1, description="drawn runs of each prediction [1]")
    seed: int = Field(0, ge=0, description="seed of these runs [1]")
    bins: tuple[DistanceBin, ...] = Field(min_length=1, description="by predicted distance, rising")
    missions: dict[str, MissionShift] = Field(
        default_factory=dict, description="by the names of shipped missions"
    )
    left_out: dict[str, Any] = Field(
        default_factory=dict, description="coverage on missions left out of the fit"
    )

    @model_validator(mode="after")
    def _rising(self) -> ConformalTable:
        ends = [math.inf if one.below_m is None else one.below_m for one in self.bins]
        if ends != sorted(set(ends)) or ends[-1] != math.inf:
            raise ValueError("bins must rise, and the last one has no upper end")
        return self

    def bin_of(self, distance_m: float) -> DistanceBin:
        """The bin of a predicted distance."""
        return next(one for one in self.bins if one.below_m is None or distance_m < one.below_m)

    def interval_m(self, predicted: Distribution, mission: str = "") -> tuple[float, float] | None:
        """The interval of the next real flight's distance; None without obstacles."""
        distance_m = predicted.expected_distance_m
        if not math.isfinite(distance_m):
            return None
        one = self.bin_of(distance_m)
        low_m, high_m = ends_m(predicted, self.coverage)
        more = self.missions.get(mission)
        nearer_m = one.nearer_m + (0.0 if more is None else more.nearer_m)
        farther_m = one.farther_m + (0.0 if more is None else more.farther_m)
        low_m = max(low_m - nearer_m, 0.0)
        return low_m, max(high_m + farther_m, low_m)


class DistanceInterval(NamedTuple):
    """Where the next real flight's least distance lies, with this probability."""

    low_m: float
    high_m: float
    coverage: float
    doubt: str = ""
    """Why that probability is not guaranteed; empty where it is."""

    def __str__(self) -> str:
        return f"{self.low_m:.1f}–{self.high_m:.1f} m in {percent(self.coverage)} of flights"

    @property
    def sentence(self) -> str:
        """With what has to be said about it."""
        return f"{self} (not guaranteed: {self.doubt})" if self.doubt else str(self)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"low_m": self.low_m, "high_m": self.high_m, "coverage": self.coverage,
                "guaranteed": not self.doubt, "doubt": self.doubt, "text": str(self)}  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DistanceInterval:
        """Inverse of `to_json`; ValueError, TypeError or KeyError where it is none."""
        numbers = [data[name] for name in ("low_m", "high_m", "coverage")]
        if any(type(one) not in (int, float) or not math.isfinite(one) for one in numbers):
            raise ValueError(f"an interval with the ends {str(numbers)[:80]}")
        if not isinstance(data["doubt"], str):
            raise TypeError("the doubt about an interval is a text")
        low_m, high_m, coverage = numbers
        return cls(low_m, high_m, coverage, data["doubt"])


def ends_m(predicted: Distribution, coverage: float) -> tuple[float, float]:
    """The ends of the interval that the distribution itself gives."""
    tail = 0.5 * (1.0 - coverage)
    reach_m = max(run.distance_m for run in predicted.runs if math.isfinite(run.distance_m))
    low_m, high_m = predicted.quantile_m(tail), predicted.quantile_m(1.0 - tail)
    return min(low_m, reach_m), min(high_m, reach_m + 6.0 * predicted.error.spread_m)


def table_of(system: System | None) -> ConformalTable | None:
    """The table of a system; None where it was never compared with real flights."""
    if system is None or not system.is_calibrated or KEY not in system.calibration:
        return None
    return parse_config(
        ConformalTable, system.calibration[KEY], source=f"system '{system.name}': calibration.{KEY}"
    )


def mission_of(scenario: Scenario) -> str:
    """The name of the shipped mission that a scenario flies; empty where it is none of them."""
    name = scenario.mission.name
    if name not in mission_names():
        return ""
    return name if named_mission(name).waypoints == scenario.mission.waypoints else ""


def unlike_records(scenario: Scenario) -> str:
    """In what a scenario differs from every flight of the table (they were in calm air); empty where it does not."""
    found = list(unvalidated(scenario))
    if scenario.wind.velocity_mean_mps > 0.0:
        found.append("wind")
    if scenario.parameters:
        found.append("these autopilot parameters")
    return f"none of the recorded flights behind it had {' or '.join(found)}" if found else ""
