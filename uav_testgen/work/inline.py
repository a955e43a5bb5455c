"""The executor without processes: one task after the other, here. For debugging and small searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any

from uav_testgen.backend.registry import make_backend
from uav_testgen.core.errors import BackendError
from uav_testgen.work.executor import Task, WorkerPlan
from uav_testgen.work.worker import run_task


class InlineExecutor:
    """Runs in the calling process; a flight cannot be interrupted, only the pause between two tasks."""

    def __init__(self, plan: WorkerPlan) -> None:
        self._backend = make_backend(plan.backend, plan.settings)

    def __enter__(self) -> InlineExecutor:
        self._backend.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._backend.__exit__(kind, error, trace)

    def run(self, tasks: Sequence[Task], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        """One result at a time, in order."""
        for task in tasks:
            check_stop()
            yield [run_task(task, self._backend)]

    def close(self) -> None:
        """Nothing runs between two tasks."""


class NoFlights:
    """The executor of those who only look at what is on record."""

    def __enter__(self) -> NoFlights:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing was started."""

    def run(self, tasks: Sequence[Task], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        """BackendError where somebody wants a flight after all."""
        if tasks:
            raise BackendError("nothing is flown here; resume the campaign with the command that began it")
        return iter(())

    def close(self) -> None:
        """Nothing runs."""
