"""PX4-Avoidance's guide inside a compiled flight: its waypoint generator, and the goal it has heard of.

The generator learns of a new goal only after a delay: in the real stack the change travels from PX4 to the
planner's node. Its kernel is `guide_kernel`; the readable form is `vfh3d.reference.guide`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba.extending import overload

from uav_testgen.core.arrays import Float32Array
from uav_testgen.core.body import (
    LAND,
    PITCH,
    POSITION,
    ROLL,
    SET_POSITION,
    SET_VELOCITY,
    SET_YAW,
    TAKEOFF,
    VELOCITY,
    YAW,
    quaternion_of,
)
from uav_testgen.core.kernel import kernel
from uav_testgen.planner import guide as base
from uav_testgen.planner.vfh3d.compiled.guide_kernel import (
    NAV_MISSION,
    make_generator_state,
    reset_generator,
    run_generator,
    update_generator,
)

HEARD = np.dtype(
    [
        ("goal", np.float64, 3),  # goal and phase the generator works with
        ("phase", np.int64),
        ("newest_goal", np.float64, 3),  # those of the mission ...
        ("newest_phase", np.int64),
        ("for_cycles", np.int64),  # ... for so many cycles of the generator
        ("is_first", np.bool_),
    ]
)


class WaypointGuide(NamedTuple):
    """Numbers of the generator in kernel types."""

    goal_delay: int
    """Cycles of the generator until it hears of a new goal."""
    planning_s: float
    """Time planning takes; the age of a plan counts from its end."""
    cruise: np.float32
    gain_xy: np.float32
    gain_z: np.float32
    views: Float32Array


class WaypointMemory(NamedTuple):
    """What the generator remembers during a flight."""

    generator: npt.NDArray[np.void]
    """One record of `guide_kernel.GENERATOR`."""
    heard: npt.NDArray[np.void]


def new_waypoint_memory() -> WaypointMemory:
    """Before a flight."""
    heard = np.zeros(1, HEARD)
    heard["is_first"] = True
    return WaypointMemory(make_generator_state(), heard)


@kernel
def start_waypoints(memory: WaypointMemory) -> None:
    """A flight begins: nothing heard, nothing smoothed."""
    reset_generator(memory.generator)
    memory.heard[0].is_first = True
    memory.heard[0].newest_phase = -1


@kernel
def hear(heard: Any, goal: Any, phase: int, delay: int) -> None:
    """Pass a change of goal on after the delay; the first goal is known at once."""
    now = heard[0]
    newest = now.newest_goal
    same = newest[0] == goal[0] and newest[1] == goal[1] and newest[2] == goal[2]
    if not (same and now.newest_phase == phase):
        newest[0], newest[1], newest[2] = goal[0], goal[1], goal[2]
        now.newest_phase = phase
        now.for_cycles = 0
    if now.for_cycles >= delay or now.is_first:
        for axis in range(3):
            now.goal[axis] = newest[axis]
        now.phase = now.newest_phase
        now.is_first = False
    now.for_cycles += 1


@kernel
def to_waypoint(
    guide: WaypointGuide, memory: WaypointMemory, body: Any, phase: int, goal: Any, path: Any, path_length: int,
    path_time_s: float, now_s: float, setpoint: Any,
) -> None:  # fmt: skip
    """One cycle of the generator with the newest pose and the goal it has heard of."""
    hear(memory.heard, goal, phase, guide.goal_delay)
    heard = memory.heard[0]
    setpoint[:] = math.nan
    no_demand = setpoint[SET_VELOCITY : SET_VELOCITY + 3]  # missions ask for no velocity
    w, x, y, z = quaternion_of(body[ROLL], body[PITCH], body[YAW])
    update_generator(
        memory.generator, body[POSITION : POSITION + 3], body[VELOCITY : VELOCITY + 3], np.float32(w),
        np.float32(x), np.float32(y), np.float32(z), heard.goal, no_demand, 0, 1, NAV_MISSION,
        1 if heard.phase == LAND else 0, 1 if heard.phase == TAKEOFF else 0,
    )  # fmt: skip
    run_generator(
        memory.generator, path, path_length, path_time_s + guide.planning_s, guide.cruise, now_s,
        guide.gain_xy, guide.gain_z, guide.views,
    )  # fmt: skip
    for axis in range(3):
        setpoint[SET_POSITION + axis] = memory.generator[0].out_position[axis]
    setpoint[SET_YAW] = memory.generator[0].yaw_setpoint


@overload(base.plans_in, strict=False)
def _plans_in(guide: Any, phase: Any) -> Any:
    if getattr(guide, "instance_class", None) is WaypointGuide:
        return lambda guide, phase: phase != LAND
    return None


@overload(base.start, strict=False)
def _start(guide: Any, memory: Any) -> Any:
    if getattr(guide, "instance_class", None) is WaypointGuide:
        return lambda guide, memory: start_waypoints(memory)
    return None


@overload(base.guide, strict=False)
def _guide(
    guide: Any, memory: Any, body: Any, phase: Any, goal: Any, planned: Any, path: Any, path_length: Any,
    path_time_s: Any, now_s: Any, setpoint: Any,
) -> Any:  # fmt: skip
    if getattr(guide, "instance_class", None) is not WaypointGuide:
        return None

    def steer(
        guide: Any, memory: Any, body: Any, phase: Any, goal: Any, planned: Any, path: Any, path_length: Any,
        path_time_s: Any, now_s: Any, setpoint: Any,
    ) -> None:  # fmt: skip
        to_waypoint(guide, memory, body, phase, goal, path, path_length, path_time_s, now_s, setpoint)

    return steer
