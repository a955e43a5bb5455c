"""What a campaign tells the person who waits for it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from uav_testgen.campaign.ranking import promising
from uav_testgen.predict.evaluation import Evaluation


class Observer(Protocol):
    """Receives events; must not raise."""

    def search(self, progress: Progress) -> None:
        """Some evaluations are done."""
        ...

    def generation(self, row: Mapping[str, float]) -> None:
        """A generation of the search is complete; the row is that of the generator's report."""
        ...

    def phase(self, text: str) -> None:
        """A new stage begins."""
        ...

    def note(self, text: str) -> None:
        """Something the user should know."""
        ...


class Silent:
    """Nobody is watching."""

    def search(self, progress: Progress) -> None:
        """Ignored."""

    def generation(self, row: Mapping[str, float]) -> None:
        """Ignored."""

    def phase(self, text: str) -> None:
        """Ignored."""

    def note(self, text: str) -> None:
        """Ignored."""


@dataclass
class Progress:
    """Running totals of the search."""

    budget: int
    accept_below_m: float
    evaluated: int = 0
    refused: int = 0
    flights: int = 0
    failures: int = 0
    errors: int = 0
    best_m: float | None = None
    replayed: int = 0
    session_flights: int = 0
    _started_s: float = field(default_factory=time.monotonic)

    def add(self, evaluations: Sequence[Evaluation], *, replayed: bool) -> None:
        """Count evaluations; replayed ones were flown in an earlier session."""
        failures = promising(evaluations, self.accept_below_m)
        self.failures += len(failures)
        for evaluation in evaluations:
            flights = int(evaluation.details.get("flights", 0))
            self.flights += flights
            if evaluation.status.value == "invalid_scenario":
                self.refused += 1
                continue
            self.evaluated += 1
            self.errors += not evaluation.verdicts
            if replayed:
                self.replayed += 1
            else:
                self.session_flights += flights
            distance_m = evaluation.distance_m
            if distance_m is not None and (self.best_m is None or distance_m < self.best_m):
                self.best_m = distance_m

    @property
    def session_s(self) -> float:
        """Time since this session began."""
        return time.monotonic() - self._started_s

    @property
    def flights_per_s(self) -> float:
        """Flights of this session per second."""
        return self.session_flights / max(self.session_s, 1e-9)

    @property
    def eta_s(self) -> float | None:
        """Time left at the speed of this session; None before anything is known."""
        done = self.evaluated - self.replayed
        if done <= 0:
            return None
        return (self.budget - self.evaluated) * self.session_s / done
