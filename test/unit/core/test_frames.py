"""Frames: compass headings by hand, round trips by Hypothesis."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uav_testgen.core import frames

coordinates = st.floats(-1e4, 1e4)
points = st.tuples(coordinates, coordinates, coordinates)
angles = st.floats(-math.pi, math.pi, exclude_max=True)


@pytest.mark.parametrize(
    ("yaw_enu_deg", "yaw_ned_deg"), [(0.0, 90.0), (90.0, 0.0), (-90.0, -180.0), (180.0, -90.0)]
)
def test_compass_headings(yaw_enu_deg: float, yaw_ned_deg: float) -> None:
    result = math.degrees(frames.yaw_enu_to_ned(math.radians(yaw_enu_deg)))
    assert result == pytest.approx(yaw_ned_deg, abs=1e-9)


def test_north_east_down_axes() -> None:
    assert frames.position_enu_to_ned((1.0, 2.0, 3.0)) == (2.0, 1.0, -3.0)
    assert frames.position_enu_to_test((1.0, 2.0, 3.0)) == (2.0, 1.0, 3.0)


@given(points)
def test_positions_round_trip(point: tuple[float, float, float]) -> None:
    assert frames.position_ned_to_enu(frames.position_enu_to_ned(point)) == point
    assert frames.position_test_to_enu(frames.position_enu_to_test(point)) == point


@given(angles)
def test_yaw_is_its_own_inverse(yaw: float) -> None:
    back = frames.yaw_enu_to_ned(frames.yaw_enu_to_ned(yaw))
    assert abs(frames.wrap_pi(back - yaw)) < 1e-12


@given(st.floats(-1e3, 1e3))
def test_wrap_keeps_direction_and_range(angle: float) -> None:
    wrapped = frames.wrap_pi(angle)
    assert -math.pi <= wrapped < math.pi
    assert math.isclose(math.cos(wrapped), math.cos(angle), abs_tol=1e-9)


@given(angles, st.floats(-1.5, 1.5), angles)
def test_euler_round_trip(roll: float, pitch: float, yaw: float) -> None:
    quaternion = frames.quaternion_wxyz_from_euler(roll, pitch, yaw)
    assert math.isclose(sum(part * part for part in quaternion), 1.0, abs_tol=1e-12)
    back = frames.euler_from_quaternion_wxyz(quaternion)
    for given_angle, found in zip((roll, pitch, yaw), back, strict=True):
        assert abs(frames.wrap_pi(found - given_angle)) < 1e-7
