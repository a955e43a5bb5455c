"""The executor contract: tasks in, results out, in any order, each exactly once.

An executor decides nothing about a campaign; it does not even know what a task computes. A task that
keeps killing workers comes back through its own `given_up` instead of stopping everybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from uav_testgen.backend.base import Backend
from uav_testgen.predict.evaluation import EvaluationStatus


class Task(Protocol):
    """Work for one backend; plain picklable data."""

    @property
    def number(self) -> int:
        """Tells the tasks of one call apart."""
        ...

    @property
    def flights(self) -> int:
        """Most flights it may take: its time limit is that many flight limits."""
        ...

    def run(self, backend: Backend) -> Any:
        """The result; a pure function of the task and the backend."""
        ...

    def given_up(self, status: EvaluationStatus, message: str) -> Any:
        """The result where no worker could deliver one."""
        ...


@dataclass(frozen=True, slots=True)
class WorkerPlan:
    """What a worker needs to build its backend; plain data, so it travels to any machine."""

    backend: str
    settings: dict[str, Any] = field(default_factory=dict)


class Executor(Protocol):
    """A context manager that runs tasks."""

    def run(self, tasks: Sequence[Task], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        """Groups of results as they come; `check_stop` may raise at any moment."""
        ...

    def close(self) -> None:
        """Stop all workers at once."""
        ...
