"""What the planner's node decides around the planner: failsafe, flight modes, goals of a mission.

Pure functions, so that the ROS node, the simulator and tests share them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from uav_testgen.planner.vfh3d.base import NavState
from uav_testgen.planner.vfh3d.config import PlannerConfig

CYCLE_S: Final = 0.1
"""Shortest period of the planner and period of the waypoint loop."""

Vector = tuple[float, float, float]
_MODES: Final = {
    "AUTO.MISSION": NavState.MISSION,
    "AUTO.TAKEOFF": NavState.AUTO_TAKEOFF,
    "AUTO.LAND": NavState.AUTO_LAND,
    "AUTO.RTL": NavState.AUTO_RTL,
    "AUTO.RTGS": NavState.AUTO_RTGS,
    "AUTO.LOITER": NavState.AUTO_LOITER,
    "OFFBOARD": NavState.OFFBOARD,
}
_COMMAND_LAND: Final = 21
_COMMAND_TAKEOFF: Final = 22
_COMMAND_CHANGE_SPEED: Final = 178
_COMMAND_NONE: Final = 65535
_GROUND_SPEED: Final = 1
_SAME_ITEM_M: Final = 0.01


class Failsafe(Enum):
    """Health of the avoidance system."""

    ACTIVE = "active"
    CRITICAL = "critical"
    """Hover until the planner answers again."""
    FLIGHT_TERMINATION = "flight_termination"


def failsafe(since_output_s: float, since_start_s: float, config: PlannerConfig) -> Failsafe:
    """How bad the planner's silence is; times are seconds since its last output and since the start."""
    limit = config.timeout_termination_s
    if since_output_s > limit and since_start_s > limit:
        return Failsafe.FLIGHT_TERMINATION
    if since_output_s > config.timeout_critical_s and since_start_s > config.timeout_startup_s:
        return Failsafe.CRITICAL
    return Failsafe.ACTIVE


def nav_state_of_mode(mode: str) -> NavState:
    """Flight mode by the autopilot's name for it; unknown modes are NONE."""
    return _MODES.get(mode.upper(), NavState.NONE)


def is_airborne(armed: bool, nav_state: NavState) -> bool:
    """Armed and in a mode the generator knows."""
    return armed and nav_state is not NavState.NONE


class MissionItem(NamedTuple):
    """The part of a mission item that sets the speed."""

    command: int
    speed_type: float = math.nan
    speed_mps: float = math.nan


def mission_speed(items: Sequence[MissionItem], current: int) -> float:
    """Ground speed set by the latest change-speed item at or before ``current``; NaN if none."""
    for item in reversed(items[: current + 1]):
        if item.command == _COMMAND_CHANGE_SPEED and item.speed_type == _GROUND_SPEED and item.speed_mps > 0:
            return item.speed_mps
    return math.nan


@dataclass(frozen=True, slots=True)
class MissionGoal:
    """Goal as followed through a mission; positions are ENU metres."""

    goal_enu_m: Vector = (math.nan, math.nan, math.nan)
    previous_goal_enu_m: Vector = (0.0, 0.0, 0.0)
    mission_item_enu_m: Vector = (math.nan, math.nan, math.nan)
    desired_velocity_enu_mps: Vector = (math.nan, math.nan, math.nan)
    is_land_waypoint: bool = False
    is_takeoff_waypoint: bool = False
    is_new: bool = False
    """True when the planner must be told."""


class DesiredTrajectory(NamedTuple):
    """What the autopilot wishes: its setpoint (point 1) and the current mission item (point 2)."""

    setpoint_enu_m: Vector
    setpoint_velocity_enu_mps: Vector
    setpoint_valid: bool
    setpoint_command: int
    item_enu_m: Vector
    item_valid: bool
    item_command: int


def follow_mission(state: MissionGoal, desired: DesiredTrajectory) -> MissionGoal:
    """The goal after a message of the autopilot; a new mission item makes its setpoint the new goal."""
    moved = not math.dist(desired.item_enu_m, state.mission_item_enu_m) <= _SAME_ITEM_M
    no_goal = not all(map(math.isfinite, state.goal_enu_m))
    following = replace(state, is_new=False)
    if (moved or no_goal) and desired.setpoint_valid:
        following = replace(
            state,
            goal_enu_m=desired.setpoint_enu_m,
            previous_goal_enu_m=state.previous_goal_enu_m if no_goal else state.goal_enu_m,
            desired_velocity_enu_mps=desired.setpoint_velocity_enu_mps,
            is_land_waypoint=desired.setpoint_command == _COMMAND_LAND,
            is_takeoff_waypoint=desired.setpoint_command == _COMMAND_TAKEOFF,
            is_new=True,
        )
    if desired.item_valid:
        following = replace(following, mission_item_enu_m=desired.item_enu_m)
        if desired.item_command == _COMMAND_NONE:
            nan3 = (math.nan, math.nan, math.nan)
            following = replace(following, goal_enu_m=desired.item_enu_m, desired_velocity_enu_mps=nan3)
    return following
