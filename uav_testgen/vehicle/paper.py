"""PRGenUAV-LFS's vehicle: straight to the set-point, slower the more it has to turn.

Take-off and landing are vertical at constant speed; wind does not act on it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import LAND, LEG, PITCH, POSITION, ROLL, SET_POSITION, VELOCITY, YAW, wrap_pi
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle import base
from uav_testgen.vehicle.config import PaperVehicleConfig


class PaperVehicle(NamedTuple):
    """Numbers of the rule in kernel types."""

    speed_mps: float
    yaw_rate_radps: float
    slow_turn_rad: float
    climb_mps: float
    sink_mps: float


class PaperMemory(NamedTuple):
    """The vehicle remembers nothing; compiled code wants an array all the same."""

    nothing: FloatArray


def make_paper(config: PaperVehicleConfig, mission_speed_mps: float | None = None) -> PaperVehicle:
    """The vehicle of a configuration; a speed demanded by the mission replaces the configured one."""
    yaw_rate_radps = math.radians(config.yaw_rate_degps)
    return PaperVehicle(
        speed_mps=config.speed_mps if mission_speed_mps is None else mission_speed_mps,
        yaw_rate_radps=yaw_rate_radps,
        slow_turn_rad=yaw_rate_radps * config.slow_turn_share,
        climb_mps=config.climb_speed_mps,
        sink_mps=config.sink_speed_mps,
    )


def new_paper_memory() -> PaperMemory:
    """Before take-off."""
    return PaperMemory(np.zeros(1))


@kernel
def advance_paper(
    vehicle: PaperVehicle, body: Any, phase: int, goal: Any, setpoint: Any, dt_s: float
) -> None:
    """One step towards the position of the set-point; on legs only, else straight up or down."""
    if phase != LEG:
        _step_vertically(body, goal[2], vehicle.sink_mps if phase == LAND else vehicle.climb_mps, dt_s)
        return
    dx = setpoint[SET_POSITION] - body[POSITION]
    dy = setpoint[SET_POSITION + 1] - body[POSITION + 1]
    dz = setpoint[SET_POSITION + 2] - body[POSITION + 2]
    error = wrap_pi(math.atan2(dy, dx) - body[YAW])
    fraction = 1.0 if abs(error) < vehicle.slow_turn_rad else vehicle.slow_turn_rad / abs(error)
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    length = min(vehicle.speed_mps * dt_s * fraction, distance)
    share = length / distance if distance > 0.0 else 0.0
    for axis in range(3):
        offset = dx if axis == 0 else (dy if axis == 1 else dz)
        new = body[POSITION + axis] + offset * share
        body[VELOCITY + axis] = (new - body[POSITION + axis]) / dt_s
        body[POSITION + axis] = new
    turn = vehicle.yaw_rate_radps * dt_s
    body[YAW] = wrap_pi(body[YAW] + max(-turn, min(turn, error)))
    body[ROLL] = body[PITCH] = 0.0


@kernel
def _step_vertically(body: Any, goal_z: float, speed_mps: float, dt_s: float) -> None:
    """Climb or sink towards a height, keeping place and heading."""
    way = goal_z - body[POSITION + 2]
    step = min(speed_mps * dt_s, abs(way))
    new = goal_z if step >= abs(way) else body[POSITION + 2] + math.copysign(step, way)
    body[VELOCITY] = body[VELOCITY + 1] = 0.0
    body[VELOCITY + 2] = (new - body[POSITION + 2]) / dt_s
    body[POSITION + 2] = new


@overload(base.start, strict=False)
def _start(vehicle: Any, memory: Any, body: Any) -> Any:
    if getattr(vehicle, "instance_class", None) is PaperVehicle:
        return lambda vehicle, memory, body: None
    return None


@overload(base.advance, strict=False)
def _advance(
    vehicle: Any, memory: Any, body: Any, phase: Any, previous: Any, goal: Any, setpoint: Any, wind: Any,
    dt_s: Any,
) -> Any:  # fmt: skip
    if getattr(vehicle, "instance_class", None) is not PaperVehicle:
        return None

    def move(
        vehicle: Any, memory: Any, body: Any, phase: Any, previous: Any, goal: Any, setpoint: Any, wind: Any,
        dt_s: Any,
    ) -> None:  # fmt: skip
        advance_paper(vehicle, body, phase, goal, setpoint, dt_s)

    return move


class PaperStepper:
    """The same vehicle outside compiled flights."""

    name = "paper"

    def __init__(self, vehicle: PaperVehicle) -> None:
        self.vehicle = vehicle

    def cycles_per_step(self, dt_s: float) -> int:
        """The rule moves once per step."""
        return 1

    def start(self, body: FloatArray) -> None:
        """Nothing to prepare."""

    def advance(
        self, body: FloatArray, phase: int, previous: FloatArray, goal: FloatArray, setpoint: FloatArray,
        wind: FloatArray, dt_s: float,
    ) -> None:  # fmt: skip
        """One step, in place."""
        advance_paper(self.vehicle, body, phase, goal, setpoint, dt_s)
