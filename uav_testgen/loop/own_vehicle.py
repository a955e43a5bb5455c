"""A vehicle of the user's own in the loop: what is wrong with it is said of it, not of the planner and not of us."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.core.own_line import making, said_of
from uav_testgen.core.plugin import load_plugin
from uav_testgen.vehicle.base import Vehicle

_METHODS = ("cycles_per_step", "start", "advance")
MOST_CYCLES = 1000
"""More cycles in one step of the loop are a mistake, such as a period given in milliseconds."""


class VehicleError(BackendError):
    """The user's vehicle raised an exception or left the numbers: no flight can be judged on that."""


class OwnVehicle:
    """The user's object with its promises checked at every call."""

    def __init__(self, place: str, vehicle: Any) -> None:
        self._place, self._vehicle = place, vehicle
        missing = [name for name in _METHODS if not callable(getattr(vehicle, name, None))]
        if missing:
            raise ConfigError(
                f"vehicle '{place}' has no {', no '.join(f'{name}()' for name in missing)}; "
                "docs/howto/vehicle.md shows what a vehicle has"
            )
        self.name = str(getattr(vehicle, "name", type(vehicle).__name__))

    def cycles_per_step(self, dt_s: float) -> int:
        """As the user's vehicle says: a whole number from 1 on."""
        cycles = self._call("cycles_per_step", dt_s)
        if isinstance(cycles, bool) or not isinstance(cycles, (int, np.integer)):
            raise self._error("cycles_per_step", f"a whole number is expected, got {cycles!r}")
        if not 1 <= cycles <= MOST_CYCLES:
            raise self._error("cycles_per_step", f"{cycles} is not between 1 and {MOST_CYCLES}")
        return int(cycles)

    def start(self, body: FloatArray) -> None:
        """The flight begins where the body is."""
        self._call("start", body)
        self._check("start", body)

    def advance(
        self, body: FloatArray, phase: int, previous: FloatArray, goal: FloatArray, setpoint: FloatArray,
        wind: FloatArray, dt_s: float,
    ) -> None:  # fmt: skip
        """One cycle; a body that is not finite afterwards is an error of the vehicle."""
        self._call("advance", body, phase, previous, goal, setpoint, wind, dt_s)
        self._check("advance", body)

    def _call(self, method: str, *arguments: Any) -> Any:
        try:
            return getattr(self._vehicle, method)(*arguments)
        except Exception as error:
            raise self._error(method, said_of(error)) from error

    def _check(self, method: str, body: FloatArray) -> None:
        if not np.isfinite(body).all():
            raise self._error(method, f"left the body at {np.array2string(body, precision=3)}: not finite")

    def _error(self, method: str, text: str) -> VehicleError:
        return VehicleError(f"vehicle '{self._place}': {method}(): {text}"[:600])


_HANDED_OVER: dict[str, Any] = {}
"""Vehicles given as objects in Python, by the names under which settings carry them; known to this process only."""


def hand_over(vehicle: Any) -> str:
    """A name for a class or an object that only this process knows."""
    kind = vehicle if isinstance(vehicle, type) else type(vehicle)
    name = f"python:{kind.__name__}"
    _HANDED_OVER[name] = vehicle
    return name


def load_own_vehicle(place: str, settings: dict[str, Any]) -> Vehicle:
    """The vehicle behind `module:Class`, `file.py:Class` or a name of `hand_over`, made with its settings."""
    kind = _HANDED_OVER[place] if place in _HANDED_OVER else load_plugin("vehicle", place)
    if not callable(kind):
        # Each flight has a vehicle of its own, so that no state of one flight reaches the next.
        return OwnVehicle(place, copy.deepcopy(kind))
    with making("vehicle", place):
        made = kind(**settings)
    return OwnVehicle(place, made)
