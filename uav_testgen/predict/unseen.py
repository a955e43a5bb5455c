"""A test flown again by seeds and presets that no search has seen.

What a search selects looks better than it is: among many candidates the luckiest draw wins. Flown again with other
draws, and with presets redrawn from what the calibration cannot decide, a test shows what it is worth. The same
test gets the same flights, whoever found it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from uav_testgen.backend.base import Backend, SimulatingBackend
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.defaults import COLLISION_DISTANCE_M, SAFE_DISTANCE_M
from uav_testgen.core.rng import derive_seed
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError, ScatterConfig
from uav_testgen.loop.system import System
from uav_testgen.oracle.competition import score_of_test
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.distribution import Distribution, Run
from uav_testgen.predict.draw import draw_u
from uav_testgen.predict.held_out import HELD_OUT_SEED, held_out_seed
from uav_testgen.predict.prediction import judged_m
from uav_testgen.predict.presets import SHIPPED, redrawn
from uav_testgen.predict.runs import fly_drawn, scatter_of
from uav_testgen.scenario.model import Scenario, Wind

_FAILS_FROM = 0.5
"""A preset on which a failure is at least this likely counts as one on which the test fails."""


class UnseenFlights(RoomConfig):
    """How often a chosen test is flown again, and under which circumstances."""

    runs: int = Field(default=5, ge=1, le=1000, description="Flights of the preset as it is")
    presets: int = Field(
        default=10,
        ge=0,
        le=1000,
        description="Flights of further presets, each redrawn from what is undecided",
    )
    wind_mps: float = Field(
        default=0.0,
        ge=0,
        le=20,
        description="All of them once more in a steady wind of this speed towards the east; 0: in still air only [m/s]",
    )
    seed: int = Field(
        default=HELD_OUT_SEED, ge=0, lt=2**63, description="Seed of these flights, whoever found the test"
    )


@dataclass(frozen=True, slots=True)
class UnseenRun:
    """One flight of a held-out preset."""

    preset: int
    """0 is the preset as it is."""
    in_wind: bool
    distance_m: float
    """Corrected for the model's bias; infinite without obstacles."""
    duration_s: float
    ending: Ending


@dataclass(frozen=True, slots=True)
class Unseen:
    """What the held-out flights of one test say."""

    runs: tuple[UnseenRun, ...]
    error: ModelError
    obstacles: int
    calibrated: bool = False
    """Was the model's error measured with this vehicle, camera and planner?"""

    @property
    def distribution(self) -> Distribution:
        """Outcomes over all flights, in still air and in wind."""
        return self._of(self.runs)

    @property
    def failure_probability(self) -> float | None:
        """How likely a flight comes nearer than the safe distance; None where that is not calibrated."""
        return self.distribution.probability_below(SAFE_DISTANCE_M) if self.calibrated else None

    @property
    def collision_probability(self) -> float | None:
        """How likely a flight comes nearer than the collision distance; None where that is not calibrated."""
        return self.distribution.probability_below(COLLISION_DISTANCE_M) if self.calibrated else None

    @property
    def too_close(self) -> int:
        """Flights nearer than the safe distance."""
        return sum(run.distance_m < SAFE_DISTANCE_M for run in self.runs)

    @property
    def expected_points(self) -> float:
        """Mean competition points of a flight."""
        return self.distribution.expected_points

    @property
    def expected_score(self) -> float:
        """What the test is expected to earn by the competition's formula."""
        found = self.distribution
        return score_of_test(found.expected_points, self.obstacles, found.mean_duration_s / 60.0)

    @property
    def presets(self) -> tuple[int, int]:
        """On how many presets it fails in still air, and how many there are."""
        calm = [run for run in self.runs if not run.in_wind]
        numbers = sorted({run.preset for run in calm})
        failing = [self._fails([run for run in calm if run.preset == number]) for number in numbers]
        return sum(failing), len(numbers)

    @property
    def is_fragile(self) -> bool:
        """Does it fail on one preset only, or on fewer than half of them?"""
        failing, count = self.presets
        return count > 1 and (failing <= 1 or 2 * failing < count)

    @property
    def is_robust(self) -> bool | None:
        """Does it fail in still air and in wind? None where no wind was flown."""
        calm = [run for run in self.runs if not run.in_wind]
        windy = [run for run in self.runs if run.in_wind]
        return self._fails(calm) and self._fails(windy) if windy else None

    def _fails(self, runs: Sequence[UnseenRun]) -> bool:
        return self._of(runs).probability_below(SAFE_DISTANCE_M) >= _FAILS_FROM

    def _of(self, runs: Sequence[UnseenRun]) -> Distribution:
        return Distribution(
            tuple(Run(one.distance_m, one.duration_s, one.ending) for one in runs), self.error
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data; a distance without obstacles is null."""
        failing, count = self.presets
        return {
            "flights": len(self.runs),
            "too_close": self.too_close,
            "failure_probability": self.failure_probability,
            "collision_probability": self.collision_probability,
            "expected_points": self.expected_points,
            "expected_score": self.expected_score,
            "presets": count,
            "presets_failing": failing,
            "fragile": self.is_fragile,
            "robust": self.is_robust,
            "distances_m": [one.distance_m if math.isfinite(one.distance_m) else None for one in self.runs],
        }


def fly_unseen(
    backend: Backend, scenario: Scenario, flights: UnseenFlights, scatter: ScatterConfig | None = None
) -> Unseen:
    """Fly a test again; a simulator without a system of its own has no presets to redraw."""
    chosen = scatter if scatter is not None else scatter_of(backend)
    seed = held_out_seed(scenario, flights.seed)
    system = backend.system if isinstance(backend, SimulatingBackend) else None
    redraws = flights.presets if system is not None and system.undecided else 0
    numbered = [*([SHIPPED] * flights.runs), *range(1, redraws + 1)]
    airs = [False, True] if flights.wind_mps > 0.0 else [False]
    runs = []
    for in_wind in airs:
        flown = in_the_air(scenario, flights.wind_mps) if in_wind else scenario
        for run, preset in enumerate(numbered, start=1):
            # Presets are those of the seed alone, so that all tests meet the same ones.
            made = None if system is None else redrawn(system, flights.seed, preset)
            runs.append(_fly(backend, flown, seed, run, preset, in_wind, chosen, made))
    calibrated = system is not None and system.is_calibrated
    return Unseen(tuple(runs), chosen.error, len(scenario.obstacles), calibrated)


def in_the_air(scenario: Scenario, wind_mps: float) -> Scenario:
    """The test in a steady wind towards the east, as public tests of 2026 have it."""
    wind = Wind(velocity_mean_mps=wind_mps, velocity_max_mps=wind_mps, direction_enu=(1.0, 0.0, 0.0))
    return scenario.model_copy(update={"wind": wind})


def _fly(
    backend: Backend, scenario: Scenario, seed: int, run: int, preset: int, in_wind: bool,
    scatter: ScatterConfig, system: System | None,
) -> UnseenRun:  # fmt: skip
    own_seed = derive_seed(seed, "run", run)
    flight, is_free = fly_drawn(backend, scenario, draw_u(seed, run), own_seed, scatter, system)
    verdict = judge(scenario, flight)
    distance_m = judged_m(scenario, verdict, scatter, is_free)
    return UnseenRun(
        preset, in_wind, math.inf if distance_m is None else distance_m, verdict.duration_s, verdict.ending
    )
