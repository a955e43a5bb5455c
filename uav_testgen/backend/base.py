"""What every backend promises: fly one scenario with one seed, and say what its word is worth.

A backend is a context manager: what it starts (processes, nodes, containers) it stops on leaving.
Trouble of its own is a BackendError, BackendAbsent where no other flight would fare better; a drone that
crashes is a Flight with an ending.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, runtime_checkable

from uav_testgen.core.errors import BackendError
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Flight
from uav_testgen.loop.system import System
from uav_testgen.scenario.model import Scenario


class BackendAbsent(BackendError):
    """Nobody is there who could fly: every scenario would meet the same, so work that flies many of them stops."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a caller may rely on.

    `deterministic`: the same scenario and seed give the same flight, bit for bit.
    `evidence`: what its flights prove.
    `records`: `record_to(path)` makes the next flight leave a recording (MCAP) there.
    """

    deterministic: bool
    evidence: Evidence
    records: bool = False

    @property
    def prediction(self) -> bool:
        """True unless its flights can confirm or refute a prediction."""
        return not self.evidence.confirms


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
class SimulatingBackend(Backend, Protocol):
    """A backend that simulates a system and can fly variants of it."""

    system: System

    def fly_system(self, system: System, scenario: Scenario, seed: int) -> Flight:
        """One flight of a system that differs from the backend's own in some numbers."""
        ...
