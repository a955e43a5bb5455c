"""Who proposes scenarios: the ask/tell contract that every search follows.

A generator never runs a simulator, opens a file or prints. The campaign asks it for scenarios, has
them flown and judged, and tells it the evaluations, in any order. `state` is plain JSON so that a
campaign can be killed and resumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario


@runtime_checkable
class Generator(Protocol):
    """Built from (base scenario, config, seed); proposes scenarios on that mission and arena.

    Its class may say `starts_from_a_test = True` (its base scenario keeps the obstacles of the case study)
    and `looks_at_worst_run = True` (the trajectory it is told is that of the most dangerous run of a test
    that was flown several times, instead of the nominal one). An object may say `runs_per_evaluation` (how often
    every proposal is flown, promising or not, because its objective is defined over so many runs).
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
