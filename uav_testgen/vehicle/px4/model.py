"""PX4 as a vehicle of the loop: autopilot cycles that follow a set-point along a leg of the mission."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import LAND, POSITION, SET_POSITION, SET_YAW, TAKEOFF
from uav_testgen.core.body import YAW as BODY_YAW
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle import base
from uav_testgen.vehicle.px4.config import Px4Constants, Px4VehicleConfig
from uav_testgen.vehicle.px4.cycle import CYCLE_S, copy_to_body, step_cycle
from uav_testgen.vehicle.px4.state import (
    LAND_ITEM,
    POS,
    POSITION_ITEM,
    STATE_SIZE,
    TAKEOFF_ITEM,
    YAW,
    YAW_RATE,
    reset_state,
)

LIFT_OFF_M = 0.1
"""Below this height over the pad the landing gear keeps the vehicle from turning."""


class Px4Vehicle(NamedTuple):
    """The numbers of the model."""

    constants: Px4Constants


class Px4Memory(NamedTuple):
    """What the autopilot remembers during a flight."""

    state: FloatArray
    pad: FloatArray
    """Height and heading on the ground."""


def make_px4(config: Px4VehicleConfig) -> Px4Vehicle:
    """The vehicle of a configuration."""
    return Px4Vehicle(config.constants())


def new_px4_memory() -> Px4Memory:
    """Before `start`."""
    return Px4Memory(np.zeros(STATE_SIZE), np.zeros(2))


def cycles_per_step(dt_s: float) -> int:
    """PX4's flight task runs at 50 Hz."""
    return max(1, round(dt_s / CYCLE_S))


@kernel
def start_px4(memory: Px4Memory, body: Any) -> None:
    """At rest where the body is."""
    reset_state(memory.state, body[POSITION : POSITION + 3], body[BODY_YAW])
    memory.pad[0], memory.pad[1] = body[POSITION + 2], body[BODY_YAW]


@kernel
def advance_px4(
    vehicle: Px4Vehicle, memory: Px4Memory, body: Any, phase: int, previous: Any, goal: Any, setpoint: Any,
    wind: Any, dt_s: float,
) -> None:  # fmt: skip
    """One cycle of flight task, controllers and airframe."""
    state = memory.state
    item = TAKEOFF_ITEM if phase == TAKEOFF else (LAND_ITEM if phase == LAND else POSITION_ITEM)
    step_cycle(
        state, setpoint[SET_POSITION : SET_POSITION + 3], setpoint[SET_YAW], previous, goal, item, wind, dt_s,
        vehicle.constants,
    )  # fmt: skip
    if item == TAKEOFF_ITEM and state[POS + 2] < memory.pad[0] + LIFT_OFF_M:
        state[YAW], state[YAW_RATE] = memory.pad[1], 0.0
    copy_to_body(state, body)


@overload(base.start, strict=False)
def _start(vehicle: Any, memory: Any, body: Any) -> Any:
    if getattr(vehicle, "instance_class", None) is Px4Vehicle:
        return lambda vehicle, memory, body: start_px4(memory, body)
    return None


@overload(base.advance, strict=False)
def _advance(
    vehicle: Any, memory: Any, body: Any, phase: Any, previous: Any, goal: Any, setpoint: Any, wind: Any,
    dt_s: Any,
) -> Any:  # fmt: skip
    if getattr(vehicle, "instance_class", None) is not Px4Vehicle:
        return None

    def move(
        vehicle: Any, memory: Any, body: Any, phase: Any, previous: Any, goal: Any, setpoint: Any, wind: Any,
        dt_s: Any,
    ) -> None:  # fmt: skip
        advance_px4(vehicle, memory, body, phase, previous, goal, setpoint, wind, dt_s)

    return move


class Px4Stepper:
    """The same vehicle outside compiled flights."""

    name = "px4"

    def __init__(self, vehicle: Px4Vehicle) -> None:
        self.vehicle = vehicle
        self.memory = new_px4_memory()

    def cycles_per_step(self, dt_s: float) -> int:
        """Cycles of the flight task in a step."""
        return cycles_per_step(dt_s)

    def start(self, body: FloatArray) -> None:
        """At rest where the body is."""
        start_px4(self.memory, body)

    def advance(
        self, body: FloatArray, phase: int, previous: FloatArray, goal: FloatArray, setpoint: FloatArray,
        wind: FloatArray, dt_s: float,
    ) -> None:  # fmt: skip
        """One cycle, in place."""
        advance_px4(self.vehicle, self.memory, body, phase, previous, goal, setpoint, wind, dt_s)
