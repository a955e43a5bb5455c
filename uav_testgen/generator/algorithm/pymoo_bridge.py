"""The one file that imports pymoo: its NSGA-II behind our ask/tell.

A vector that is not allowed becomes a positive constraint; a failed evaluation is dropped from its
generation. No number stands for "bad" anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from pydantic import Field
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.duplicate import DefaultDuplicateElimination
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.survival import Survival
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.pm import PM
from pymoo.problems.static import StaticProblem

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.rng import derive_seed, stream
from uav_testgen.generator.algorithm.base import Proposal, Score, Vector
from uav_testgen.generator.algorithm.batches import GenerationQueue

Ranking = Callable[[Vector, Vector], Sequence[int]]
"""From the rows of objectives and of vectors to places, most preferred first."""
Acceptance = Callable[[Vector], bool]
"""May this vector be flown, beside those of its generation that were accepted before?"""
Newcomers = Callable[[int], Sequence[Vector]]
"""So many vectors that descend from nobody."""


class Nsga2Settings(RoomConfig):
    """Operators as usual for real variables: SBX crossover, polynomial mutation."""

    size: int = Field(default=100, ge=4, le=100_000, description="Population")
    crossover_rate: float = Field(default=0.9, ge=0, le=1, description="Probability of crossover")
    crossover_eta: float = Field(default=20.0, ge=0, le=1000, description="Distribution index of crossover")
    mutation_eta: float = Field(default=20.0, ge=0, le=1000, description="Distribution index of mutation")


class OrderedSurvival(Survival):
    """Survivors by an order of preference of the caller; allowed vectors before others."""

    def __init__(self, ranking: Ranking) -> None:
        super().__init__(filter_infeasible=True)
        self._ranking = ranking

    def _do(self, problem: Any, pop: Any, *args: Any, n_survive: int | None = None, **kwargs: Any) -> Any:
        objectives, vectors = (np.asarray(pop.get(key), dtype=np.float64) for key in ("F", "X"))
        order = list(self._ranking(objectives, vectors))
        for rank, index in enumerate(order):
            # The tournament compares rank and crowding; the order decides both.
            pop[index].set("rank", rank)
            pop[index].set("crowding", 0.0)
        return pop[order[:n_survive]]


class OnlyAccepted(DefaultDuplicateElimination):
    """Children that are not accepted are treated like duplicates: parents are mated again in their place."""

    def __init__(self, accepts: Acceptance) -> None:
        super().__init__()
        self._accepts = accepts

    def do(self, pop: Any, *args: Any, **kwargs: Any) -> Any:
        """`args` are the parents and the children accepted so far; without them it is the first population."""
        pop = super().do(pop, *args, **kwargs)
        if not args:
            return pop
        return pop[[place for place, individual in enumerate(pop) if self._accepts(individual.X)]]


class Nsga2Search:
    """pymoo's NSGA-II on the unit cube; mutation rate is one over the number of variables."""

    settings_type = Nsga2Settings

    def __init__(
        self,
        dimension: int,
        settings: Nsga2Settings,
        seed: int,
        initial: Sequence[Vector] = (),
        *,
        objectives: int = 1,
        ranking: Ranking | None = None,
        accepts: Acceptance | None = None,
        newcomers: Newcomers | None = None,
    ) -> None:
        first = stream(seed, "nsga2", "sampling").random((settings.size, dimension))
        for row, vector in enumerate(list(initial)[: settings.size]):
            first[row] = vector
        self._problem = Problem(n_var=dimension, n_obj=objectives, n_ieq_constr=1, xl=0.0, xu=1.0)
        options: dict[str, Any] = {} if ranking is None else {"survival": OrderedSurvival(ranking)}
        if accepts is not None:
            options["eliminate_duplicates"] = OnlyAccepted(accepts)
        self._newcomers = newcomers or self._random_vectors
        self._algorithm = NSGA2(
            pop_size=settings.size,
            sampling=first,
            crossover=SBX(prob=settings.crossover_rate, eta=settings.crossover_eta),
            mutation=PM(eta=settings.mutation_eta, prob_var=1.0 / dimension),
            **options,
        )
        self._algorithm.setup(
            self._problem,
            termination=("n_gen", 10**9),
            seed=derive_seed(seed, "nsga2", "operators") % 2**32,
            verbose=False,
        )
        self._objectives = objectives
        self._queue = GenerationQueue()
        self._population: Any = None
        self._breed()

    def ask(self, count: int) -> list[Proposal]:
        """Members of the current generation."""
        return self._queue.take(count)

    def tell(self, scores: Sequence[Score]) -> None:
        """Breed the next generation once every member is scored."""
        self._queue.note(scores)
        if not self._queue.is_complete:
            return
        scored = [score for _, score in self._queue.scored()]
        measured = [i for i, s in enumerate(scored) if s.objectives is not None or s.violation > 0.0]
        if measured:
            self._select([scored[i] for i in measured], self._population[measured])
        self._breed()

    def _select(self, scores: Sequence[Score], population: Any) -> None:
        objectives = np.zeros((len(scores), self._objectives))
        violations = np.zeros((len(scores), 1))
        for row, score in enumerate(scores):
            if score.objectives is None:
                violations[row] = score.violation
            else:
                objectives[row] = score.objectives
        Evaluator().eval(StaticProblem(self._problem, F=objectives, G=violations), population)
        self._algorithm.tell(infills=population)

    def _breed(self) -> None:
        self._population = self._algorithm.ask()
        if self._population is None or len(self._population) == 0:
            # Every child equalled a known vector: go on with fresh ones.
            fresh = self._newcomers(self._algorithm.pop_size)
            self._population = Population.new("X", np.array(fresh, dtype=np.float64))
        self._queue.start([np.asarray(row, dtype=np.float64) for row in self._population.get("X")])

    def _random_vectors(self, count: int) -> Sequence[Vector]:
        fresh: Vector = self._algorithm.random_state.random((count, self._problem.n_var))
        return list(fresh)
