"""From a system and a scenario to what compiled flights take: constants, fresh state, scratch buffers."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SETPOINT_SIZE, body_at
from uav_testgen.core.errors import ConfigError
from uav_testgen.loop.image_pose import KEPT, POSE_SIZE
from uav_testgen.loop.rig import believed_views, make_rig
from uav_testgen.loop.state import CLOCK, LoopState
from uav_testgen.loop.system import System
from uav_testgen.loop.track import landing_height_m
from uav_testgen.planner.vfh3d.compiled.first_node import FirstNodeGuide, new_first_node_memory
from uav_testgen.planner.vfh3d.compiled.planner import fov_array
from uav_testgen.planner.vfh3d.compiled.waypoint_guide import new_waypoint_memory
from uav_testgen.planner.vfh3d.compiled.workspace import (
    Parameters,
    Workspace,
    make_parameters,
    make_workspace,
)
from uav_testgen.planner.vfh3d.planner import GuideSettings, make_waypoint_guide
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.config import PaperVehicleConfig
from uav_testgen.vehicle.mission import PackedMission, new_progress, pack_mission
from uav_testgen.vehicle.paper import make_paper, new_paper_memory
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4.cycle import CYCLE_S
from uav_testgen.vehicle.px4.model import cycles_per_step, make_px4, new_px4_memory
from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig
from uav_testgen.vehicle.px4_offboard.model import make_offboard, new_offboard_memory
from uav_testgen.world.packed import PackedWorld, pack
from uav_testgen.world.wind import pack_wind


class Moments(NamedTuple):
    """A step in cycles of the vehicle."""

    dt_s: float
    cycles: int
    lead: int
    """The guide speaks before this cycle of the step..."""
    is_late: bool
    """...about the plan of the step before."""
    image_cycles: int
    """Age of images..."""
    image_age_s: float
    """...and in seconds."""


class LoopSetup(NamedTuple):
    """What does not change during a flight."""

    obstacles: FloatArray
    moving: bool
    ground: Any
    wind: FloatArray
    seed: int
    moments: Moments
    cameras: tuple[Any, ...]
    parameters: Parameters
    views: Any
    guide: Any
    vehicle: Any
    mission: PackedMission


class Scratch(NamedTuple):
    """Buffers without meaning between steps."""

    workspace: Workspace
    placed: FloatArray
    goal: FloatArray
    previous: FloatArray
    wind: FloatArray
    pose: FloatArray
    goal32: Any
    previous32: Any
    line_point: Any
    motion32: Any
    no_trace: Any
    no_indices: Any


def moments_of(system: System, cycles: int | None = None) -> Moments:
    """When the guide speaks and how old images are, in cycles of the vehicle."""
    timing = system.timing
    dt_s = timing.dt_s
    is_px4 = isinstance(system.vehicle, (Px4VehicleConfig, Px4OffboardConfig))
    if cycles is None:
        cycles = cycles_per_step(dt_s) if is_px4 else 1
    cycle_s = CYCLE_S if is_px4 else dt_s / cycles
    lead = round(timing.plan_age_s / cycle_s)
    is_late = lead >= cycles
    lead = min(lead - cycles if is_late else lead, cycles - 1)
    image_age_s = timing.image_age_s
    return Moments(dt_s, cycles, lead, is_late, round(image_age_s / cycle_s), image_age_s)


def make_guide(system: System, scenario: Scenario) -> tuple[Any, Any]:
    """3DVFH*'s guide and its memory."""
    if system.guide == "first_node":
        return FirstNodeGuide(), new_first_node_memory()
    settings = GuideSettings("waypoint", system.timing.goal_delay_s, system.timing.planning_s)
    guide = make_waypoint_guide(
        settings, system.planner.parameters, system.autopilot, believed_views(system),
        scenario.mission.speed_mps,
    )  # fmt: skip
    return guide, new_waypoint_memory()


def make_vehicle(system: System, scenario: Scenario) -> tuple[Any, Any]:
    """The vehicle in kernel types and its memory."""
    if isinstance(system.vehicle, PaperVehicleConfig):
        return make_paper(system.vehicle, scenario.mission.speed_mps), new_paper_memory()
    if isinstance(system.vehicle, Px4VehicleConfig):
        return make_px4(system.vehicle), new_px4_memory()
    if isinstance(system.vehicle, Px4OffboardConfig):
        return make_offboard(system.vehicle, scenario.mission.speed_mps), new_offboard_memory()
    raise ConfigError(f"vehicle '{system.vehicle.model}' is not compiled; it flies step by step")


def make_scratch(workspace: Workspace, obstacles: FloatArray) -> Scratch:
    """Buffers for one flight at a time."""
    return Scratch(
        workspace=workspace,
        placed=obstacles.copy(),
        goal=np.zeros(3),
        previous=np.zeros(3),
        wind=np.zeros(3),
        pose=np.zeros(POSE_SIZE),
        goal32=np.zeros(3, np.float32),
        previous32=np.zeros(3, np.float32),
        line_point=np.zeros(3, np.float32),
        motion32=np.zeros(6, np.float32),
        no_trace=np.zeros((0, 0, 2), np.float32),
        no_indices=np.zeros(0, np.int64),
    )


def make_loop(
    system: System,
    scenario: Scenario,
    seed: int,
    workspace: Workspace | None = None,
    world: PackedWorld | None = None,
) -> tuple[LoopSetup, Scratch, LoopState]:
    """A flight before its first step. A workspace may serve several flights, one after the other."""
    world = world or pack(scenario)
    mission = scenario.mission
    parameters = make_parameters(system.planner.parameters, system.autopilot)
    workspace = workspace or make_workspace(parameters)
    cameras, camera_memory = make_rig(system.rig, scenario.visibility, system.timing.dt_s)
    guide, guide_memory = make_guide(system, scenario)
    vehicle, vehicle_memory = make_vehicle(system, scenario)
    packed = pack_mission(mission, system.mission, landing_height_m(world, scenario))
    setup = LoopSetup(
        obstacles=world.obstacles,
        moving=world.moving,
        ground=world.ground,
        wind=pack_wind(scenario.wind),
        seed=seed,
        moments=moments_of(system),
        cameras=cameras,
        parameters=parameters,
        views=fov_array(believed_views(system)),
        guide=guide,
        vehicle=vehicle,
        mission=packed,
    )
    state = LoopState(
        clock=np.zeros(1, CLOCK),
        body=body_at(mission.home_enu_m, mission.home_yaw_rad),
        setpoint=np.full(SETPOINT_SIZE, math.nan),
        progress=new_progress(packed),
        poses=np.zeros((KEPT, POSE_SIZE)),
        vehicle=vehicle_memory,
        guide=guide_memory,
        points=workspace.memory,
        path=workspace.path,
        waiting_path=np.zeros_like(workspace.path),
        cameras=camera_memory,
    )
    return setup, make_scratch(workspace, world.obstacles), state


def sample_capacity(system: System) -> int:
    """Samples of the longest flight."""
    return math.ceil(system.mission.time_limit_s / system.timing.dt_s) + 2
