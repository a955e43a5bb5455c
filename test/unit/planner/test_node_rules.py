from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import ValidationError

from uav_testgen.planner.fov_estimation import FovEstimator
from uav_testgen.planner.node_rules import (
    DesiredTrajectory,
    Failsafe,
    MissionGoal,
    MissionItem,
    failsafe,
    follow_mission,
    is_airborne,
    mission_speed,
    nav_state_of_mode,
)
from uav_testgen.planner.vfh3d.base import NavState
from uav_testgen.planner.vfh3d.config import PX4_NAMES, RECONFIGURE_NAMES, PlannerConfig, Px4Parameters
from uav_testgen.testing.golden.scene import see

NAN3 = (math.nan, math.nan, math.nan)


@pytest.mark.parametrize(
    ("silent_s", "running_s", "expected"),
    [
        (0.4, 100, Failsafe.ACTIVE),
        (0.6, 4, Failsafe.ACTIVE),
        (0.6, 6, Failsafe.CRITICAL),
        (16, 14, Failsafe.CRITICAL),
        (16, 16, Failsafe.FLIGHT_TERMINATION),
        (15, 100, Failsafe.CRITICAL),
    ],
)
def test_failsafe(silent_s: float, running_s: float, expected: Failsafe) -> None:
    assert failsafe(silent_s, running_s, PlannerConfig()) is expected


def test_modes() -> None:
    assert nav_state_of_mode("AUTO.RTGS") is NavState.AUTO_RTGS
    assert nav_state_of_mode("POSCTL") is NavState.NONE
    assert is_airborne(True, NavState.OFFBOARD)
    assert not is_airborne(True, NavState.NONE)
    assert not is_airborne(False, NavState.MISSION)


def test_mission_speed_is_the_latest_ground_speed_so_far() -> None:
    items = [
        MissionItem(16),
        MissionItem(178, 1, 4.0),
        MissionItem(178, 0, 9.0),
        MissionItem(178, 1, -1.0),
        MissionItem(16),
        MissionItem(178, 1, 2.0),
    ]
    assert math.isnan(mission_speed(items, 0))
    assert mission_speed(items, 4) == 4.0
    assert mission_speed(items, 5) == 2.0


def _desired(x: float, command: int = 16, item_command: int = 16, valid: bool = True) -> DesiredTrajectory:
    return DesiredTrajectory((x, 0, 5), (1, 0, 0), valid, command, (x, 1, 5), True, item_command)


def test_mission_goals_follow_the_items() -> None:
    first = follow_mission(MissionGoal(), _desired(10.0, command=22))
    assert first.is_new and first.is_takeoff_waypoint
    assert first.goal_enu_m == (10.0, 0, 5)
    assert first.previous_goal_enu_m == (0, 0, 0)
    again = follow_mission(first, _desired(10.0))
    assert not again.is_new and again.goal_enu_m == (10.0, 0, 5)
    second = follow_mission(again, _desired(20.0, command=21))
    assert second.is_new and second.is_land_waypoint and not second.is_takeoff_waypoint
    assert second.previous_goal_enu_m == (10.0, 0, 5)
    assert not follow_mission(second, _desired(30.0, valid=False)).is_new


def test_unknown_item_command_makes_the_item_the_goal() -> None:
    state = follow_mission(MissionGoal(), _desired(10.0, item_command=65535))
    assert state.goal_enu_m == (10.0, 1, 5)
    assert all(map(math.isnan, state.desired_velocity_enu_mps))


OPTICAL_TO_BODY = np.array([[0, 0, 1], [-1, 0, 0], [0, -1, 0]])


def test_view_grows_with_the_clouds_and_never_shrinks() -> None:
    estimator = FovEstimator()
    assert estimator.update(np.zeros((0, 3)), OPTICAL_TO_BODY).h_fov_deg == 0
    estimator.update([[math.nan, 0, 1]], OPTICAL_TO_BODY)
    assert estimator.fov.h_fov_deg == 0
    # A level camera close above a floor and in front of a wall fills its image.
    wall = see([], np.array([0.0, 0.0, 3.0]), 0.0).astype(float) - (0, 0, 3)
    optical = wall @ OPTICAL_TO_BODY
    seen = estimator.update(optical, OPTICAL_TO_BODY)
    assert seen.yaw_deg == pytest.approx(0, abs=0.1)
    assert seen.h_fov_deg == pytest.approx(58.2, abs=0.2)
    assert seen.pitch_deg > 0  # the floor is below
    assert estimator.update(optical[:5], OPTICAL_TO_BODY) == seen


def test_view_across_the_back() -> None:
    left, right = (-1.0, 0.5, 0.0), (-1.0, -0.5, 0.0)
    seen = FovEstimator().update([left, right], np.eye(3))
    assert seen.h_fov_deg == pytest.approx(2 * math.degrees(math.atan(0.5)), abs=1e-3)
    assert seen.yaw_deg == pytest.approx(180)


def test_every_parameter_has_its_original_name() -> None:
    assert set(RECONFIGURE_NAMES.values()) == set(PlannerConfig.model_fields)
    assert set(PX4_NAMES.values()) == set(Px4Parameters.model_fields)


def test_original_names_build_the_configuration() -> None:
    assert PlannerConfig.from_reconfigure({"max_sensor_range_": 12}).max_sensor_range_m == 12
    assert Px4Parameters.from_px4_names({"MPC_XY_CRUISE": 3}).mpc_xy_cruise_mps == 3
    assert math.isnan(Px4Parameters.from_px4_names({"MPC_XY_CRUISE": None}).mpc_xy_cruise_mps)
    with pytest.raises(ValueError, match="max_range"):
        PlannerConfig.from_reconfigure({"max_range": 12})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_sensor_range_m", 41),
        ("children_per_node", -1),
        ("min_num_points_per_cell", 0),
        ("goal_z_m", -21),
    ],
)
def test_ranges(name: str, value: float) -> None:
    with pytest.raises(ValidationError, match=name):
        PlannerConfig(**{name: value})  # type: ignore[arg-type]
