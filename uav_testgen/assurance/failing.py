"""Does a scene fail? Asked again and again by what searches around a test: minimise, explain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from uav_testgen.assurance.question import Question
from uav_testgen.backend.base import Backend
from uav_testgen.core.errors import BackendError, InvalidScenario
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.predict.runs import NOMINAL, fly_run, scatter_of
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.model import Scenario


class Trial(NamedTuple):
    """What the runs of one scene did: how many failed of how many that say something, and the middle margin."""

    failed: int
    runs: int
    margin: float | None
    safe: int
    """Runs that kept the requirement and reached the goal: one that hovers for ever fails nothing, but saves nobody."""
    completed: int
    """Runs that reached the goal, whatever else they did."""

    @property
    def completes(self) -> bool:
        """Did most runs reach the goal?"""
        return 2 * self.completed > self.runs

    @property
    def fails(self) -> bool:
        """Did most runs fail?"""
        return self.runs > 0 and 2 * self.failed > self.runs


@dataclass
class Trials:
    """Flies scenes of one test, each once: the nominal run, or an odd number of drawn ones with the test's seed."""

    backend: Backend
    question: Question
    seed: int
    runs: int = 3
    scatter: ScatterConfig | None = None
    budget: int = 1000
    """Flights; nothing more is tried when they are used up."""
    progress: Callable[[int, int], None] = lambda flown, done: None
    """Told now and then how many flights were flown, and how many steps were taken or changes tried."""
    flown: int = 0
    _known: dict[str, Trial] = field(default_factory=dict)

    @property
    def runs_each(self) -> int:
        """Flights of one scene."""
        return len(self._numbers)

    @property
    def is_spent(self) -> bool:
        """Is there no budget for another scene?"""
        return self.flown + self.runs_each > self.budget

    @property
    def _numbers(self) -> Sequence[int]:
        scatter = self.scatter or scatter_of(self.backend)
        return range(1, self.runs + 1) if self.runs and scatter.varies else [NOMINAL]

    def of(self, scenario: Scenario, seed: int | None = None) -> Trial:
        """The runs of a scene; equal scenes are flown once. Another `seed` draws other runs."""
        chosen = self.seed if seed is None else seed
        key = f"{scenario.id} {chosen}"
        if key not in self._known:
            self._known[key] = self._flown(scenario, chosen)
        return self._known[key]

    def _flown(self, scenario: Scenario, seed: int) -> Trial:
        scatter = self.scatter or scatter_of(self.backend)
        margins = []
        safe = completed = 0
        for number in self._numbers:
            flight, is_free = fly_run(self.backend, scenario, seed, number, scatter)
            margin = self.question.answer(scenario, flight, scatter, is_free).margin
            self.flown += 1
            if margin is not None:
                arrived = flight.ending is Ending.GOAL_REACHED
                completed += arrived
                safe += arrived and margin >= 0.0
                margins.append(margin)
        middle = sorted(margins)[len(margins) // 2] if margins else None
        return Trial(sum(margin < 0.0 for margin in margins), len(margins), middle, safe, completed)


def is_allowed(scenario: Scenario, like: Scenario) -> bool:
    """Does a changed scene break no rule that the test keeps?"""
    return {one.rule for one in problems(scenario)} <= {one.rule for one in problems(like)}


def must_fail(trials: Trials, scenario: Scenario) -> Trial:
    """The trial of a test that is said to fail; InvalidScenario if it does not."""
    found = trials.of(scenario)
    if not found.runs:
        raise BackendError("no run of the test says anything about the requirement; `fly` it to see why")
    if not found.fails:
        left = f" ({found.margin:+.2f} {trials.question.unit} left in the middle)"
        raise InvalidScenario(
            f"the test does not fail: {found.failed} of {found.runs} runs violate the requirement{left}; "
            "give a test that does, another --seed, or a stricter --require"
        )
    return found
