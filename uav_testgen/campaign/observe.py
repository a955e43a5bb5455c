"""What a campaign tells the person who waits for it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from uav_testgen.campaign.ranking import promising
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus


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
    best_margin: float | None = None
    """The worst margin of the requirements found so far; None where the campaign has none."""
    replayed: int = 0
    _first_s: float | None = None
    _since_first: int = 0
    _flights_since_first: int = 0

    def add(self, evaluations: Sequence[Evaluation], *, replayed: bool) -> None:
        """Count evaluations; replayed ones were flown in an earlier session."""
        flown = [one for one in evaluations if one.status.value != "invalid_scenario"]
        self.refused += len(evaluations) - len(flown)
        self.failures += len(promising(evaluations, self.accept_below_m))
        flights = sum(int(one.details.get("flights", 0)) for one in flown)
        self.count(len(flown), flights, replayed=replayed)
        for evaluation in flown:
            self.errors += evaluation.status is not EvaluationStatus.VALID
            distance_m = evaluation.distance_m
            if distance_m is not None and (self.best_m is None or distance_m < self.best_m):
                self.best_m = distance_m
            margin = evaluation.margin
            if margin is not None and (self.best_margin is None or margin < self.best_margin):
                self.best_margin = margin

    def count(self, evaluations: int, flights: int, *, replayed: bool) -> None:
        """Count answers that arrived together."""
        self.evaluated += evaluations
        self.flights += flights
        if replayed:
            self.replayed += evaluations
        elif self._first_s is None and evaluations:
            # The clock starts at the first answer: before it workers start and may compile for a minute.
            self._first_s = time.monotonic()
        else:
            self._since_first += evaluations
            self._flights_since_first += flights

    @property
    def flights_per_s(self) -> float | None:
        """Flights per second since the first answer; None before anything is known."""
        return self._flights_since_first / self._timed_s if self._since_first else None

    @property
    def eta_s(self) -> float | None:
        """Time left at that speed; None before anything is known."""
        if not self._since_first:
            return None
        return (self.budget - self.evaluated) * self._timed_s / self._since_first

    @property
    def _timed_s(self) -> float:
        return max(time.monotonic() - (self._first_s or 0.0), 1e-9)
