"""The search: ask, refuse or fly, store, tell, until the budget is spent.

Resuming replays the search: the generator is asked the same questions and told the stored answers,
and only what is missing is flown. So a resumed search cannot differ from an uninterrupted one, and a
generator whose code changed in between is found out.

Scenarios are flown as their test files will hold them, so that a file gives the flight that was reported.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.flown_answers import FlownAnswers
from uav_testgen.campaign.keep import Kept
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.record import evaluation_from_body, evaluation_to_body, number_of
from uav_testgen.campaign.screening import ScreenTask, evaluation_seed, refuse
from uav_testgen.campaign.turns import turns
from uav_testgen.core.errors import StoreError
from uav_testgen.generator.base import Generator
from uav_testgen.generator.reporting import generations_of
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.stages import Stages
from uav_testgen.scenario.formats.aerialist_write import as_written
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.executor import Executor
from uav_testgen.work.store import AnyRecord, Store, understood

KIND = "evaluation"
# A generator that proposes only invalid scenarios for this many batches will not recover.
_MAX_IDLE_BATCHES = 50


class Search:
    """One search on one store."""

    def __init__(
        self,
        config: CampaignConfig,
        generator: Generator,
        store: Store,
        executor: Executor,
        observer: Observer,
        check_stop: Callable[[], None],
    ) -> None:
        self._config = config
        self._generator = generator
        self._store = store
        self._executor = executor
        self._observer = observer
        self._check_stop = check_stop
        self._known: dict[int, AnyRecord] = {}
        self._answers: FlownAnswers | None = None
        self._earlier_s = 0.0
        self._generations_told = 0
        self._started_s = time.monotonic()
        self.progress = Progress(config.budget.evaluations, config.screening.accept_below_m)
        self.end_reason = "the budget of simulations is spent"

    @property
    def elapsed_s(self) -> float:
        """Searching time over all sessions."""
        return self._earlier_s + time.monotonic() - self._started_s

    def remember(self, records: Sequence[AnyRecord]) -> None:
        """Evaluations of earlier sessions; they stay in the file until they are needed."""
        for record in records:
            self._check_stop()
            body = record.body
            with understood(self._store.path, "an evaluation"):
                self._known[number_of(body)] = record
                self._earlier_s = max(self._earlier_s, float(body.get("elapsed_s", 0.0)))

    def remember_flights(self, records: Sequence[AnyRecord]) -> None:
        """Fly one by one, each on record when it arrives: the backend does not repeat its flights."""
        backend = self._config.screening.backend
        self._answers = FlownAnswers(backend, self._store, records, self._executor, self._check_stop)

    def run(self) -> list[Evaluation]:
        """All evaluations in order of number; trajectories are kept only where a test may be chosen."""
        kept = Kept(self._config)
        evaluated, idle_batches = 0, 0
        for batch in turns(self._generator, lambda: self._room(len(kept.evaluations)), self._evaluate):
            if not batch:
                said = getattr(self._generator, "end_reason", "")
                self.end_reason = said or "the generator has nothing more to propose"
                break
            self._tell_generations()
            kept.add(batch)
            idle_batches = 0 if self.progress.evaluated > evaluated else idle_batches + 1
            evaluated = self.progress.evaluated
            if idle_batches >= _MAX_IDLE_BATCHES:
                self.end_reason = f"{idle_batches} batches in a row held no valid scenario"
                self._observer.note(f"the search ends early: {self.end_reason}")
                break
        return kept.evaluations

    def _room(self, done: int) -> int:
        """How many scenarios may be asked for next; 0 ends the search."""
        remaining = self._config.budget.evaluations - self.progress.evaluated
        if remaining <= 0:
            return 0
        self._check_stop()
        if self._out_of_time(done):
            self.end_reason = "the time budget is spent"
            return 0
        return min(self._config.batch_size, remaining)

    def _tell_generations(self) -> None:
        """Every generation that was completed since the last batch."""
        rows = generations_of(self._generator)
        for row in rows[self._generations_told :]:
            self._observer.generation(row)
        self._generations_told = len(rows)

    def _out_of_time(self, next_number: int) -> bool:
        """What is stored already costs no time, so the limit is asked only before new flights."""
        limit_s = self._config.budget.wall_s
        return limit_s is not None and next_number not in self._known and self.elapsed_s >= limit_s

    def _evaluate(self, first: int, asked: Sequence[Scenario]) -> list[Evaluation]:
        screening = self._config.screening
        worst = bool(getattr(self._generator, "looks_at_worst_run", False))
        own: Stages | None = getattr(self._generator, "stages", None)
        stages = screening.all_stages if own is None else own
        found: dict[int, Evaluation] = {}
        tasks: list[ScreenTask] = []
        refused: list[Evaluation] = []
        for number, scenario in enumerate(map(as_written, asked), start=first):
            if number in self._known:
                found[number] = self._recall(number, scenario)
                continue
            refusal = refuse(number, scenario)
            if refusal is not None:
                refused.append(refusal)
                continue
            tasks.append(
                ScreenTask(
                    number,
                    scenario,
                    evaluation_seed(self._config.seed, number),
                    stages,
                    screening.scatter,
                    keep="worst" if worst else "nominal",
                    measure=getattr(self._generator, "measure", None),
                    requirements=self._config.requirements,
                    ranked_by=self._config.ranking.requirement,
                )
            )
        self._count(list(found.values()), replayed=True)
        # Lazily, so that each group is on the disk before the next one is waited for.
        for group in chain([refused], self._flown(tasks)):
            stored = self._keep(group)
            found.update((evaluation.number, evaluation) for evaluation in stored)
            self._count(stored, replayed=False)
        return [found[number] for number in sorted(found)]

    def _flown(self, tasks: Sequence[ScreenTask]) -> Iterator[list[Evaluation]]:
        if self._answers is None:
            return self._executor.run(tasks, self._check_stop)
        return self._answers.evaluate(tasks)

    def _recall(self, number: int, scenario: Scenario) -> Evaluation:
        evaluation = read_back(self._known.pop(number).body, str(self._store.path))
        check_same_scenario(evaluation, scenario, self._generator.name, str(self._store.path))
        return evaluation

    def _keep(self, group: Sequence[Evaluation]) -> list[Evaluation]:
        """Make evaluations durable and return them as they will be read back."""
        bodies = []
        for evaluation in group:
            body = evaluation_to_body(evaluation, self._config.stored_period_s)
            bodies.append({**body, "elapsed_s": round(self.elapsed_s, 3)})
        self._store.append([(KIND, body) for body in bodies])
        return [read_back(json.loads(json.dumps(body)), str(self._store.path)) for body in bodies]

    def _count(self, group: Sequence[Evaluation], *, replayed: bool) -> None:
        if group:
            self.progress.add(group, replayed=replayed)
            self._observer.search(self.progress)


def read_back(body: dict[str, Any], source: str) -> Evaluation:
    """A stored evaluation; StoreError where another version wrote it."""
    with understood(source, "an evaluation"):
        return evaluation_from_body(body)


def check_same_scenario(evaluation: Evaluation, proposed: Scenario, generator: str, source: str) -> None:
    """StoreError where a replayed generator proposes something else than is stored under that number."""
    if evaluation.scenario.id != proposed.id:
        raise StoreError(
            f"{source}: evaluation {evaluation.number} holds scenario {evaluation.scenario.id}, but "
            f"generator '{generator}' now proposes {proposed.id}: its code or a "
            "library changed since. "
            "Use the version named in the first record, or start again in another --out"
        )
