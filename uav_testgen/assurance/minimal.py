"""The simplest scene that still fails, found as property-testing tools shrink a counter-example.

Every pass proposes simpler scenes: an obstacle less, at rest instead of moving, no wind, aligned with the axes,
smaller, with round numbers. A proposal is taken if most of its runs still fail and it breaks no rule that the
test keeps. The passes are repeated until none of them finds anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from uav_testgen.assurance.failing import Trial, Trials, is_allowed, must_fail
from uav_testgen.flight.model import Flight
from uav_testgen.predict.runs import NOMINAL, fly_run
from uav_testgen.scenario.model import Obstacle, Scenario, Terrain, Visibility, Wind
from uav_testgen.shape.kinds import Shape

_GRIDS_M: Final = (10.0, 5.0, 2.0, 1.0, 0.5, 0.1)
_TURNS_DEG: Final = (90.0, 45.0, 15.0, 5.0, 1.0)
_SHRINK: Final = (0.25, 0.5, 0.75, 0.9)
_LEAST_SIDE_M: Final = 0.5

Proposal = tuple[str, Scenario]


@dataclass(frozen=True, slots=True)
class Step:
    """One simplification that was taken."""

    what: str
    failed: int
    runs: int
    margin: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"what": self.what, "failed": self.failed, "runs": self.runs, "margin": self.margin}


@dataclass(frozen=True, slots=True)
class Minimised:
    """A scene, how it came about and what it took."""

    before: Scenario
    scenario: Scenario
    first: Trial
    last: Trial
    steps: tuple[Step, ...]
    flights: int
    finished: bool
    """False: the flights were used up before nothing was left to simplify."""


def minimise(scenario: Scenario, trials: Trials) -> Minimised:
    """The simplest scene found within the trials' budget."""
    first = must_fail(trials, scenario)
    current, steps = scenario, [Step("as given", first.failed, first.runs, first.margin)]
    tried = {scenario.id}
    changed = True
    while changed and not trials.is_spent:
        changed = False
        for propose in PASSES:
            found = _one_pass(propose, current, scenario, trials, tried, steps)
            changed |= found is not current
            current = found
    return Minimised(
        scenario, current, first, trials.of(current), tuple(steps), trials.flown, not trials.is_spent
    )


def nominal_flights(found: Minimised, trials: Trials) -> tuple[Flight, Flight]:
    """The nominal flights of the scene as given and of the simplest, for pictures."""
    before, after = (
        fly_run(trials.backend, scene, trials.seed, NOMINAL, trials.scatter)[0]
        for scene in (found.before, found.scenario)
    )
    return before, after


def _one_pass(
    propose: Callable[[Scenario], Iterator[Proposal]],
    current: Scenario,
    like: Scenario,
    trials: Trials,
    tried: set[str],
    steps: list[Step],
) -> Scenario:
    """Take the first proposal that still fails, and propose anew from there, until none does."""
    while True:
        for what, simpler in propose(current):
            if trials.is_spent:
                return current
            if simpler.id in tried or not is_allowed(simpler, like):
                continue
            tried.add(simpler.id)
            trial = trials.of(simpler)
            trials.progress(trials.flown, len(steps) - 1)
            if trial.fails:
                steps.append(Step(what, trial.failed, trial.runs, trial.margin))
                current = simpler
                break
        else:
            return current


def _fewer(scenario: Scenario) -> Iterator[Proposal]:
    for number, _ in enumerate(scenario.obstacles):
        kept = (*scenario.obstacles[:number], *scenario.obstacles[number + 1 :])
        yield f"without obstacle {number + 1} of {len(scenario.obstacles)}", scenario.with_obstacles(kept)


def _calmer(scenario: Scenario) -> Iterator[Proposal]:
    for field, plain in (("wind", Wind()), ("visibility", Visibility()), ("terrain", Terrain())):
        if getattr(scenario, field) != plain:
            yield f"without {field}", scenario.model_copy(update={field: plain})
    for number, one in enumerate(scenario.obstacles):
        if one.motion is not None:
            yield f"obstacle {number + 1} at rest", _with(scenario, number, motion=None)


def _aligned(scenario: Scenario) -> Iterator[Proposal]:
    for number, one in enumerate(scenario.obstacles):
        now_deg = math.degrees(one.yaw_rad)
        if now_deg == 0.0:
            continue
        yield f"obstacle {number + 1} along the axes", _with(scenario, number, yaw_rad=0.0)
        for step in _TURNS_DEG:
            turned = round(now_deg / step) * step
            if abs(now_deg / step - round(now_deg / step)) < 1e-9:
                break  # round already; finer steps are not simpler
            yield (
                f"obstacle {number + 1} turned to {turned:g}°",
                _with(scenario, number, yaw_rad=math.radians(turned)),
            )


def _smaller(scenario: Scenario) -> Iterator[Proposal]:
    for number, one in enumerate(scenario.obstacles):
        sides = _free_sides(one)
        for axes in sides:
            for share in _SHRINK:
                size = list(one.size_m)
                for axis in axes:
                    size[axis] = max(round(share * size[axis], 1), _LEAST_SIDE_M)
                if all(new >= old for new, old in zip(size, one.size_m, strict=True)):
                    continue
                yield f"obstacle {number + 1} of {_size(size)}", _resized(scenario, number, size)


def _rounder(scenario: Scenario) -> Iterator[Proposal]:
    for number, one in enumerate(scenario.obstacles):
        x, y, z = one.center_enu_m
        for axis, name in ((0, "east"), (1, "north")):
            for grid in _GRIDS_M:
                value = (x, y)[axis]
                near = round(round(value / grid) * grid, 6)
                if near == value:
                    break
                centre = (near, y, z) if axis == 0 else (x, near, z)
                yield (
                    f"obstacle {number + 1} at {name} {near:g} m",
                    _with(scenario, number, center_enu_m=centre),
                )
        for axes in _free_sides(one):
            for grid in _GRIDS_M:
                size = list(one.size_m)
                for axis in axes:  # downwards: a larger obstacle is not a simpler one
                    size[axis] = round(math.floor(size[axis] / grid + 1e-9) * grid, 6)
                if tuple(size) == one.size_m:
                    break
                if min(size) >= _LEAST_SIDE_M:
                    yield f"obstacle {number + 1} of {_size(size)}", _resized(scenario, number, size)


PASSES: Final = (_fewer, _calmer, _aligned, _smaller, _rounder)


def _free_sides(obstacle: Obstacle) -> tuple[tuple[int, ...], ...]:
    """Sides that can be changed on their own; heights stay, because rules want them above the flight."""
    if obstacle.shape is Shape.SPHERE:
        return ((0, 1, 2),)
    return ((0, 1),) if obstacle.shape is Shape.CYLINDER else ((0,), (1,))


def _with(scenario: Scenario, number: int, **changes: Any) -> Scenario:
    obstacles = list(scenario.obstacles)
    obstacles[number] = obstacles[number].model_copy(update=changes)
    return scenario.with_obstacles(tuple(obstacles))


def _resized(scenario: Scenario, number: int, size: list[float]) -> Scenario:
    return _with(scenario, number, size_m=(size[0], size[1], size[2]))


def _size(size: list[float]) -> str:
    return " × ".join(f"{side:g}" for side in size) + " m"
