"""Was it safe: the judgement on one flight."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from uav_testgen.flight.model import Ending


class Outcome(str, Enum):
    """PASS kept its distance; SOFT_FAIL came too near; HARD_FAIL touched; INCONCLUSIVE cannot tell."""

    PASS = "pass"
    SOFT_FAIL = "soft_fail"
    HARD_FAIL = "hard_fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Distances are NaN-free: None where there is no obstacle to be near to.

    `min_distance_m` is the 3-D distance from the vehicle's centre to the nearest obstacle surface,
    between samples too; `min_distance_horizontal_m` the same in plan view;
    `min_distance_aerialist_m` Aerialist's figure (0.5 s averages, horizontal, minus 0.125 m).
    """

    outcome: Outcome
    ending: Ending
    min_distance_m: float | None
    min_distance_horizontal_m: float | None
    min_distance_aerialist_m: float | None
    moment_s: float | None
    obstacle_index: int | None
    completed: bool
    duration_s: float
    sentence: str

    @property
    def failed(self) -> bool:
        """True for a soft or hard failure."""
        return self.outcome in (Outcome.SOFT_FAIL, Outcome.HARD_FAIL)

    def to_json(self) -> dict[str, Any]:
        """Plain data for files and the command line."""
        data = asdict(self)
        data["outcome"] = self.outcome.value
        data["ending"] = self.ending.value
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verdict:
        """Inverse of `to_json`."""
        return cls(**{**data, "outcome": Outcome(data["outcome"]), "ending": Ending(data["ending"])})
