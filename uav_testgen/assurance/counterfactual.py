"""The smallest changes after which a failing test is safe; each is flown, and flown again with fresh seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from uav_testgen.assurance.failing import Trials
from uav_testgen.backend.base import Backend, SimulatingBackend
from uav_testgen.core.rng import derive_seed
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.validity import Rule
from uav_testgen.vehicle.px4.config import Px4VehicleConfig

_CRUISE: Final = "MPC_XY_CRUISE"
_SHIFTS_M: Final = (0.25, 0.5, 1.0, 2.0, 4.0)
_TURNS_DEG: Final = (5.0, 10.0, 20.0, 45.0)
_SHARES: Final = (0.1, 0.2, 0.4, 0.6)
_FRESH: Final = 4
"""Fresh seeds each of which flies all runs again before a change is claimed to help."""
_HOLDS: Final = 0.9
"""In this share of the fresh runs a change must hold to be claimed."""
_OF_NATURE: Final = {Rule.APART, Rule.FEASIBLE}

Change = Callable[[float], Scenario]


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """A change after which every run is safe and reaches the goal; `held` of `fresh` runs with other seeds do, too."""

    what: str
    amount: float
    unit: str
    scenario: Scenario
    margin: float | None
    held: int
    fresh: int
    too_little: float | None = None
    """The amount tried before, which did not make it safe; None where the least was enough."""

    def text(self, amount: float) -> str:
        """An amount with its unit, for people."""
        if self.unit == "share":
            return f"{amount:.0%}"
        return f"{amount:g}°" if self.unit == "deg" else f"{amount:g} {self.unit}"

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"what": self.what, "amount": self.amount, "unit": self.unit, "margin": self.margin,
                "held": self.held, "fresh_runs": self.fresh, "too_little": self.too_little}  # fmt: skip


def counterfactuals(scenario: Scenario, trials: Trials) -> list[Counterfactual]:
    """One for each kind of change that helps, the smallest amount first met; those that hold best first."""
    found: list[Counterfactual] = []
    tried = 0
    for what, unit, amounts, change in (*_kinds(scenario), *_slower(scenario, trials.backend)):
        too_little: float | None = None
        for amount in amounts:
            if trials.is_spent:
                return _ordered(found)
            changed = change(amount)
            if not _is_possible(changed, scenario):
                continue
            trial = trials.of(changed)
            tried += 1
            trials.progress(trials.flown, tried)
            if trial.safe < trials.runs_each:
                too_little = amount
                continue
            confirmed = _confirmed(changed, trials)
            if confirmed is None:
                return _ordered(found)
            held, fresh = confirmed
            if held < _HOLDS * fresh:
                too_little = amount
                continue  # a little more may hold
            found.append(Counterfactual(what, amount, unit, changed, trial.margin, held, fresh, too_little))
            break
    return _ordered(found)


def _confirmed(changed: Scenario, trials: Trials) -> tuple[int, int] | None:
    """(safe runs, runs) with fresh seeds; it stops as soon as too many have failed. None if flights are used up."""
    held = fresh = 0
    most = (1.0 - _HOLDS) * _FRESH * trials.runs_each
    for number in range(_FRESH):
        if trials.is_spent:
            return None
        again = trials.of(changed, derive_seed(trials.seed, "fresh", number))
        held, fresh = held + again.safe, fresh + trials.runs_each
        if fresh - held > most:
            break
    return held, fresh


def _is_possible(changed: Scenario, like: Scenario) -> bool:
    """Obstacles inside each other, or a mission without a way through, would save nobody.

    Other rules of the arena are for those who propose tests: a change may leave it, or fall below its smallest sizes.
    """
    broken, before = ({one.rule for one in problems(scene)} & _OF_NATURE for scene in (changed, like))
    return broken <= before


def _ordered(found: list[Counterfactual]) -> list[Counterfactual]:
    return sorted(
        found, key=lambda one: (-(one.held / one.fresh if one.fresh else 0.0), one.unit, one.amount)
    )


def _kinds(scenario: Scenario) -> Iterator[tuple[str, str, tuple[float, ...], Change]]:
    for number in range(len(scenario.obstacles)):
        for name, east, north in (("east", 1, 0), ("west", -1, 0), ("north", 0, 1), ("south", 0, -1)):
            yield f"obstacle {number + 1} moved {name}", "m", _SHIFTS_M, _moved(scenario, number, east, north)
        for name, sign in (("left", 1.0), ("right", -1.0)):
            yield f"obstacle {number + 1} turned {name}", "deg", _TURNS_DEG, _turned(scenario, number, sign)
        yield f"obstacle {number + 1} made smaller", "share", _SHARES, _shrunk(scenario, number)
    for name, east, north in (("east", 1, 0), ("west", -1, 0), ("north", 0, 1), ("south", 0, -1)):
        yield f"start moved {name}", "m", _SHIFTS_M[1:], _started(scenario, east, north)


def _slower(scenario: Scenario, backend: Backend) -> Iterator[tuple[str, str, tuple[float, ...], Change]]:
    """A lower speed, the way the vehicle is told its speed: by PX4's parameter in mission mode, else by the mission."""
    if not isinstance(backend, SimulatingBackend):
        return
    vehicle, mission = backend.system.vehicle, scenario.mission
    if isinstance(vehicle, Px4VehicleConfig):
        cruise_mps = scenario.parameters.get(_CRUISE, vehicle.mpc_xy_cruise_mps)

        def change(share: float) -> Scenario:
            slower = {**scenario.parameters, _CRUISE: cruise_mps * (1.0 - share)}
            return scenario.model_copy(update={"parameters": slower})

        yield "flown slower", "share", _SHARES, change
    elif mission.speed_mps is not None:
        speed_mps = mission.speed_mps
        yield (
            "flown slower", "share", _SHARES,
            lambda share: scenario.model_copy(
                update={"mission": mission.model_copy(update={"speed_mps": speed_mps * (1.0 - share)})}
            ),
        )  # fmt: skip


def _with(scenario: Scenario, number: int, **changes: Any) -> Scenario:
    obstacles = list(scenario.obstacles)
    obstacles[number] = obstacles[number].model_copy(update=changes)
    return scenario.with_obstacles(tuple(obstacles))


def _moved(scenario: Scenario, number: int, east: int, north: int) -> Change:
    x, y, z = scenario.obstacles[number].center_enu_m
    return lambda m: _with(scenario, number, center_enu_m=(x + east * m, y + north * m, z))


def _turned(scenario: Scenario, number: int, sign: float) -> Change:
    yaw = scenario.obstacles[number].yaw_rad
    return lambda deg: _with(scenario, number, yaw_rad=yaw + sign * math.radians(deg))


def _shrunk(scenario: Scenario, number: int) -> Change:
    length, width, height = scenario.obstacles[number].size_m
    return lambda share: _with(
        scenario, number, size_m=(length * (1.0 - share), width * (1.0 - share), height)
    )


def _started(scenario: Scenario, east: int, north: int) -> Change:
    x, y, z = scenario.mission.home_enu_m

    def change(m: float) -> Scenario:
        mission = scenario.mission.model_copy(update={"home_enu_m": (x + east * m, y + north * m, z)})
        return scenario.model_copy(update={"mission": mission})

    return change
