"""Set-points have one meaning, that of PX4's TrajectorySetpoint: NaN demands nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from geometry_msgs.msg import Point, Vector3
from hypothesis import given
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message, serialize_message
from std_msgs.msg import Header
from uav_testgen_msgs.msg import Setpoint

from uav_testgen.core.body import SET_POSITION, SET_YAW, SET_YAW_RATE, SETPOINT_SIZE
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.base import Pose
from uav_testgen.planner.follow import complete
from uav_testgen.planner.follow import demand as said_as_demanded
from uav_testgen.ros.convert.setpoint import setpoint_from_msg, setpoint_to_msg, with_position

NAN = math.nan
numbers = st.just(NAN) | st.floats(-100.0, 100.0)
HERE = Pose(np.array([1.0, 2.0, 3.0]), np.zeros(3), np.zeros(3))
GOAL = np.array([10.0, 0.0, 5.0])


@given(st.lists(numbers, min_size=SETPOINT_SIZE, max_size=SETPOINT_SIZE))
def test_a_set_point_survives_the_wire_to_the_last_bit(values: list[float]) -> None:
    message = setpoint_to_msg(np.array(values), Header(frame_id="map"))
    back = setpoint_from_msg(deserialize_message(serialize_message(message), Setpoint))
    np.testing.assert_array_equal(back, np.array(values))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("position", Point(x=math.inf)),
        ("position", Point(y=1e9)),
        ("velocity", Vector3(z=-math.inf)),
        ("acceleration", Vector3(x=1e9)),
        ("yaw", math.inf),
        ("yaw_rate", 1e9),
    ],
)
def test_what_no_vehicle_can_fly_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(PlannerInputError, match=field):
        setpoint_from_msg(Setpoint(**{field: value}))


def demand(**parts: list[float]) -> np.ndarray:
    setpoint = np.full(SETPOINT_SIZE, NAN)
    for slot, values in parts.items():
        begin = {"position": 0, "velocity": 3}[slot]
        setpoint[begin : begin + 3] = values
    return setpoint


def test_a_position_is_flown_as_it_is() -> None:
    setpoint = demand(position=[4.0, 5.0, 6.0])
    assert with_position(setpoint, HERE, GOAL) is setpoint
    assert math.isnan(setpoint[SET_YAW]), "no demand: the vehicle keeps its heading"


def test_a_velocity_is_flown_as_the_place_it_leads_to() -> None:
    full = with_position(demand(velocity=[2.0, 0.0, -1.0]), HERE, GOAL)
    assert full[SET_POSITION : SET_POSITION + 3].tolist() == [3.0, 2.0, 2.0]


def test_no_demand_at_all_leads_to_the_goal() -> None:
    full = with_position(demand(), HERE, GOAL)
    assert full[SET_POSITION : SET_POSITION + 3].tolist() == GOAL.tolist()


def test_a_turn_is_flown_as_the_heading_it_leads_to() -> None:
    setpoint = demand(position=[4.0, 5.0, 6.0])
    setpoint[SET_YAW_RATE] = 0.3
    full = with_position(setpoint, HERE, GOAL)
    assert (full[SET_YAW], full[:3].tolist()) == (pytest.approx(0.3), [4.0, 5.0, 6.0])


@given(st.lists(numbers, min_size=SETPOINT_SIZE, max_size=SETPOINT_SIZE))
def test_completed_by_the_vehicle_as_it_would_be_by_the_planner(values: list[float]) -> None:
    """A graph completes on the vehicle's side what the loop of one process completes on the planner's."""
    said = said_as_demanded(np.array(values), HERE, GOAL)
    np.testing.assert_array_equal(with_position(said, HERE, GOAL), complete(np.array(values), HERE, GOAL))
