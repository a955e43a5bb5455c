"""Driving one greedy search: ask for a pair, fly it, keep it, tell. Resuming recalls what was flown.

The store is the campaign's. An evaluation is found again by its scenario, so a search that was killed
asks the same questions and only flies what it has no answer for.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from uav_testgen.campaign.flown_answers import FlownAnswers
from uav_testgen.campaign.observe import Observer
from uav_testgen.campaign.record import evaluation_to_body
from uav_testgen.campaign.screening import Kept, Measure, ScreenTask
from uav_testgen.campaign.search import read_back
from uav_testgen.campaign.turns import turns
from uav_testgen.core.rng import derive_seed
from uav_testgen.generator.surrealist.generator import SurrealistGenerator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.stages import stages_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.executor import Executor
from uav_testgen.work.store import Store

KIND = "evaluation"
FITNESS = "fitness"
"""The unit of a fitness of one's own: shown as it is. Others are distances, whose negative is maximised."""
FRESH = "fresh"
"""The purpose of flights with seeds that the search has not seen."""
_WORD_EVERY_S = 2.0


@dataclass(frozen=True, slots=True)
class Flying:
    """How candidates are flown."""

    seed: int
    runs: int
    keep: Kept
    requirements: tuple[str, ...] = ()
    """What the seed and the best are judged by when the search is over; the search itself looks at the likeness."""

    def task(
        self, number: int, scenario: Scenario, purpose: str = "run", measure: Measure | None = None
    ) -> ScreenTask:
        """The task of one candidate: the same runs for all, so that two differ by what was changed, not by luck.

        Another purpose draws other runs. A single run is the nominal one.
        """
        drawn = self.runs if self.runs > 1 else 0
        seed = derive_seed(self.seed, purpose)
        judged_by = self.requirements if purpose == FRESH else ()
        return ScreenTask(
            number,
            scenario,
            seed,
            stages_of(drawn),
            keep=self.keep,
            measure=measure,
            requirements=judged_by,
        )


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The two ends of a search with what lies between them."""

    seed: Evaluation
    best: Evaluation
    fitness: tuple[float | None, ...]
    seed_fitness: float | None
    best_fitness: float | None
    end_reason: str
    convergence: tuple[tuple[int, float | None], ...]
    """Evaluations and best fitness after every round."""
    evaluations: int
    recalled: int
    needed_budget: int
    rounds: int
    refused: int
    eval_wall_s: float
    eval_cpu_s: float


class NeighbourSearch:
    """One search with a generator on an executor; the store is optional."""

    def __init__(
        self,
        generator: SurrealistGenerator,
        flying: Flying,
        executor: Executor,
        observer: Observer,
        check_stop: Callable[[], None],
        store: Store | None = None,
        known: Sequence[dict[str, Any]] = (),
        answers: FlownAnswers | None = None,
    ) -> None:
        self._generator = generator
        self._flying = flying
        self._executor = executor
        self._observer = observer
        self._check_stop = check_stop
        self._store = store
        self._answers = answers
        self._known = {str(body["scenario_id"]): body for body in known}
        self._recalled = 0
        self._reasons: set[str] = set()
        self._spoke_s = 0.0

    def run(self, budget: int, unit: str) -> SearchResult:
        """Search until the generator has nothing more to ask."""
        done: list[Evaluation] = []
        by_id: dict[str, Evaluation] = {}
        values: list[float | None] = []
        for batch in turns(self._generator, self._room, self._evaluate):
            if not batch:
                break
            values += [self._generator.fitness(evaluation) for evaluation in batch]
            done += batch
            self._note_reasons(batch)
            by_id.update((evaluation.scenario.id, evaluation) for evaluation in batch)
            self._report(len(done), budget, unit)
        search = self._generator.search
        best = by_id[self._generator.identify(search.best.properties)]
        walls = [float(item.details["wall_s"]) for item in done if "wall_s" in item.details]
        cpus = [float(item.details["cpu_s"]) for item in done if "cpu_s" in item.details]
        return SearchResult(
            seed=done[0],
            best=best,
            fitness=tuple(values),
            seed_fitness=search.seed_fitness,
            best_fitness=search.best.fitness,
            end_reason=self._generator.end_reason,
            convergence=search.convergence,
            evaluations=search.evaluations,
            recalled=self._recalled,
            needed_budget=search.needed_budget,
            rounds=search.round,
            refused=search.refused,
            eval_wall_s=sum(walls) / len(walls) if walls else 0.0,
            eval_cpu_s=sum(cpus) / len(cpus) if cpus else 0.0,
        )

    def _note_reasons(self, batch: Sequence[Evaluation]) -> None:
        """Why an own fitness gave no number, each reason once."""
        for evaluation in batch:
            reason = evaluation.details.get("no_fitness")
            if isinstance(reason, str) and reason not in self._reasons:
                self._reasons.add(reason)
                self._observer.note(f"evaluation {evaluation.number} has no fitness: {reason}")

    def _room(self) -> int:
        """A greedy search asks for pairs, until it is finished."""
        self._check_stop()
        return 2

    def fly_again(self, scenario: Scenario) -> Evaluation:
        """A scenario with seeds the search has not seen: what its result is worth."""
        task = self._flying.task(0, scenario, FRESH, self._generator.measure)
        (evaluation,) = [one for group in self._fly([task]) for one in group]
        return evaluation

    def _fly(self, tasks: Sequence[ScreenTask]) -> Iterator[list[Evaluation]]:
        """Evaluations as they come; each single flight is on record where it happens only once."""
        if self._answers is not None:
            return self._answers.evaluate(tasks)
        return self._executor.run(tasks, self._check_stop)

    def _evaluate(self, first: int, asked: Sequence[Scenario]) -> list[Evaluation]:
        found: dict[int, Evaluation] = {}
        tasks: list[ScreenTask] = []
        for number, scenario in enumerate(asked, start=first):
            body = self._known.get(scenario.id)
            if body is None:
                tasks.append(self._flying.task(number, scenario, measure=self._generator.measure))
                continue
            found[number] = read_back({**body, "number": number}, "the stored search")
            self._recalled += 1
        for group in self._fly(tasks) if tasks else ():
            for evaluation in self._keep(group):
                found[evaluation.number] = evaluation
        return [found[number] for number in sorted(found)]

    def _keep(self, group: Sequence[Evaluation]) -> list[Evaluation]:
        """Make evaluations durable and return them as they will be read back."""
        bodies = [evaluation_to_body(evaluation, 0.0) for evaluation in group]
        if self._store is not None:
            self._store.append([(KIND, body) for body in bodies])
        return [read_back(json.loads(json.dumps(body)), "a search") for body in bodies]

    def _report(self, done: int, budget: int, unit: str) -> None:
        search = self._generator.search
        now_s = time.monotonic()
        if now_s - self._spoke_s < _WORD_EVERY_S and not search.finished:
            return
        self._spoke_s = now_s

        def text(value: float | None) -> str:
            return "-" if value is None else f"{value if unit == FITNESS else -value:.2f}"

        self._observer.phase(
            f"{done} of at most {budget} evaluations, round {search.round}, {unit} "
            f"{text(search.seed_fitness)} -> {text(search.best.fitness)}"
        )
