"""What every backend promises: fly one scenario with one seed, and say what it can do.

A backend is a context manager: what it starts (processes, nodes, containers) it stops on leaving.
Trouble of its own is a BackendError; a drone that crashes is a Flight with an ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, runtime_checkable

from uav_testgen.flight.model import Flight
from uav_testgen.scenario.model import Scenario
from uav_testgen.loop.scatter import ScatterConfig


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a caller may rely on.

    `deterministic`: the same scenario and seed give the same flight, bit for bit.
    `prediction`: the flight is a low-fidelity prediction, to be confirmed by another backend.
    `records`: `record_to(path)` makes the next flight leave a recording (MCAP) there.
    """

    deterministic: bool
    prediction: bool
    records: bool = False


@runtime_checkable
class Backend(Protocol):
    """Flies scenarios."""

    name: str
    capabilities: Capabilities

    def __enter__(self) -> Backend: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        """One flight."""
        ...


@runtime_checkable
class VaryingBackend(Backend, Protocol):
    """A backend whose runs of one test differ by more than the start: by noise and timing of its own."""

    def fly_varied(self, scenario: Scenario, seed: int, run: int, scatter: ScatterConfig) -> Flight:
        """Run number `run` of a test."""
        ...


@runtime_checkable
class BatchBackend(Backend, Protocol):
    """A backend that is quicker when it is given many flights at once."""

    def fly_batch(self, scenarios: Sequence[Scenario], seeds: Sequence[int]) -> list[Flight]:
        """The flights in the order asked."""
        ...
