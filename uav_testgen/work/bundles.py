"""Which tasks go to a worker together, and what a lost worker says about them.

Sending a task costs a message each way, so short tasks travel in bundles of about a second. A worker that is
lost with a bundle does not tell which of its tasks did it: each of them is then flown alone, and only a task
that was alone when its worker died is counted against. A worker that holds two bundles may die in the second
before the answer to the first has left it: whoever is suspect therefore travels with nothing before or behind
it, so that an innocent task is blamed once at most. Loss of a whole machine is nobody's fault.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Sequence
from typing import Any

from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.work.executor import Task

log = logging.getLogger(__name__)

BUNDLE_S = 1.0
_MOST_TASKS = 1000
# Weight of the newest bundle in the running mean of the time a task takes.
_NEWEST = 0.3


class Bundles:
    """The tasks of one call: waiting, under way, done. Every task is answered exactly once."""

    def __init__(
        self, tasks: Sequence[Task], tries: int, task_s: float | None = None, *, one_by_one: bool = False
    ) -> None:
        self._one_by_one = one_by_one
        self._waiting = deque(tasks)
        self._open = {task.number for task in tasks}
        self._alone: set[int] = set()
        self._deaths: dict[int, int] = {}
        self._tries = tries
        self.task_s = task_s
        """Seconds a task takes; None before the first answer."""

    @property
    def open_count(self) -> int:
        """Tasks without an answer."""
        return len(self._open)

    def is_suspect(self, bundle: Sequence[Task]) -> bool:
        """Whether a worker was lost with one of these before."""
        return any(task.number in self._alone or task.number in self._deaths for task in bundle)

    def take(self, workers: int, *, idle: bool = True) -> list[Task]:
        """The next bundle for one of `workers`; empty if nothing waits, or nothing for one that is not idle."""
        if not self._waiting or (not idle and self.is_suspect([self._waiting[0]])):
            return []
        if self._one_by_one or self._waiting[0].number in self._alone or self.task_s is None:
            return [self._waiting.popleft()]
        wanted = math.ceil(BUNDLE_S / max(self.task_s, BUNDLE_S / _MOST_TASKS))
        # Near the end everybody gets a share: an idle worker costs more than a message.
        wanted = min(wanted, math.ceil(len(self._waiting) / max(workers, 1)))
        bundle: list[Task] = []
        while self._waiting and len(bundle) < wanted and self._waiting[0].number not in self._alone:
            bundle.append(self._waiting.popleft())
        return bundle

    def finished(self, bundle: Sequence[Task], results: Sequence[Any], seconds: float) -> list[Any]:
        """The results of a bundle that came back, without any that were answered before."""
        each_s = seconds / max(len(bundle), 1)
        self.task_s = each_s if self.task_s is None else (1 - _NEWEST) * self.task_s + _NEWEST * each_s
        fresh = []
        for task, result in zip(bundle, results, strict=True):
            if task.number in self._open:
                self._open.remove(task.number)
                fresh.append(result)
        return fresh

    def lost(self, bundle: Sequence[Task], *, machine_lost: bool, reason: str = "") -> list[Any]:
        """The worker is gone: what is given up now; the rest waits again, first in the queue."""
        if len(bundle) > 1 and not machine_lost:
            self._alone.update(task.number for task in bundle)
        if len(bundle) == 1 and not machine_lost:
            number = bundle[0].number
            self._deaths[number] = self._deaths.get(number, 0) + 1
            if self._deaths[number] >= self._tries:
                why = f"in quarantine: {self._tries} workers died while flying it{reason}"
                return self._give_up(bundle[0], EvaluationStatus.BACKEND_ERROR, why)
        what = f"task {bundle[0].number}" if len(bundle) == 1 else f"{len(bundle)} tasks"
        log.warning("a worker was lost with %s; flown again", what)
        self._waiting.extendleft(reversed(bundle))
        return []

    def late(self, bundle: Sequence[Task], flight_timeout_s: float) -> list[Any]:
        """The worker was stopped because it took too long."""
        if len(bundle) == 1:
            why = f"the flight computed longer than {flight_timeout_s:g} s and was stopped"
            return self._give_up(bundle[0], EvaluationStatus.TIMEOUT, why)
        return self.lost(bundle, machine_lost=False)

    def put_back(self, bundle: Sequence[Task]) -> None:
        """These were queued behind a bundle that killed the worker: they have not been touched."""
        self._waiting.extendleft(reversed(bundle))

    def _give_up(self, task: Task, status: EvaluationStatus, why: str) -> list[Any]:
        if task.number not in self._open:
            return []
        self._open.remove(task.number)
        return [task.given_up(status, why)]
