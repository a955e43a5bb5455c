"""PX4 in offboard mode as a vehicle of the loop: the bench steers, the position controller follows."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import (
    LAND,
    PITCH,
    POSITION,
    ROLL,
    SET_POSITION,
    SET_VELOCITY,
    SET_YAW,
    SETPOINT_SIZE,
    TAKEOFF,
    VELOCITY,
)
from uav_testgen.core.body import YAW as BODY_YAW
from uav_testgen.core.copying import copy_numbers
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle import base
from uav_testgen.vehicle.px4.air import GRAVITY_MPS2
from uav_testgen.vehicle.px4.cycle import CYCLE_S
from uav_testgen.vehicle.px4.model import LIFT_OFF_M, cycles_per_step
from uav_testgen.vehicle.px4_offboard.carrot import Carrot, steer
from uav_testgen.vehicle.px4_offboard.config import OffboardConstants, Px4OffboardConfig
from uav_testgen.vehicle.px4_offboard.control import (
    POS,
    STATE_SIZE,
    THRUST,
    VEL,
    WORK_SIZE,
    YAW,
    YAW_RATE,
    step_airframe,
)

STOPPING_S = 0.7
"""From the command to land PX4 brakes: it comes to rest this much of its speed farther on."""

# What the bench remembers.
PAD_Z, PAD_YAW, TOLD_YAW, WAITED_S, LAND_X, LAND_Y, LANDS, HEARD = range(8)
BENCH_SIZE = 8
DELAYS = 26
"""Cycles of the longest delay, and the present."""


class OffboardVehicle(NamedTuple):
    """The numbers of the model."""

    constants: OffboardConstants
    carrot: Carrot
    delay: int
    """Cycles until a set-point of the planner is steered by."""


class OffboardMemory(NamedTuple):
    """What autopilot and bench remember during a flight."""

    state: FloatArray
    bench: FloatArray
    told: FloatArray
    """The set-point PX4 follows now."""
    waiting: FloatArray
    """(DELAYS, SETPOINT_SIZE): the planner's set-points of the last cycles."""
    work: FloatArray
    """Scratch of the airframe."""


def make_offboard(config: Px4OffboardConfig, mission_speed_mps: float | None = None) -> OffboardVehicle:
    """The vehicle of a configuration; a speed demanded by the mission replaces the configured one."""
    delay = round(config.setpoint_delay_s / CYCLE_S)
    return OffboardVehicle(config.constants(), config.steering(mission_speed_mps), delay)


def new_offboard_memory() -> OffboardMemory:
    """Before `start`."""
    return OffboardMemory(
        state=np.zeros(STATE_SIZE),
        bench=np.zeros(BENCH_SIZE),
        told=np.full(SETPOINT_SIZE, np.nan),
        waiting=np.full((DELAYS, SETPOINT_SIZE), np.nan),
        work=np.zeros(WORK_SIZE),
    )


@kernel
def start_offboard(memory: OffboardMemory, body: Any) -> None:
    """At rest where the body is."""
    state, bench = memory.state, memory.bench
    state[:] = 0.0
    bench[:] = 0.0
    for axis in range(3):
        state[POS + axis] = body[POSITION + axis]
    state[YAW] = body[BODY_YAW]
    bench[PAD_Z], bench[PAD_YAW], bench[TOLD_YAW] = body[POSITION + 2], body[BODY_YAW], body[BODY_YAW]


@kernel
def tell(
    vehicle: OffboardVehicle, memory: OffboardMemory, phase: int, goal: Any, setpoint: Any, dt_s: float
) -> None:
    """What PX4 is told in this cycle, written into `memory.told`."""
    state, bench, told = memory.state, memory.bench, memory.told
    k = vehicle.carrot
    heard = int(bench[HEARD])
    copy_numbers(setpoint, memory.waiting[heard % DELAYS])
    copy_numbers(memory.waiting[max(heard - vehicle.delay, 0) % DELAYS], told)
    bench[HEARD] += 1.0
    if phase == LAND:
        _tell_landing(vehicle, memory)
        return
    if phase == TAKEOFF:  # straight up, without the planner
        told[:] = math.nan
        for axis in range(3):
            told[SET_POSITION + axis] = goal[axis]
        told[SET_YAW] = bench[PAD_YAW]
    if k.cruise == 0.0:
        return
    bench[TOLD_YAW] = steer(
        told, state[POS], state[POS + 1], state[POS + 2], state[YAW], bench[TOLD_YAW], dt_s, k
    )


@kernel
def _tell_landing(vehicle: OffboardVehicle, memory: OffboardMemory) -> None:
    """PX4's own landing: down from where it comes to rest, slower near the ground."""
    state, bench, told, k = memory.state, memory.bench, memory.told, vehicle.constants
    if bench[LANDS] == 0.0:
        bench[LANDS] = 1.0
        bench[LAND_X] = state[POS] + STOPPING_S * state[VEL]
        bench[LAND_Y] = state[POS + 1] + STOPPING_S * state[VEL + 1]
    height = state[POS + 2] - bench[PAD_Z]
    share = (height - k.land_alt2) / max(k.land_alt1 - k.land_alt2, 1e-6)
    share = max(0.0, min(1.0, share))
    told[:] = math.nan
    told[SET_POSITION], told[SET_POSITION + 1] = bench[LAND_X], bench[LAND_Y]
    told[SET_VELOCITY + 2] = -(k.land_speed + share * (k.vel_down - k.land_speed))
    told[SET_YAW] = bench[TOLD_YAW]


@kernel
def advance_offboard(
    vehicle: OffboardVehicle, memory: OffboardMemory, body: Any, phase: int, goal: Any, setpoint: Any,
    wind: Any, dt_s: float,
) -> None:  # fmt: skip
    """One cycle of bench, controllers and airframe."""
    state, bench, k = memory.state, memory.bench, vehicle.constants
    climb_max = k.vel_up
    if phase == TAKEOFF:
        bench[WAITED_S] += dt_s
        rising = bench[WAITED_S] - k.spool_up
        if rising <= 0.0:
            return
        climb_max = min(k.vel_up, k.vel_up * rising / k.ramp) if k.ramp > 0.0 else k.vel_up
    tell(vehicle, memory, phase, goal, setpoint, dt_s)
    step_airframe(state, memory.work, memory.told, climb_max, wind, dt_s, k)
    if phase == TAKEOFF and state[POS + 2] < bench[PAD_Z] + LIFT_OFF_M:
        state[YAW], state[YAW_RATE] = bench[PAD_YAW], 0.0
    copy_to_body(state, body)


@kernel
def copy_to_body(state: FloatArray, body: FloatArray) -> None:
    """What the rest of the simulator sees of the vehicle; roll and pitch point the thrust where it accelerates."""
    for axis in range(3):
        body[POSITION + axis] = state[POS + axis]
        body[VELOCITY + axis] = state[VEL + axis]
    cosine, sine = math.cos(state[YAW]), math.sin(state[YAW])
    forward = cosine * state[THRUST] + sine * state[THRUST + 1]
    left = -sine * state[THRUST] + cosine * state[THRUST + 1]
    up = GRAVITY_MPS2 + state[THRUST + 2]
    body[PITCH] = math.atan2(forward, up)
    body[ROLL] = -math.atan2(left, math.hypot(forward, up))
    body[BODY_YAW] = state[YAW]


@overload(base.start, strict=False)
def _start(vehicle: Any, memory: Any, body: Any) -> Any:
    if getattr(vehicle, "instance_class", None) is OffboardVehicle:
        return lambda vehicle, memory, body: start_offboard(memory, body)
    return None


@overload(base.advance, strict=False)
def _advance(
    vehicle: Any, memory: Any, body: Any, phase: Any, previous: Any, goal: Any, setpoint: Any, wind: Any,
    dt_s: Any,
) -> Any:  # fmt: skip
    if getattr(vehicle, "instance_class", None) is not OffboardVehicle:
        return None

    def move(
        vehicle: Any, memory: Any, body: Any, phase: Any, previous: Any, goal: Any, setpoint: Any, wind: Any,
        dt_s: Any,
    ) -> None:  # fmt: skip
        advance_offboard(vehicle, memory, body, phase, goal, setpoint, wind, dt_s)

    return move


class OffboardStepper:
    """The same vehicle outside compiled flights."""

    name = "px4_offboard"

    def __init__(self, vehicle: OffboardVehicle) -> None:
        self.vehicle = vehicle
        self.memory = new_offboard_memory()

    def cycles_per_step(self, dt_s: float) -> int:
        """Cycles of the autopilot in a step."""
        return cycles_per_step(dt_s)

    def start(self, body: FloatArray) -> None:
        """At rest where the body is."""
        start_offboard(self.memory, body)

    def advance(
        self, body: FloatArray, phase: int, previous: FloatArray, goal: FloatArray, setpoint: FloatArray,
        wind: FloatArray, dt_s: float,
    ) -> None:  # fmt: skip
        """One cycle, in place."""
        advance_offboard(self.vehicle, self.memory, body, phase, goal, setpoint, wind, dt_s)
