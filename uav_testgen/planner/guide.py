"""The compiled form of `guide`: from a plan and the newest pose to a set-point.

A guide is a NamedTuple of numbers and a second one of arrays, its memory. Its module overloads the functions
below for its own type; kernels of other guides are not touched.
"""

from __future__ import annotations

from typing import Any


def plans_in(guide: Any, phase: int) -> bool:
    """Does the guide look at a plan in this phase? If not, only the memory of points is kept up."""
    raise NotImplementedError("compiled code only")


def start(guide: Any, memory: Any) -> None:
    """A flight begins."""
    raise NotImplementedError("compiled code only")


def guide(
    guide: Any, memory: Any, body: Any, phase: int, goal: Any, planned: bool, path: Any, path_length: int,
    path_time_s: float, now_s: float, setpoint: Any,
) -> None:  # fmt: skip
    """Write the set-point for the pose `body` at time `now_s`.

    `path` begins with its far end; its last point is where the vehicle was when it was planned, at
    `path_time_s`. `planned` says that it was planned in this step.
    """
    raise NotImplementedError("compiled code only")
