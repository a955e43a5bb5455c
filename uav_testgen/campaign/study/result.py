"""What one run of a study gave: what its search cost and found, and what its suite is worth."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from uav_testgen.campaign.observe import Progress
from uav_testgen.campaign.study.cells import StudyCell
from uav_testgen.campaign.study.matrix import Key


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run; None where a figure is not defined (no failure, no test, fewer than two tests)."""

    case: str
    generator: str
    budget: int
    seed: int
    simulations: int = 0
    flights: int = 0
    """Of the search; those on held-out seeds come on top."""
    first_failure: int | None = None
    """Simulations up to and with the first failure."""
    failures: int = 0
    """Different failing scenarios."""
    failing_at: tuple[int, ...] = ()
    """Simulations, from 1, at which another scenario failed for the first time."""
    best_distance_m: float | None = None
    tests: int = 0
    score_2024: float | None = None
    score_2025: float | None = None
    score_2026: float | None = None
    diversity: float | None = None
    failure_probability: float | None = None
    held_out_flights: int = 0
    suite: tuple[dict[str, Any], ...] = ()
    """Scenario and failure probability of every test, best first."""
    search_cpu_s: float = 0.0
    end_reason: str = ""
    message: str = ""

    @property
    def key(self) -> Key:
        """Which run it is."""
        return (self.case, self.generator, self.budget, self.seed)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "failing_at": list(self.failing_at), "suite": list(self.suite)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> RunResult:
        """Inverse of `to_json`."""
        return cls(**{**data, "failing_at": tuple(data["failing_at"]), "suite": tuple(data["suite"])})

    def count_into(self, progress: Progress, *, replayed: bool) -> None:
        """Add its figures to the totals people see."""
        progress.count(self.simulations, self.flights + self.held_out_flights, replayed=replayed)
        progress.failures += self.failures
        if self.best_distance_m is not None:
            known = progress.best_m
            progress.best_m = self.best_distance_m if known is None else min(known, self.best_distance_m)


def place_of(cell: StudyCell) -> dict[str, Any]:
    """The fields that say which run it is."""
    return {"case": cell.case, "generator": cell.generator, "budget": cell.budget, "seed": cell.seed}
