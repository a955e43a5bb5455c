"""Was it safe: the judgement on one flight."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from uav_testgen.flight.model import Ending


class Outcome(str, Enum):
    """What a flight showed.

    PASS kept its distance and completed the mission; SOFT_FAIL came too close; HARD_FAIL collided; INCOMPLETE
    kept its distance but hovered, got stuck, ran out of time or was aborted; INCONCLUSIVE cannot tell.
    """

    PASS = "pass"
    SOFT_FAIL = "soft_fail"
    HARD_FAIL = "hard_fail"
    INCOMPLETE = "incomplete"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Distances are NaN-free: None where there is no obstacle to be near to.

    `min_distance_3d_m` is the 3-D distance from the vehicle's centre to the nearest obstacle surface,
    between samples too; `min_distance_horizontal_m` the same in plan view;
    `min_distance_aerialist_m` Aerialist's figure (0.5 s averages, horizontal, minus half the vehicle's width).
    """

    outcome: Outcome
    ending: Ending
    min_distance_3d_m: float | None
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

    def is_nearer(self, distance_m: float | None, limit_m: float) -> bool:
        """Did the run come nearer than a limit, by its corrected distance? One that ended by a collision did,
        were it with the ground."""
        return self.ending is Ending.COLLISION or (distance_m is not None and distance_m < limit_m)

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
