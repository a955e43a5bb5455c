"""The paper's vehicle: straight to the first tree node, slower the more it has to turn.

Take-off and landing are vertical at constant speed; wind does not act on it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from uav_testgen.vehicle.base import LAND, LEG, PITCH, POSITION, ROLL, VELOCITY, YAW, StepInput
from uav_testgen.vehicle.config import PaperVehicleConfig
from uav_testgen.vehicle.image_pose import POSE_SIZE, pose_now

FloatArray = NDArray[np.float64]
PathArray = NDArray[np.float32]


class PaperVehicle(NamedTuple):
    """Numbers of the rule in kernel types."""

    speed_mps: float
    yaw_rate_radps: float
    slow_turn_rad: float
    climb_mps: float
    sink_mps: float


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


@njit(cache=True, nogil=True, error_model="numpy")
def wrap_pi(angle_rad: float) -> float:
    """Angle in [-pi, pi)."""
    return angle_rad - 2.0 * math.pi * math.floor(angle_rad / (2.0 * math.pi) + 0.5)


@njit(cache=True, nogil=True, error_model="numpy")
def step_paper(
    vehicle: PaperVehicle,
    body: FloatArray,
    phase: int,
    goal: FloatArray,
    planned: bool,
    path: PathArray,
    path_length: int,
    dt_s: float,
) -> None:
    """One step. The target is the first tree node if a path was planned now, else the goal."""
    if phase != LEG:
        _step_vertically(body, goal[2], vehicle.sink_mps if phase == LAND else vehicle.climb_mps, dt_s)
        return
    if planned and path_length >= 2:
        target_x = np.float64(path[path_length - 2, 0])
        target_y = np.float64(path[path_length - 2, 1])
        target_z = np.float64(path[path_length - 2, 2])
    else:
        target_x, target_y, target_z = goal[0], goal[1], goal[2]
    dx, dy, dz = target_x - body[POSITION], target_y - body[POSITION + 1], target_z - body[POSITION + 2]
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


@njit(cache=True, nogil=True, error_model="numpy")
def _step_vertically(body: FloatArray, goal_z: float, speed_mps: float, dt_s: float) -> None:
    """Climb or sink towards a height, keeping place and heading."""
    way = goal_z - body[POSITION + 2]
    step = min(speed_mps * dt_s, abs(way))
    new = goal_z if step >= abs(way) else body[POSITION + 2] + math.copysign(step, way)
    body[VELOCITY] = body[VELOCITY + 1] = 0.0
    body[VELOCITY + 2] = (new - body[POSITION + 2]) / dt_s
    body[POSITION + 2] = new


class PaperVehicleStepper:
    """The paper's vehicle outside compiled flights (ROS node, stepwise loop)."""

    name = "paper"

    def __init__(
        self, config: PaperVehicleConfig | None = None, mission_speed_mps: float | None = None
    ) -> None:
        self.vehicle = make_paper(config or PaperVehicleConfig(), mission_speed_mps)

    @property
    def image_age_s(self) -> float:
        """The paper's planner sees the present."""
        return 0.0

    def image_pose(self, body: FloatArray) -> FloatArray:
        """The present pose."""
        pose = np.empty(POSE_SIZE)
        pose_now(body, pose)
        return pose

    def step(self, body: FloatArray, command: StepInput) -> None:
        """Move the body by one step, in place."""
        path = np.ascontiguousarray(command.path_enu_m, dtype=np.float32).reshape(-1, 3)
        step_paper(
            self.vehicle, body, command.phase, np.asarray(command.goal_enu_m, dtype=np.float64),
            command.planned_now, path, len(path), command.dt_s,
        )  # fmt: skip
