"""What the sampling generators share: numbered proposals, each from its own random stream.

Proposal number k depends on (seed, generator name, k) only. So asking for 10 or for 2 × 5 gives the same
sequence, and a resumed campaign goes on exactly where it stopped. A candidate that is not both valid and
feasible is thrown away and drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.core.rng import stream
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.feasibility import is_feasible
from uav_testgen.scenario.model import Obstacle, Scenario
from uav_testgen.scenario.validity import is_valid

Layout = tuple[Obstacle, ...]


class SamplingGenerator:
    """Base of generators that propose independent samples and do not learn from evaluations."""

    name = "sampling"

    def __init__(self, base: Scenario, seed: int, max_tries: int) -> None:
        self._base = base
        self._seed = seed
        self._max_tries = max_tries
        self._asked = 0

    def draw(self, rng: np.random.Generator) -> Layout | None:
        """One candidate layout, or None where this draw leads nowhere. Overridden by each generator."""
        raise NotImplementedError

    def ask(self, count: int) -> Sequence[Scenario]:
        """The next `count` proposals, all valid and feasible."""
        proposals = [self._proposal(self._asked + offset) for offset in range(count)]
        self._asked += len(proposals)
        return proposals

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """Independent samples learn nothing from what was flown."""

    def _proposal(self, number: int) -> Scenario:
        rng = stream(self._seed, self.name, number)
        layout = accepted(self._base, lambda: self.draw(rng), self._max_tries)
        if layout is None:
            raise InvalidScenario(
                f"generator '{self.name}': no valid and feasible layout on mission "
                f"'{self._base.mission.name}' in {self._max_tries} tries; widen the ranges or raise max_tries"
            )
        return self._base.with_obstacles(layout).model_copy(update={"name": f"{self.name}-{number:05d}"})


def accepted(base: Scenario, draw: Callable[[], Layout | None], max_tries: int) -> Layout | None:
    """The first drawn layout that is valid and feasible on the base scenario; None after too many tries."""
    for _ in range(max_tries):
        layout = draw()
        if layout is None:
            continue
        candidate = base.with_obstacles(layout)
        if is_valid(candidate) and is_feasible(candidate):
            return layout
    return None
