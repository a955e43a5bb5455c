"""Replay of consecutive calls with memory, and of the waypoint generator."""

from __future__ import annotations

from typing import Final

import numpy as np

from uav_testgen.planner.vfh3d.base import (
    NavState,
    Planner,
    PlannerResult,
    Waypoint,
    WaypointInput,
    make_planner,
    make_waypoint_generator,
)
from uav_testgen.testing.golden.records import Record
from uav_testgen.testing.golden.report import CaseCheck
from uav_testgen.testing.golden.stage import clouds_of, compare_histogram

AGE_S: Final = 1e-3
PATH_M: Final = 2e-3
WAYPOINT: Final = 1e-4

_MODES: Final = {
    "AUTO.MISSION": NavState.MISSION,
    "AUTO.TAKEOFF": NavState.AUTO_TAKEOFF,
    "AUTO.LAND": NavState.AUTO_LAND,
    "AUTO.RTL": NavState.AUTO_RTL,
    "AUTO.RTGS": NavState.AUTO_RTGS,
    "AUTO.LOITER": NavState.AUTO_LOITER,
    "OFFBOARD": NavState.OFFBOARD,
}


def replay_sequence(record: Record, name: str, implementation: str) -> CaseCheck:
    """Fly the scripted motion from a fresh planner and a fresh generator."""
    check = CaseCheck(name)
    config, fovs = record.planner_config(), record.fields_of_view()
    px4, mission_speed = record.px4_parameters()
    planner = make_planner(implementation, config, px4, fovs)
    planner.set_mission_item_speed(mission_speed)
    generator = make_waypoint_generator(implementation, config, fovs)
    goals: list[object] | None = None
    result: PlannerResult | None = None
    for index, step in enumerate(record.records("steps")):
        at = f"in step {index}"
        if goals != [step["goal"], step["prev_goal"]]:
            goals = [step["goal"], step["prev_goal"]]
            planner.set_goal(step.array("goal", (3,)), step.array("prev_goal", (3,)))
        if step.flag("planner_called"):
            result = _plan(planner, step)
            _compare_plan(check, result, step, at)
        if result is not None:
            generator.set_path(result.path_enu_m, result.last_path_time_s, result.cruise_velocity_mps)
        generator.update(_waypoint_input(step))
        waypoint = generator.get(step.number("t_wp"))
        _compare_waypoint(check, waypoint, step.record("waypoint"), at)
    return check


def _plan(planner: Planner, step: Record) -> PlannerResult:
    return planner.plan(
        step.number("t_plan"),
        step.array("position", (3,)),
        step.array("velocity", (3,)),
        step.array("quaternion_wxyz", (4,)),
        clouds_of(step),
    )


def _waypoint_input(step: Record) -> WaypointInput:
    name = step.text("nav_state")
    known = {state.value: state for state in NavState}
    return WaypointInput(
        position_enu_m=step.array("position", (3,)),
        velocity_enu_mps=step.array("velocity", (3,)),
        quaternion_wxyz=step.array("quaternion_wxyz", (4,)),
        goal_enu_m=step.array("goal", (3,)),
        previous_goal_enu_m=step.array("prev_goal", (3,)),
        stay=step.flag("stay"),
        airborne=step.flag("airborne"),
        nav_state=known.get(name) or _nav_state_of_mode(name),
        is_land_waypoint=step.flag("land_waypoint"),
        is_takeoff_waypoint=step.flag("takeoff_waypoint"),
        desired_velocity_enu_mps=step.array("desired_velocity", (3,)),
    )


def _compare_plan(check: CaseCheck, result: PlannerResult, step: Record, at: str) -> None:
    check.same("processed_cloud_size", len(result.cloud_enu_m), int(step.number("processed_cloud_size")), at)
    check.same("n_remembered", int((result.cloud_age_s > 0).sum()), int(step.number("n_remembered")), at)
    ages = step.array("processed_cloud_age", (None,))
    check.close("processed_cloud_age", result.cloud_age_s, ages, absolute=AGE_S, at=at)
    total = result.cloud_enu_m.astype(np.float64).sum(axis=0)
    recorded = step.array("processed_cloud_xyz_sum", (3,))
    check.close("processed_cloud_xyz_sum", total, recorded, absolute=1e-3, at=at)
    compare_histogram(check, result, step, at)
    closest = step.array("closest_point", (3,))
    check.close("closest_point", result.closest_point_enu_m, closest, absolute=1e-3, at=at)
    check.same("tree_size", result.tree_size, int(step.number("tree_size")), at)
    check.close("path", result.path_enu_m, step.array("path", (None, 3)), absolute=PATH_M, at=at)
    cruise = step.number("cruise_velocity")
    check.close("cruise_velocity", result.cruise_velocity_mps, cruise, absolute=1e-5, relative=1e-5, at=at)
    path_time = step.number("last_path_time")
    check.close("last_path_time", result.last_path_time_s, path_time, absolute=1e-6, at=at)


def _compare_waypoint(check: CaseCheck, got: Waypoint, recorded: Record, at: str) -> None:
    check.same("waypoint.state", got.state.value, recorded.text("state"), at)
    for name, value in (
        ("goto", got.goto_enu_m),
        ("adapted", got.adapted_enu_m),
        ("smoothed", got.smoothed_enu_m),
        ("position_wp", got.position_enu_m),
        ("linear_velocity_wp", got.linear_velocity_enu_mps),
    ):
        check.close(f"waypoint.{name}", value, recorded.array(name, (3,)), absolute=WAYPOINT, at=at)
    orientation = recorded.array("orientation_wp_wxyz", (4,))
    same_side = np.sign(np.dot(got.orientation_wxyz, orientation)) or 1.0  # q and -q are the same rotation
    turned = same_side * np.asarray(got.orientation_wxyz, np.float64)
    check.close("waypoint.orientation_wp", turned, orientation, absolute=WAYPOINT, at=at)
    yaw_error = np.remainder(got.yaw_rad - recorded.number("setpoint_yaw_rad") + np.pi, 2 * np.pi) - np.pi
    check.close("waypoint.setpoint_yaw", yaw_error, 0.0, absolute=WAYPOINT, at=at)
    rate, speed = recorded.number("setpoint_yaw_velocity"), recorded.number("speed")
    check.close("waypoint.setpoint_yaw_velocity", got.yaw_rate_radps, rate, absolute=WAYPOINT, at=at)
    check.close("waypoint.speed", got.speed_mps, speed, absolute=WAYPOINT, at=at)


def _nav_state_of_mode(mode: str) -> NavState:
    """Flight mode by the autopilot's name for it; unknown modes are NONE."""
    return _MODES.get(mode.upper(), NavState.NONE)
