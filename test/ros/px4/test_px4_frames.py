"""NED/FRD to ENU/FLU, checked by cases one can see and by rotation algebra."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uav_testgen.core.frames import quaternion_wxyz_from_euler, wrap_pi
from uav_testgen.ros.px4.frames import estimate_from_odometry, rotate, setpoint_to_ned

NED, FRD, BODY = 1, 2, 3
LEVEL = (1.0, 0.0, 0.0, 0.0)
ANGLE = st.floats(-3.0, 3.0)
SMALL = st.floats(-1.2, 1.2)


def test_facing_north_is_ninety_degrees() -> None:
    found = estimate_from_odometry((1.0, 2.0, -3.0), (4.0, 5.0, -6.0), LEVEL, NED, NED)
    assert found is not None
    assert found.position_enu_m == (2.0, 1.0, 3.0)
    assert found.velocity_enu_mps == (5.0, 4.0, 6.0)
    assert found.attitude_rad == pytest.approx((0.0, 0.0, 0.5 * math.pi), abs=1e-12)


def test_nose_down_in_frd_is_positive_pitch_in_flu() -> None:
    pitch_frd = math.radians(-10.0)  # nose down
    q = (math.cos(0.5 * pitch_frd), 0.0, math.sin(0.5 * pitch_frd), 0.0)
    found = estimate_from_odometry((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), q, NED, NED)
    assert found is not None
    assert found.attitude_rad[1] == pytest.approx(math.radians(10.0), abs=1e-12)


def test_velocity_in_body_axes_is_turned() -> None:
    east = (math.cos(0.25 * math.pi), 0.0, 0.0, math.sin(0.25 * math.pi))  # NED yaw 90 degrees
    found = estimate_from_odometry((0.0, 0.0, 0.0), (3.0, 0.0, 1.0), east, NED, BODY)
    assert found is not None
    assert found.velocity_enu_mps == pytest.approx((3.0, 0.0, -1.0), abs=1e-12)


@given(ANGLE, SMALL, ANGLE)
def test_body_axes_point_the_same_way(roll: float, pitch: float, yaw: float) -> None:
    """Forward, left and up of the vehicle are the same directions in both descriptions."""
    q_ned = quaternion_wxyz_from_euler(roll, pitch, yaw)
    found = estimate_from_odometry((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), q_ned, NED, NED)
    assert found is not None
    q_enu = quaternion_wxyz_from_euler(*found.attitude_rad)
    for flu, frd in (((1, 0, 0), (1, 0, 0)), ((0, 1, 0), (0, -1, 0)), ((0, 0, 1), (0, 0, -1))):
        north, east, down = rotate(frd, q_ned)
        assert rotate(flu, q_enu) == pytest.approx((east, north, -down), abs=1e-9)


@pytest.mark.parametrize(
    ("position", "q", "pose_frame", "velocity_frame"),
    [
        ((math.nan, 0.0, 0.0), LEVEL, NED, NED),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), NED, NED),
        ((0.0, 0.0, 0.0), LEVEL, FRD, NED),
        ((0.0, 0.0, 0.0), LEVEL, NED, FRD),
    ],
)
def test_unusable_odometry(position, q, pose_frame, velocity_frame) -> None:  # type: ignore[no-untyped-def]
    assert estimate_from_odometry(position, (0.0, 0.0, 0.0), q, pose_frame, velocity_frame) is None


@given(ANGLE)
def test_setpoint_heading(yaw: float) -> None:
    told = setpoint_to_ned(np.array([1.0, 2.0, 3.0, *[math.nan] * 6, yaw, math.nan]))
    assert told.position == (2.0, 1.0, -3.0)
    assert wrap_pi(told.yaw + yaw) == pytest.approx(0.5 * math.pi, abs=1e-9)
    assert all(math.isnan(value) for value in (*told.velocity, *told.acceleration, told.yawspeed))


def test_every_demand_is_turned_and_silence_stays_silence() -> None:
    told = setpoint_to_ned(
        np.array([math.nan, math.nan, 3.0, 1.0, 2.0, math.nan, 4.0, 5.0, 6.0, math.nan, 0.3])
    )
    np.testing.assert_equal(told.position, (math.nan, math.nan, -3.0))
    np.testing.assert_equal(told.velocity, (2.0, 1.0, math.nan))
    assert (told.acceleration, told.yawspeed) == ((5.0, 4.0, -6.0), -0.3)
    assert math.isnan(told.yaw)
