"""One whole search on a worker's own backend, with its evaluations in a store of its own.

Run again, it replays what is stored and flies only what is missing. On a machine that does not see the output
folder the store is a temporary one, and its records travel home with the result.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.campaign import retrospect
from uav_testgen.campaign import search as searching
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.header import check_header
from uav_testgen.campaign.observe import Silent
from uav_testgen.campaign.study.matrix import Result, Sent
from uav_testgen.generator.base import Generator
from uav_testgen.generator.registry import build_generator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.executor import Task
from uav_testgen.work.folder import output_folder
from uav_testgen.work.stop import Interrupted
from uav_testgen.work.store import FILE_NAME, Store


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found, the evaluations its suite may be chosen from, and what the algorithm itself cost."""

    evaluations: tuple[Evaluation, ...]
    eligible: tuple[Evaluation, ...]
    end_reason: str
    search_cpu_s: float


def while_parent_lives() -> Callable[[], None]:
    """A check that raises Interrupted when the driver is gone: its successor writes to the same folder."""
    parent = os.getppid()

    def check() -> None:
        if os.getppid() != parent:
            raise Interrupted

    return check


def search_in(
    folder: Path,
    config: CampaignConfig,
    case: CaseStudy,
    backend: Backend,
    check_stop: Callable[[], None] | None = None,
) -> Searched:
    """Search, or go on searching where an earlier session stopped; a worker stops when its driver is gone."""
    check = while_parent_lives() if check_stop is None else check_stop
    with output_folder(folder, resume=True), Store(folder) as store:
        records = store.open()
        check_header(config, case, records, store)
        timed = _Timed(build_generator(config.generator, case.base, config.generator_settings, config.seed))
        search = searching.Search(config, timed, store, OnBackend(backend), Silent(), check)
        search.remember([record for record in records if record.kind == searching.KIND])
        if not backend.capabilities.deterministic:
            search.remember_flights(records)
        evaluations = search.run()
        report = retrospect.keep(timed.inner, records, store)
        eligible = retrospect.own_choice(evaluations, report, config, store)
        return Searched(tuple(evaluations), tuple(eligible), search.end_reason, timed.cpu_s)


def sent_from_away(run: Callable[[Path], Result]) -> Sent[Result]:
    """A cell run in a temporary folder, its records beside its result."""
    with tempfile.TemporaryDirectory(prefix="uav_testgen-") as name:
        folder = Path(name) / "cell"
        result = run(folder)
        return Sent(result, (folder / FILE_NAME).read_bytes())


class _Timed:
    """A generator with a stop-watch for what the algorithm itself costs; otherwise like the inner one."""

    def __init__(self, inner: Generator) -> None:
        self.inner = inner
        self.name = inner.name
        self.cpu_s = 0.0

    def __getattr__(self, name: str) -> Any:
        """Wishes a generator states as attributes (runs in stages, own measures) are the inner one's."""
        return getattr(self.inner, name)

    def ask(self, count: int) -> Sequence[Scenario]:
        """Asked of the inner one."""
        return self._measured(lambda: self.inner.ask(count))  # type: ignore[no-any-return]

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """Told to the inner one."""
        self._measured(lambda: self.inner.tell(evaluations))

    def _measured(self, action: Callable[[], Any]) -> Any:
        started_s = time.process_time()
        try:
            return action()
        finally:
            self.cpu_s += time.process_time() - started_s


class OnBackend:
    """An executor that flies on a backend which is already there."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def run(self, tasks: Sequence[Task], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        """One after the other."""
        for task in tasks:
            check_stop()
            yield [task.run(self._backend)]

    def close(self) -> None:
        """The backend belongs to the worker."""
