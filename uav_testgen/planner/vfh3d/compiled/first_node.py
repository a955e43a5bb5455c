"""PRGenUAV-LFS's guide: fly straight to the first node of the tree, or to the goal where nothing is in the way."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import LEG, SET_POSITION
from uav_testgen.core.kernel import kernel
from uav_testgen.planner import guide as base


class FirstNodeGuide(NamedTuple):
    """A path of one point, the vehicle itself, leads nowhere."""

    least_points: int = 2


class FirstNodeMemory(NamedTuple):
    """Nothing is remembered; compiled code wants an array all the same."""

    nothing: FloatArray


def new_first_node_memory() -> FirstNodeMemory:
    """Before a flight."""
    return FirstNodeMemory(np.zeros(1))


@kernel
def to_first_node(
    guide: FirstNodeGuide, goal: Any, planned: bool, path: Any, path_length: int, setpoint: Any
) -> None:
    """The first node if a path was planned in this step, else the goal."""
    setpoint[:] = math.nan
    for axis in range(3):
        if planned and path_length >= guide.least_points:
            setpoint[SET_POSITION + axis] = np.float64(path[path_length - 2, axis])
        else:
            setpoint[SET_POSITION + axis] = goal[axis]


@overload(base.plans_in, strict=False)
def _plans_in(guide: Any, phase: Any) -> Any:
    if getattr(guide, "instance_class", None) is FirstNodeGuide:
        return lambda guide, phase: phase == LEG
    return None


@overload(base.start, strict=False)
def _start(guide: Any, memory: Any) -> Any:
    if getattr(guide, "instance_class", None) is FirstNodeGuide:
        return lambda guide, memory: None
    return None


@overload(base.guide, strict=False)
def _guide(
    guide: Any, memory: Any, body: Any, phase: Any, goal: Any, planned: Any, path: Any, path_length: Any,
    path_time_s: Any, now_s: Any, setpoint: Any,
) -> Any:  # fmt: skip
    if getattr(guide, "instance_class", None) is not FirstNodeGuide:
        return None

    def steer(
        guide: Any, memory: Any, body: Any, phase: Any, goal: Any, planned: Any, path: Any, path_length: Any,
        path_time_s: Any, now_s: Any, setpoint: Any,
    ) -> None:  # fmt: skip
        to_first_node(guide, goal, planned, path, path_length, setpoint)

    return steer
