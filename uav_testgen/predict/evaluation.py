"""A scenario together with what flying it showed: what searches learn from and campaigns keep."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from uav_testgen.flight.model import Trajectory
from uav_testgen.oracle.model import Verdict
from uav_testgen.scenario.model import Scenario


class EvaluationStatus(str, Enum):
    """Whether an evaluation says anything about its scenario."""

    VALID = "valid"
    INVALID_SCENARIO = "invalid_scenario"
    BACKEND_ERROR = "backend_error"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A scenario together with what flying it (once or several times) showed.

    `number` is the position in the campaign's order of asking; `verdicts` one per flown run;
    `failure_probability` the share (or calibrated estimate) of runs that fail again.
    """

    number: int
    scenario: Scenario
    status: EvaluationStatus
    verdicts: tuple[Verdict, ...] = ()
    failure_probability: float | None = None
    trajectory: Trajectory | None = None
    message: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict | None:
        """The first (nominal) run's verdict."""
        return self.verdicts[0] if self.verdicts else None

    @property
    def min_distance_m(self) -> float | None:
        """Aerialist's minimum distance of the nominal run; None where nothing was measured."""
        return self.verdict.min_distance_aerialist_m if self.verdict else None
