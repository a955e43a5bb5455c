"""Who proposes scenarios: the ask/tell contract that every search follows.

A generator never runs a simulator, opens a file or prints. The campaign asks it for scenarios, has
them flown and judged, and tells it the evaluations, in any order. `state` is plain JSON so that a
campaign can be killed and resumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol, runtime_checkable

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


@runtime_checkable
class Generator(Protocol):
    """Built from (base scenario, config, seed); proposes scenarios on that mission and arena.

    Its class may say `starts_from_a_test = True` (its base scenario keeps the obstacles of the case study)
    and `looks_at_worst_run = True` (the trajectory it is told is that of the most dangerous run of a test
    that was flown several times, instead of the nominal one).
    """

    name: str

    def ask(self, count: int) -> Sequence[Scenario]:
        """Up to `count` scenarios to fly next; may be fewer; empty means finished. Changes state."""
        ...

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """What flying them showed, in any order and with any status."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything needed to go on later, as plain JSON data."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `state()` of the same generator and seed."""
        ...
