"""Who proposes scenarios: the ask/tell contract that every search follows.

A generator never runs a simulator, opens a file or prints. The campaign asks it for scenarios, has
them flown and judged, and tells it the evaluations, in any order. A campaign that was killed is resumed by
asking and telling a fresh generator the same again, so what it proposes follows from seed, asks and answers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario


@runtime_checkable
class Generator(Protocol):
    """Built from (base scenario, config, seed); proposes scenarios on that mission and arena.

    Its class may say `starts_from_a_test = True` (its base scenario keeps the obstacles of the case study),
    `wants_held_out = True` (if it is registered under a name, its suite is flown again by seeds and presets it
    never saw, unless the campaign says how), `wants_hard_places = 5` (so many places of its suite are kept for the
    tests likeliest to come below the collision distance, unless the campaign says how many) and
    `looks_at_worst_run = True` (the trajectory it is told is that of the most dangerous run of a test that was
    flown several times, instead of the nominal one). An object may say `stages` (`predict/stages.py`: how many runs
    its proposals get by what they show, instead of the campaign's; read at every ask, and a function of what was
    asked and told) and may have a `report()` (`generator/reporting.py`).
    """

    name: str

    def ask(self, count: int) -> Sequence[Scenario]:
        """Up to `count` scenarios to fly next; may be fewer; empty means finished. Changes state."""
        ...

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """What flying them showed, in any order and with any status."""
        ...
