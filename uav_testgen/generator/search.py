"""What searching generators share: an algorithm on the unit cube, a decoder, objectives.

Vectors that decode to nothing allowed are scored at once and never flown, so the campaign is only
asked to fly what is valid and feasible. The state is the log of what was asked and told: replaying it
brings back any algorithm without knowing its insides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.generator.algorithm.base import Score, Vector, VectorSearch
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.feasibility import is_feasible
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.validity import violations

# Vectors tried in vain per asked scenario before the generator reports that it has nothing to offer.
MAX_REFUSALS_PER_SCENARIO = 2000


class SearchGenerator:
    """Base of generators that learn. Overridden: `_start`, `decode`, `objectives`."""

    name = "search"

    def __init__(self, base: Scenario, seed: int) -> None:
        self._base = base
        self._seed = seed
        self._log: list[list[Any]] = []
        self._waiting: dict[str, list[int]] = {}
        self._asked = 0
        self._refused = 0
        self._algorithm: VectorSearch = self._start()

    def _start(self) -> VectorSearch:
        """A fresh algorithm."""
        raise NotImplementedError

    def decode(self, vector: Vector) -> Scenario:
        """The scenario a vector stands for; it may be invalid."""
        raise NotImplementedError

    def objectives(self, evaluation: Evaluation) -> tuple[float, ...] | None:
        """What is minimised; None where the evaluation says nothing. Called once per evaluation, in order."""
        raise NotImplementedError

    def violation(self, scenario: Scenario) -> float:
        """0 for a scenario that may be flown; otherwise a positive amount that grows with the trouble."""
        broken = violations(scenario)
        if broken:
            return float(len(broken)) + 1.0
        return 0.0 if is_feasible(scenario) else 1.0

    def ask(self, count: int) -> Sequence[Scenario]:
        """Up to `count` valid scenarios; fewer while a generation waits for its scores."""
        proposals: list[Scenario] = []
        refusals = 0
        while len(proposals) < count and refusals < MAX_REFUSALS_PER_SCENARIO * count:
            vectors = self._algorithm.ask(count - len(proposals))
            if not vectors:
                break
            refused: list[Score] = []
            for proposal in vectors:
                scenario = self.decode(proposal.vector)
                violation = self.violation(scenario)
                if violation > 0.0:
                    refused.append(Score(proposal.number, None, violation))
                    continue
                name = f"{self.name}-{self._asked:05d}"
                self._asked += 1
                proposals.append(scenario.model_copy(update={"name": name}))
                self._waiting.setdefault(scenario.id, []).append(proposal.number)
            refusals += len(refused)
            self._refused += len(refused)
            if refused:
                self._algorithm.tell(refused)
        self._log.append(["ask", count])
        return proposals

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """Score what was flown; evaluations that nobody asked for here are ignored."""
        scores: list[Score] = []
        for evaluation in sorted(evaluations, key=lambda item: item.number):
            numbers = self._waiting.get(evaluation.scenario.id)
            if not numbers:
                continue
            number = numbers.pop(0)
            scores.append(self._score(number, evaluation))
        self._record(scores)

    def _score(self, number: int, evaluation: Evaluation) -> Score:
        if evaluation.status is EvaluationStatus.INVALID_SCENARIO:
            return Score(number, None, 1.0)
        if evaluation.status is not EvaluationStatus.VALID:
            return Score(number, None)
        values = self.objectives(evaluation)
        if values is None or not all(math.isfinite(value) for value in values):
            return Score(number, None)
        return Score(number, values)

    def _record(self, scores: Sequence[Score]) -> None:
        told = [[score.number, score.objectives, score.violation] for score in scores]
        self._log.append(["tell", told])
        self._algorithm.tell(scores)

    def state(self) -> dict[str, Any]:
        """The log of the search, and what the subclass remembers."""
        log = [[kind, content] for kind, content in self._log]
        return {"generator": self.name, "seed": self._seed, "log": log, "memory": self.memory()}

    def restore(self, state: dict[str, Any]) -> None:
        """Replay the log on a fresh algorithm."""
        if state.get("generator") != self.name or state.get("seed") != self._seed:
            raise ConfigError(
                f"state of '{state.get('generator')}' with seed {state.get('seed')} cannot continue "
                f"'{self.name}' with seed {self._seed}; use the same generator and seed"
            )
        self._algorithm, self._log, self._waiting = self._start(), [], {}
        self._asked, self._refused = 0, 0
        for kind, content in state["log"]:
            if kind == "ask":
                self.ask(content)
                continue
            scores = [Score(n, tuple(f) if f is not None else None, g) for n, f, g in content]
            known = {score.number for score in scores}
            for numbers in self._waiting.values():
                numbers[:] = [number for number in numbers if number not in known]
            self._record(scores)
        self.remember(state["memory"])

    def memory(self) -> Any:
        """What objectives depend on beyond the log, as plain JSON data."""
        return None

    def remember(self, memory: Any) -> None:
        """Inverse of `memory`."""
