"""Points flown by workers: what is known already comes from the store, the rest is flown and kept.

A point's flight depends on the point alone: the sensors' noise is seeded from its bytes. So it does not matter who
flies it or when, and a study that was interrupted goes on by asking for the same points again.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from uav_testgen.assurance.question import Answer, Question
from uav_testgen.assurance.spaces import Space, scatter_u
from uav_testgen.backend.base import Backend
from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import BackendError, StoreError
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.predict.runs import fly_drawn
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.store import Store, understood

KIND, STUDY = "certified_flight", "certified_question"
_TOGETHER = 4
"""Flights of one task: short ones would otherwise wait for each other's pipes."""
_PORTION = 200
"""Flights between two writes: what an interruption can cost."""

Progress = Callable[[int, int], None]
"""(flights so far, failures among them)."""


def seed_of(point: FloatArray) -> int:
    """The seed of everything in a flight that the point does not say."""
    return int.from_bytes(hashlib.blake2b(point.tobytes(), digest_size=8).digest(), "little") >> 1


@dataclass(frozen=True, slots=True)
class PointTask:
    """Fly some points."""

    number: int
    runs: tuple[tuple[Scenario, FloatArray, int], ...]
    question: Question
    scatter: ScatterConfig

    @property
    def flights(self) -> int:
        """One per point."""
        return len(self.runs)

    def run(self, backend: Backend) -> tuple[int, list[Answer]]:
        """The answers in order."""
        found = []
        for scenario, u, seed in self.runs:
            flight, is_free = fly_drawn(backend, scenario, u, seed, self.scatter)
            found.append(self.question.answer(scenario, flight, self.scatter, is_free))
        return self.number, found

    def given_up(self, status: EvaluationStatus, message: str) -> tuple[int, list[Answer]]:
        """A probability cannot leave flights out."""
        raise BackendError(f"a flight could not be flown ({status.value}): {message}")


class Flights:
    """Answers for points, in the order in which they are asked for."""

    def __init__(
        self,
        executor: Any,
        space: Space,
        question: Question,
        scatter: ScatterConfig,
        store: Store | None = None,
        study: dict[str, Any] | None = None,
        progress: Progress = lambda flown, failed: None,
        check_stop: Callable[[], None] = lambda: None,
    ) -> None:
        self._executor, self._space, self._question, self._scatter = executor, space, question, scatter
        self._store, self._progress, self._check_stop = store, progress, check_stop
        self._known: list[Answer] = _known(store, study or {}) if store is not None else []
        self.answers: list[Answer] = []
        self.uncounted = 0
        """Points whose scene breaks a rule."""
        self.from_store = 0

    def margins(self, points: FloatArray) -> FloatArray:
        """What was left at each point; infinite where it does not count or says nothing."""
        for start in range(0, len(points), _PORTION):
            self._portion(points[start : start + _PORTION])
        found = self.answers[-len(points) :] if len(points) else []
        return np.array([math.inf if one.margin is None else one.margin for one in found])

    def _portion(self, points: FloatArray) -> None:
        again = self._known[len(self.answers) : len(self.answers) + len(points)]
        self.answers += again
        self.from_store += len(again)
        fresh = self._flown(points[len(again) :])
        self.answers += fresh
        if self._store is not None and fresh:
            self._store.append([(KIND, {"margins": [_plain(one.margin) for one in fresh],
                                        "shares": [one.real_share for one in fresh]})])  # fmt: skip
        self._progress(
            len(self.answers), sum(one.margin is not None and one.margin < 0.0 for one in self.answers)
        )

    def _flown(self, points: FloatArray) -> list[Answer]:
        found: dict[int, Answer] = {}
        runs: list[tuple[int, tuple[Scenario, FloatArray, int]]] = []
        for number, point in enumerate(points):
            scenario = self._space.scenario(point)
            if scenario is None:
                found[number] = Answer(None, None)
            else:
                runs.append((number, (scenario, scatter_u(point), seed_of(point))))
        groups = [runs[start : start + _TOGETHER] for start in range(0, len(runs), _TOGETHER)]
        tasks = [
            PointTask(number, tuple(run for _, run in group), self._question, self._scatter)
            for number, group in enumerate(groups)
        ]
        for finished in self._executor.run(tasks, self._check_stop):
            for task, answers in finished:
                for (number, _), answer in zip(groups[task], answers, strict=True):
                    found[number] = answer
        return [found[number] for number in range(len(points))]


def _plain(margin: float | None) -> float | str | None:
    return "inf" if margin == math.inf else "-inf" if margin == -math.inf else margin


def _known(store: Store, study: dict[str, Any]) -> list[Answer]:
    """Answers of an earlier, interrupted call; StoreError where the folder belongs to another question."""
    found: list[Answer] = []
    records = store.open()
    if not records:
        store.append([(STUDY, study)])
        return found
    with understood(store.path, "flights of `certify`"):
        for record in records:
            body = record.body
            if record.kind == STUDY and body != study:
                changed = next((key for key in study if body.get(key) != study[key]), "settings")
                raise StoreError(
                    f"{store.path}: belongs to another question ('{changed}' differs); choose another --out"
                )
            if record.kind == KIND:
                for margin, share in zip(body["margins"], body["shares"], strict=True):
                    found.append(Answer(None if margin is None else float(margin), share))
    return found


def answered(answers: Sequence[Answer]) -> list[Answer]:
    """Those that say something."""
    return [one for one in answers if one.margin is not None]
