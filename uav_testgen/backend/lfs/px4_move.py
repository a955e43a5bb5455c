"""The PX4 vehicle inside a flight: waypoint generator and autopilot cycles of one LFS step.

The plan is made at the beginning of the step; the generator runs `lead` autopilot cycles later, as the
planner and the waypoint loop of the real node run unsynchronised. Until then the old waypoint counts. If that
is more than a step, the generator works with the plan of the step before.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from uav_testgen.backend.lfs.attitude import quaternion_of
from uav_testgen.planner.vfh3d.compiled.guide_kernel import (
    NAV_MISSION,
    OUT_POSITION,
    YAW_SP,
    GeneratorState,
    make_generator_state,
    reset_generator,
    run_generator,
    update_generator,
)
from uav_testgen.planner.vfh3d.compiled.workspace import Parameters
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.base import LAND, POSITION, TAKEOFF, YAW, FloatArray, StepInput
from uav_testgen.vehicle.image_pose import KEPT, POSE_SIZE, keep_pose, pose_before
from uav_testgen.vehicle.px4.config import Px4Constants, Px4VehicleConfig
from uav_testgen.vehicle.px4.cycle import CYCLE_S, copy_to_body, step_cycle
from uav_testgen.vehicle.px4.state import (
    LAND_ITEM,
    POS,
    POSITION_ITEM,
    STATE_SIZE,
    TAKEOFF_ITEM,
    VEL,
    YAW_RATE,
    reset_state,
)
from uav_testgen.vehicle.px4.state import PITCH as STATE_PITCH
from uav_testgen.vehicle.px4.state import ROLL as STATE_ROLL
from uav_testgen.vehicle.px4.state import YAW as STATE_YAW
from uav_testgen.world.wind import pack_wind, wind_at

LIFT_OFF_M = 0.1
PLANNER_PERIOD_S = 0.1
"""Period of the waypoint loop, in which the delay of goals is counted."""


class Px4Vehicle(NamedTuple):
    """Autopilot, generator and what they remember during one flight."""

    constants: Px4Constants
    state: NDArray[np.float64]
    generator: GeneratorState
    waypoint: NDArray[np.float64]
    """Position [m] and yaw [rad] of the waypoint in force."""
    heard: NDArray[np.float64]
    """Goal and item the generator works with, the newest ones, and for how many steps these are known."""
    goal_delay: int
    pad: NDArray[np.float64]
    """Height and heading on the ground: before lift-off the landing gear keeps the vehicle from turning."""
    started: NDArray[np.int64]
    """Has the flight begun; cycles flown since."""
    poses: NDArray[np.float64]
    """The last poses, for images that are older than the plan."""
    image_cycles: int
    waiting_path: NDArray[np.float32]
    """The plan of the step before, and its number of nodes and time."""
    waiting: NDArray[np.float64]
    planning_s: float
    lead: int
    cruise: np.float32
    gain_xy: np.float32
    gain_z: np.float32
    wind: NDArray[np.float64]
    seed: int


def make_px4(
    config: Px4VehicleConfig,
    parameters: Parameters,
    smoothing: tuple[float, float],
    scenario: Scenario,
    seed: int,
) -> Px4Vehicle:
    """A vehicle before take-off; `smoothing` are the generator's gains (xy, z)."""
    speed_mps = scenario.mission.speed_mps
    cruise = parameters.cruise if speed_mps is None else np.float32(speed_mps)
    return Px4Vehicle(
        constants=config.constants(),
        state=np.zeros(STATE_SIZE),
        generator=make_generator_state(),
        waypoint=np.zeros(4),
        heard=np.full(9, math.nan),
        pad=np.zeros(2),
        goal_delay=round(config.goal_delay_s / PLANNER_PERIOD_S),
        started=np.zeros(2, np.int64),
        poses=np.zeros((KEPT, POSE_SIZE)),
        image_cycles=round(config.image_age_s / CYCLE_S),
        waiting_path=np.zeros((parameters.expansions + 2, 3), np.float32),
        waiting=np.zeros(2),
        planning_s=config.planning_s,
        lead=round(config.plan_age_s / CYCLE_S),
        cruise=cruise,
        gain_xy=np.float32(smoothing[0]),
        gain_z=np.float32(smoothing[1]),
        wind=pack_wind(scenario.wind),
        seed=seed,
    )


@njit(cache=True, nogil=True, error_model="numpy")
def move_px4(
    vehicle: Px4Vehicle, body: Any, phase: int, goal: Any, previous: Any, path: Any, path_length: int,
    path_time_s: float, t_s: float, dt_s: float, fovs: Any,
) -> None:  # fmt: skip
    """One LFS step of generator and autopilot; `body` is where the step began and then where it ended."""
    state = vehicle.state
    if vehicle.started[0] == 0:
        vehicle.started[0], vehicle.started[1] = 1, 0
        vehicle.waiting[:] = 0.0
        reset_state(state, body[POSITION : POSITION + 3], body[YAW])
        reset_generator(vehicle.generator)
        vehicle.waypoint[0:3] = body[POSITION : POSITION + 3]
        vehicle.waypoint[3] = body[YAW]
        vehicle.pad[0], vehicle.pad[1] = body[POSITION + 2], body[YAW]
    item = TAKEOFF_ITEM if phase == TAKEOFF else (LAND_ITEM if phase == LAND else POSITION_ITEM)
    cycles = max(1, int(round(dt_s / CYCLE_S)))  # noqa: RUF046 (a float in compiled code)
    cycle_s = dt_s / cycles
    is_late = vehicle.lead >= cycles
    lead = min(vehicle.lead - cycles if is_late else vehicle.lead, cycles - 1)
    wind = np.empty(3)
    wind[0], wind[1], wind[2] = wind_at(vehicle.wind, vehicle.seed, t_s)
    for cycle in range(cycles):
        if cycle == lead and is_late:
            _new_waypoint(
                vehicle, goal, item, vehicle.waiting_path, int(vehicle.waiting[0]), vehicle.waiting[1],
                t_s + lead * cycle_s, fovs,
            )  # fmt: skip
        elif cycle == lead:
            _new_waypoint(
                vehicle, goal, item, path, path_length, path_time_s, t_s + lead * cycle_s, fovs
            )
        step_cycle(
            state, vehicle.waypoint[0:3], vehicle.waypoint[3], previous, goal, item, wind, cycle_s,
            vehicle.constants,
        )  # fmt: skip
        if item == TAKEOFF_ITEM and state[POS + 2] < vehicle.pad[0] + LIFT_OFF_M:
            state[STATE_YAW], state[YAW_RATE] = vehicle.pad[1], 0.0
        vehicle.started[1] += 1
        keep_pose(vehicle.poses, vehicle.started[1], state)
    # A path begins with its far end; of one too long (another planner's) the part near the vehicle counts.
    nodes = min(path_length, vehicle.waiting_path.shape[0])
    vehicle.waiting_path[:nodes] = path[path_length - nodes : path_length]
    vehicle.waiting[0], vehicle.waiting[1] = nodes, path_time_s
    copy_to_body(state, body)


@njit(cache=True, nogil=True, error_model="numpy")
def image_pose_px4(vehicle: Px4Vehicle, body: Any, pose: Any) -> None:
    """Pose of the vehicle when the image was taken that is planned with now."""
    pose_before(vehicle.poses, vehicle.started[1], vehicle.image_cycles, body, pose)


@njit(cache=True, nogil=True, error_model="numpy")
def _new_waypoint(
    vehicle: Px4Vehicle, goal: Any, item: int, path: Any, path_length: int, path_time_s: float, now_s: float,
    fovs: Any,
) -> None:  # fmt: skip
    """Run the waypoint generator with the newest pose and the goal it has heard of."""
    state = vehicle.state
    _hear(vehicle, goal, item)
    item = int(vehicle.heard[3])
    position, velocity = np.empty(3, np.float32), np.empty(3, np.float32)
    goal32, desired = np.empty(3, np.float32), np.empty(3, np.float32)
    for axis in range(3):
        position[axis], velocity[axis] = state[POS + axis], state[VEL + axis]
        goal32[axis], desired[axis] = vehicle.heard[axis], math.nan
    w, x, y, z = quaternion_of(state[STATE_ROLL], state[STATE_PITCH], state[STATE_YAW])
    update_generator(
        vehicle.generator, position, velocity, np.float32(w), np.float32(x), np.float32(y), np.float32(z),
        goal32, desired, 0, 1, NAV_MISSION, 1 if item == LAND_ITEM else 0, 1 if item == TAKEOFF_ITEM else 0,
    )  # fmt: skip
    run_generator(
        vehicle.generator, path, path_length, path_time_s + vehicle.planning_s, vehicle.cruise, now_s,
        vehicle.gain_xy, vehicle.gain_z, fovs,
    )  # fmt: skip
    for axis in range(3):
        vehicle.waypoint[axis] = vehicle.generator.f[OUT_POSITION + axis]
    vehicle.waypoint[3] = vehicle.generator.f[YAW_SP]


@njit(cache=True, nogil=True, error_model="numpy")
def _hear(vehicle: Px4Vehicle, goal: Any, item: int) -> None:
    """Pass a change of goal on after the delay; the first goal is known at once."""
    heard = vehicle.heard
    if not (heard[4] == goal[0] and heard[5] == goal[1] and heard[6] == goal[2] and heard[7] == item):
        heard[4], heard[5], heard[6], heard[7] = goal[0], goal[1], goal[2], item
        heard[8] = 0.0
    if heard[8] >= vehicle.goal_delay or math.isnan(heard[0]):
        heard[0:4] = heard[4:8]
    heard[8] += 1.0


class Px4VehicleStepper:
    """The PX4 vehicle outside compiled flights (ROS node, stepwise loop)."""

    name = "px4"

    def __init__(self, vehicle: Px4Vehicle, fovs: NDArray[np.float32]) -> None:
        self.vehicle = vehicle
        self._fovs = fovs

    @property
    def image_age_s(self) -> float:
        """Age of the images the planner works with."""
        return self.vehicle.image_cycles * CYCLE_S

    def image_pose(self, body: FloatArray) -> FloatArray:
        """Position, roll, pitch and yaw when the image was taken that is planned with now."""
        pose = np.empty(POSE_SIZE)
        image_pose_px4(self.vehicle, body, pose)
        return pose

    def step(self, body: FloatArray, command: StepInput) -> None:
        """Move the body by one step, in place."""
        path = np.ascontiguousarray(command.path_enu_m, dtype=np.float32).reshape(-1, 3)
        move_px4(
            self.vehicle, body, command.phase, np.asarray(command.goal_enu_m, dtype=np.float64),
            np.asarray(command.previous_enu_m, dtype=np.float64), path, len(path), command.last_path_time_s,
            command.t_s, command.dt_s, self._fovs,
        )  # fmt: skip
