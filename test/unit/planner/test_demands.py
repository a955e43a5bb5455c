"""What becomes of a plan for a vehicle that flies velocities and accelerations, too."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.core.body import SET_ACCELERATION, SET_VELOCITY, SET_YAW, SET_YAW_RATE
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.base import Plan, Pose
from uav_testgen.planner.follow import complete, demand, setpoint_of

HERE = Pose(np.array([1.0, 2.0, 3.0]), np.zeros(3), np.array([0.0, 0.0, 0.5]))
GOAL = np.array([9.0, 2.0, 3.0])


def demanded(plan: Plan) -> np.ndarray:
    return demand(setpoint_of(plan, HERE), HERE, GOAL)


def test_a_velocity_stays_a_velocity() -> None:
    full = demanded(Plan(velocity_enu_mps=(0.0, 2.0, 0.0)))
    assert np.isnan(full[:3]).all() and full[SET_VELOCITY : SET_VELOCITY + 3].tolist() == [0.0, 2.0, 0.0]
    assert full[SET_YAW] == pytest.approx(math.pi / 2)  # looks where it flies
    for_places = complete(setpoint_of(Plan(velocity_enu_mps=(0.0, 2.0, 0.0)), HERE), HERE, GOAL)
    assert for_places[:3].tolist() == [1.0, 4.0, 3.0]


def test_an_acceleration_stays_one_and_axes_without_a_demand_are_held() -> None:
    full = demanded(Plan(acceleration_enu_mps2=(1.0, 0.0, math.nan)))
    assert full[SET_ACCELERATION : SET_ACCELERATION + 2].tolist() == [1.0, 0.0]
    assert np.isnan(full[:2]).all() and full[2] == 3.0
    assert full[SET_YAW] == 0.0  # looks where it is pushed


def test_silence_means_the_goal_and_a_path_the_point_that_leads_along_it() -> None:
    assert demanded(Plan())[:3].tolist() == GOAL.tolist()
    assert demanded(Plan(path_enu_m=[(1, 2, 3), (1, 12, 3)]))[:3].tolist() == [1.0, 6.0, 3.0]


def test_a_yaw_rate_needs_no_yaw() -> None:
    full = demanded(Plan(position_enu_m=(5, 2, 3), yaw_rate_radps=0.3))
    assert math.isnan(full[SET_YAW]) and full[SET_YAW_RATE] == 0.3
    assert demanded(Plan(position_enu_m=(5, 2, 3), yaw_rad=1.0))[SET_YAW] == 1.0


def test_a_node_that_says_nothing_about_the_heading_keeps_it() -> None:
    said = setpoint_of(Plan(velocity_enu_mps=(0.0, 2.0, 0.0)), HERE)
    assert math.isnan(demand(said, HERE, GOAL, turns=False)[SET_YAW])
    assert math.isnan(demand(setpoint_of(Plan(), HERE), HERE, GOAL, turns=False)[SET_YAW])


def test_infinite_numbers_are_refused() -> None:
    with pytest.raises(PlannerInputError, match="infinite"):
        demanded(Plan(velocity_enu_mps=(math.inf, 0.0, 0.0)))
