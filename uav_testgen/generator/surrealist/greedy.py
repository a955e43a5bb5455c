"""Algorithms 1 and 2 of the paper: a greedy search that optimises one property after the other.

The search is a coroutine: it says whose fitness it wants (`wanted`) and goes on when it is told. So the
same code serves a campaign, the replication command and tests with analytic functions. It knows nothing
of drones: a solution is any value, a mutator changes it by one number, a key identifies it.

Where the pseudo-code is silent:

* after the ensured rounds the local budget is the whole rest divided by the mutators (a divisor of 0 or
  less would make no sense);
* every mutator is tried in every round, also after one of them improved the solution (the `or` of line 10
  does not short-circuit; the text says so);
* a solution that cannot be flown (refused, or its flight failed) has no fitness: it improves nothing, is
  no plateau, and costs budget only if it was flown;
* when the global budget ends in the middle of a pair, the half that was paid for still counts.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Properties = TypeVar("Properties")
Fitness = float | None


@dataclass(frozen=True, slots=True)
class GreedySettings:
    """Hyper-parameters; the defaults are the paper's Table 1 for seed 1 of RQ1."""

    budget: int = 200
    min_rounds: int = 4
    max_it: int = 5
    max_seq: int = 5
    epsilon: float = 0.0


@dataclass(frozen=True, slots=True)
class Mutator(Generic[Properties]):
    """Changes one property by a parameter; `apply` returns None where the result cannot exist."""

    name: str
    default_step: float
    apply: Callable[[Properties, float], Properties | None]
    default_value: float = 0.0


@dataclass(frozen=True, slots=True)
class Solution(Generic[Properties]):
    """Properties with their fitness; None is no number and compares with nothing."""

    properties: Properties
    fitness: Fitness


@dataclass(frozen=True, slots=True)
class Improvement:
    """A new best solution: after how many evaluations, in which round, by which mutator."""

    evaluation: int
    round: int
    mutator: str
    fitness: float


_Answers = Mapping[str, Fitness]


class GreedySearch(Generic[Properties]):
    """One search from one seed; maximises. `key` returns None for properties that may not be flown."""

    def __init__(
        self,
        seed: Properties,
        mutators: Sequence[Mutator[Properties]],
        settings: GreedySettings,
        key: Callable[[Properties], str | None],
    ) -> None:
        self.best: Solution[Properties] = Solution(seed, None)
        self.seed_fitness: Fitness = None
        self.evaluations = 0
        self.round = 0
        self.refused = 0
        self.improvements: list[Improvement] = []
        self.round_ends: list[tuple[int, Fitness]] = []
        """Evaluations and best fitness after every finished round."""
        self.wanted: dict[str, Properties] = {}
        self._mutators = tuple(mutators)
        self._settings = settings
        self._key = key
        self._memory: dict[str, Fitness] = {}
        self._budget: float = settings.budget
        self._local_budget = 0.0
        self._coroutine = self._search(seed)
        self._advance(None)

    @property
    def finished(self) -> bool:
        """True if nothing more is wanted."""
        return not self.wanted

    @property
    def convergence(self) -> tuple[tuple[int, Fitness], ...]:
        """Evaluations and best fitness after every round, also after one that was cut short."""
        done = tuple(self.round_ends)
        if self.evaluations > (done[-1][0] if done else 0):
            done = (*done, (self.evaluations, self.best.fitness))
        return done

    @property
    def needed_budget(self) -> int:
        """Evaluations it took to reach the best solution."""
        return self.improvements[-1].evaluation if self.improvements else min(self.evaluations, 1)

    def tell(self, answers: _Answers) -> None:
        """The fitness of everything in `wanted`, by key; None where there is none."""
        missing = self.wanted.keys() - answers.keys()
        if missing:
            raise ValueError(f"no answer for {', '.join(sorted(missing))}")
        self._advance({key: answers[key] for key in self.wanted})

    def stop(self) -> None:
        """Want nothing more; the best solution so far is the result."""
        self._coroutine.close()
        self.wanted = {}

    def _advance(self, answers: _Answers | None) -> None:
        try:
            if answers is None:
                next(self._coroutine)
            else:
                self._coroutine.send(answers)
        except StopIteration:
            self.wanted = {}

    def _search(self, seed: Properties) -> Generator[None, _Answers, None]:
        """Algorithm 1: GENERIC-TEST-PROPERTIES-SEARCH."""
        (self.best,) = yield from self._evaluate(seed)
        self.seed_fitness = self.best.fitness
        remaining_rounds = self._settings.min_rounds
        improved = True
        while improved and self._budget > 0 and self._mutators:
            improved = False
            self.round += 1
            local_budget = self._budget / (len(self._mutators) * max(remaining_rounds, 1))
            for mutator in self._mutators:
                # The local search comes first: `or` would skip it once something improved.
                improved = (yield from self._local_search(mutator, local_budget)) or improved
            remaining_rounds -= 1
            self.round_ends.append((self.evaluations, self.best.fitness))

    def _local_search(
        self, mutator: Mutator[Properties], local_budget: float
    ) -> Generator[None, _Answers, bool]:
        """Algorithm 2: LOCAL-TEST-PROPERTIES-SEARCH."""
        settings = self._settings
        base = self.best
        step, parameter = mutator.default_step, mutator.default_value
        positive_moves = negative_moves = idle = 0
        self._local_budget = local_budget
        while self._local_budget > 0 and idle < settings.max_it and self._budget > 0:
            up, down = yield from self._evaluate(
                mutator.apply(base.properties, parameter + step),
                mutator.apply(base.properties, parameter - step),
            )
            if self._improves(up.fitness) and _above(up.fitness, down.fitness):
                self._accept(up, mutator)
                parameter += step
                positive_moves, negative_moves, idle = positive_moves + 1, 0, 0
                if positive_moves > settings.max_seq:
                    step *= 2.0
            elif self._improves(down.fitness):
                self._accept(down, mutator)
                parameter -= step
                positive_moves, negative_moves, idle = 0, negative_moves + 1, 0
                if negative_moves > settings.max_seq:
                    step *= 2.0
            else:
                if self._is_level(up.fitness) and self._is_level(down.fitness):
                    break
                step /= 2.0
                positive_moves = negative_moves = 0
                idle += 1
        return self.best is not base

    def _evaluate(
        self, *candidates: Properties | None
    ) -> Generator[None, _Answers, tuple[Solution[Properties], ...]]:
        """EVALUATE: fitness from memory, or from a flight that costs one of both budgets."""
        keys = [None if candidate is None else self._key(candidate) for candidate in candidates]
        self.refused += sum(key is None for key in keys)
        wanted: dict[str, Properties] = {}
        for candidate, key in zip(candidates, keys, strict=True):
            if candidate is None or key is None or key in self._memory or key in wanted:
                continue
            if self._budget <= 0:
                continue
            wanted[key] = candidate
            self._budget -= 1
            self._local_budget -= 1
        if wanted:
            self.wanted = wanted
            self._memory.update((yield))
            self.evaluations += len(wanted)
        return tuple(
            Solution(
                self.best.properties if candidate is None else candidate,
                None if key is None else self._memory.get(key),
            )
            for candidate, key in zip(candidates, keys, strict=True)
        )

    def _improves(self, fitness: Fitness) -> bool:
        if fitness is None:
            return False
        return self.best.fitness is None or fitness > self.best.fitness + self._settings.epsilon

    def _is_level(self, fitness: Fitness) -> bool:
        if fitness is None or self.best.fitness is None:
            return False
        return abs(self.best.fitness - fitness) < self._settings.epsilon

    def _accept(self, solution: Solution[Properties], mutator: Mutator[Properties]) -> None:
        self.best = solution
        assert solution.fitness is not None
        self.improvements.append(Improvement(self.evaluations, self.round, mutator.name, solution.fitness))


def _above(fitness: Fitness, other: Fitness) -> bool:
    """True if a number is larger than another, or the other is none."""
    return fitness is not None and (other is None or fitness > other)
