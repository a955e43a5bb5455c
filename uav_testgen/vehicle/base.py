"""What every vehicle promises: it follows set-points along the legs of a mission, and never sees a path.

A compiled vehicle is a NamedTuple of numbers and a second one of arrays, its memory. Its module overloads the
two functions below for its own type, so a new vehicle touches no other file. A vehicle written in Python has
methods of the same names and flies in the stepwise loop.
"""

from __future__ import annotations

from typing import Any, Protocol

from uav_testgen.core.arrays import FloatArray


class Vehicle(Protocol):
    """A vehicle model as the stepwise loop and the ROS nodes drive it."""

    name: str

    def cycles_per_step(self, dt_s: float) -> int:
        """Into how many cycles of its own the vehicle divides a step of the loop."""
        ...

    def start(self, body: FloatArray) -> None:
        """The flight begins where the body is."""
        ...

    def advance(
        self, body: FloatArray, phase: int, previous: FloatArray, goal: FloatArray, setpoint: FloatArray,
        wind: FloatArray, dt_s: float,
    ) -> None:  # fmt: skip
        """Move the body by one cycle, in place, towards the set-point.

        `phase`, `previous` and `goal` are the leg of the mission; a component of the set-point that is NaN
        demands nothing.
        """
        ...


def start(vehicle: Any, memory: Any, body: Any) -> None:
    """Compiled form of `Vehicle.start`."""
    raise NotImplementedError("compiled code only")


def advance(
    vehicle: Any, memory: Any, body: Any, phase: int, previous: Any, goal: Any, setpoint: Any, wind: Any,
    dt_s: float,
) -> None:  # fmt: skip
    """Compiled form of `Vehicle.advance`."""
    raise NotImplementedError("compiled code only")
