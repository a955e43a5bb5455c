"""Why did a test fail? The moment, the planner's choice there, which obstacles matter, what would have saved it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from uav_testgen.assurance.circumstances import Circumstances, circumstances
from uav_testgen.assurance.counterfactual import Counterfactual, counterfactuals
from uav_testgen.assurance.failing import Trial, Trials, must_fail
from uav_testgen.assurance.mechanism import MEANINGS, Mechanism, mechanism_of
from uav_testgen.assurance.question import Breach
from uav_testgen.backend.base import SimulatingBackend
from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Flight
from uav_testgen.loop.stepwise import SteppedFlight, StepwiseOptions
from uav_testgen.loop.system import System
from uav_testgen.oracle.stl.signals import signals_of
from uav_testgen.planner.vfh3d.planner import details_of
from uav_testgen.predict.runs import NOMINAL, as_flown, fly_run, scatter_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.obstacle_name import obstacle_name
from uav_testgen.vehicle.mission import FLYING

_MOST_CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """What the planner had to choose from when the flight became unsafe: cost and direction, cheapest first."""

    t_s: float
    candidates: tuple[tuple[float, float, float], ...]
    """(cost, elevation, azimuth) in degrees, azimuth clockwise from north as the planner has it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """All answers about one failing test; the flight is the nominal one, or the first drawn one that fails."""

    scenario: Scenario
    trial: Trial
    flight: Flight
    unsafe_s: float
    facts: Circumstances
    mechanism: Mechanism | None
    """Of all failing runs, weighed together; None where the requirement is not about distances to obstacles."""
    breach: Breach | None
    """How the requirement was broken, where it is not the safety distance."""
    choice: Choice | None
    """None for planners that do not say what they think."""
    without: tuple[Trial, ...]
    """For each obstacle: what the runs without it did."""
    saved_by: tuple[Counterfactual, ...]
    flights: int
    finished: bool
    """False: the flights were used up before all changes were tried."""
    view_rad: float
    """What the camera sees of the horizon."""

    @property
    def matters(self) -> tuple[bool, ...]:
        """For each obstacle: does the test not fail without it?"""
        return tuple(not one.fails for one in self.without)

    def lines(self) -> list[str]:
        """For people."""
        facts = self.facts
        what = obstacle_name(self.scenario, facts.obstacle_index)
        side = "left" if facts.bearing_deg > 0.0 else "right"
        closest = f"closest to {what} after {facts.moment_s:.1f} s on leg {facts.leg}"
        lines = [] if self.breach is None else [f"violated     {self.breach.sentence}"]
        if self.mechanism is None:
            lines.append("mechanism    not named: what is required is not a distance to an obstacle")
            lines.append(f"moment       broken after {self.unsafe_s:.1f} s; {closest}")
        else:
            lines += [
                f"mechanism    {self.mechanism.value}: {MEANINGS[self.mechanism]}",
                f"moment       unsafe after {self.unsafe_s:.1f} s, {closest}",
                f"camera       it lay {abs(facts.bearing_deg):.0f}° to the {side} of the heading, out of view for "
                f"{facts.unseen_share:.0%} of the 5 s before",
                f"sight        of the 20 s before, that place was {facts.in_view_s:.1f} s in view and "
                f"{facts.hidden_s:.1f} s hidden behind an obstacle",
            ]
        if self.choice is not None and self.choice.candidates:
            shown = ", ".join(
                f"{azimuth:.0f}°{_upwards(elevation)} (cost {cost:.0f})"
                for cost, elevation, azimuth in self.choice.candidates[:3]
            )
            lines.append(
                f"planner      its cheapest directions after {self.choice.t_s:.1f} s, clockwise from north: {shown}"
            )
        for number, trial in enumerate(self.without):
            word = "fails without it, too"
            if not trial.fails:
                word = "safe without it" if trial.completes else "without it, it never reaches its goal"
            lines.append(f"obstacle {number + 1:<4} {obstacle_name(self.scenario, number)}: {word}")
        for one in self.saved_by:
            less = "" if one.too_little is None else f", {one.text(one.too_little)} is not enough"
            lines.append(
                f"safe if      {one.what} by {one.text(one.amount)}{less} "
                f"(holds in {one.held} of {one.fresh} fresh runs)"
            )
        if not self.saved_by:
            lines.append("safe if      none of the changes tried makes it safe")
        rest = "" if self.finished else "; they were used up before all changes were tried (--flights)"
        return [*lines, f"cost         {self.flights} flights{rest}"]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        choice = None
        if self.choice is not None:
            choice = {"t_s": self.choice.t_s, "candidates": [
                {"cost": cost, "elevation_deg": elevation, "azimuth_deg": azimuth}
                for cost, elevation, azimuth in self.choice.candidates
            ]}  # fmt: skip
        return {
            "mechanism": None if self.mechanism is None else self.mechanism.value,
            "violated": None if self.breach is None else self.breach.sentence,
            "failed": self.trial.failed,
            "runs": self.trial.runs,
            "unsafe_s": self.unsafe_s,
            "circumstances": self.facts.to_json(),
            "planner": choice,
            "obstacles": [
                {"index": number, "decides": not one.fails, "completes": one.completes}
                for number, one in enumerate(self.without)
            ],
            "counterfactuals": [one.to_json() for one in self.saved_by],
            "flights": self.flights,
            "finished": self.finished,
        }


def explain(scenario: Scenario, trials: Trials, *, planner: bool = True) -> Explanation:
    """Why a test fails; `planner` replays the flight step by step to ask 3DVFH* what it thought."""
    backend = trials.backend
    assert isinstance(backend, SimulatingBackend)
    trial = must_fail(trials, scenario)
    failing = _failing_flights(scenario, trials)
    number, flight = failing[0]
    view_rad = max(camera.horizontal_fov_rad for camera in backend.system.rig.cameras)
    facts = circumstances(scenario, flight, view_rad)
    if facts is None:
        raise ConfigError("only failures near an obstacle can be explained; this scene has none")
    breach = trials.question.breach(scenario, flight)
    unsafe_s = unsafe_since_s(scenario, flight, facts) if breach is None else breach.since_s
    choice = None
    if planner and backend.system.planner.is_shipped:
        scatter = trials.scatter or scatter_of(backend)
        flown = as_flown(backend.system, scenario, trials.seed, number, scatter)
        choice = choice_at(*flown, unsafe_s)
    without = tuple(trials.of(_without(scenario, number)) for number in range(len(scenario.obstacles)))
    saved_by = tuple(counterfactuals(scenario, trials))
    runs = [one for one in (circumstances(scenario, run, view_rad) for _, run in failing) if one is not None]
    return Explanation(
        scenario,
        trial,
        flight,
        unsafe_s,
        facts,
        mechanism_of(*runs) if breach is None or breach.by_obstacle else None,
        breach,
        choice,
        without,
        saved_by,
        trials.flown,
        not trials.is_spent,
        view_rad,
    )


def unsafe_since_s(scenario: Scenario, flight: Flight, facts: Circumstances) -> float:
    """When the clearance last fell below the safe distance before the closest approach; that one if it never did."""
    clearance = signals_of(scenario, flight, ["clearance"])["clearance"]
    t_s = flight.trajectory.t_s - flight.trajectory.t_s[0]
    safe = np.flatnonzero((clearance >= SAFE_DISTANCE_M) & (t_s < facts.moment_s))
    return float(t_s[min(int(safe[-1]) + 1, len(t_s) - 1)]) if len(safe) else facts.moment_s


def choice_at(system: System, scenario: Scenario, seed: int, t_s: float) -> Choice | None:
    """What 3DVFH* weighed in the last plan of a flight up to a moment; the flight is replayed step by step."""
    flown = SteppedFlight(system, scenario, seed, StepwiseOptions(record_planner=True))
    found: Choice | None = None
    while flown.tracker.code == FLYING and flown.t_s <= t_s:
        plan = flown.plan(flown.sense())
        result = details_of(plan)
        if (
            result is not None
            and result.planned_now
            and result.trace is not None
            and result.trace.costs is not None
        ):
            best = sorted(result.trace.costs.candidates, key=lambda one: one.cost)[:_MOST_CANDIDATES]
            directions = tuple((float(c.cost), float(c.elevation_deg), float(c.azimuth_deg)) for c in best)
            found = Choice(flown.t_s, directions)
        flown.move(plan)
    return found


def _upwards(elevation_deg: float) -> str:
    """Only where it matters: most directions are level."""
    if abs(elevation_deg) < 0.5:
        return ""
    return f" and {abs(elevation_deg):.0f}° {'up' if elevation_deg > 0.0 else 'down'}"


def _failing_flights(scenario: Scenario, trials: Trials) -> list[tuple[int, Flight]]:
    """The flights that fail with their numbers, the nominal one first; that one alone where none does."""
    scatter = trials.scatter or scatter_of(trials.backend)
    found = []
    for number in range(trials.runs + 1 if scatter.varies else 1):
        flight, is_free = fly_run(trials.backend, scenario, trials.seed, number, scatter)
        trials.flown += 1
        margin = trials.question.answer(scenario, flight, scatter, is_free).margin
        if margin is not None and margin < 0.0:
            found.append((number, flight))
    return found or [(NOMINAL, fly_run(trials.backend, scenario, trials.seed, NOMINAL, scatter)[0])]


def _without(scenario: Scenario, number: int) -> Scenario:
    kept: Sequence[Any] = scenario.obstacles[:number] + scenario.obstacles[number + 1 :]
    return scenario.with_obstacles(tuple(kept))
