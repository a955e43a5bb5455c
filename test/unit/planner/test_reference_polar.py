from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uav_testgen.planner.vfh3d.reference import polar

ANGLES = st.floats(-2000, 2000, width=32)


def test_conventions() -> None:
    origin = np.zeros(3, np.float32)
    points = np.array([[0, 2, 0], [3, 0, 0], [0, 0, 1], [-1, -1, 0]], np.float32)
    hist = polar.cartesian_to_polar(points, origin)
    assert hist.azimuth_deg == pytest.approx([0, 90, 0, -135])
    assert hist.elevation_deg == pytest.approx([0, 0, 90, 0])
    assert hist.radius_m == pytest.approx([2, 3, 1, math.sqrt(2)])
    fcu = polar.cartesian_to_polar_fcu(points, origin)
    assert fcu.azimuth_deg[[0, 1, 3]] == pytest.approx([90, 0, -135])
    assert fcu.elevation_deg == pytest.approx([0, 0, -90, 0])


@pytest.mark.parametrize(
    ("angle", "wrapped"), [(180, -180), (-180, -180), (540, -180), (179, 179), (-181, 179), (0, 0)]
)
def test_wrap_180(angle: float, wrapped: float) -> None:
    assert polar.wrap_180(angle) == wrapped


@given(ANGLES, ANGLES)
def test_angle_difference_is_signed_and_short(a: float, b: float) -> None:
    difference = float(polar.angle_difference(a, b))
    assert -180 <= difference < 180
    turns = (np.float32(a) - np.float32(b) - np.float32(difference)) / 360
    assert turns == pytest.approx(round(float(turns)), abs=1e-3)


@given(ANGLES, ANGLES)
def test_wrapped_polar_is_the_same_direction(elevation: float, azimuth: float) -> None:
    def direction(e_deg: float, z_deg: float) -> np.ndarray:
        e, z = math.radians(e_deg), math.radians(z_deg)
        return np.array([math.cos(e) * math.sin(z), math.cos(e) * math.cos(z), math.sin(e)])

    e, z = polar.wrap_polar(elevation, azimuth)
    assert -90 <= e <= 90
    assert -180 <= z <= 180
    assert direction(float(e), float(z)) == pytest.approx(direction(elevation, azimuth), abs=1e-4)


@pytest.mark.parametrize(
    ("elevation", "azimuth", "cell"),
    [
        (0, 180, (15, 0)),
        (0, -180, (15, 0)),
        (90, 0, (29, 30)),
        (-90, 0, (0, 30)),
        (0, 179.9, (15, 59)),
        (96, 0, (29, 0)),
        (math.nan, math.nan, (0, 0)),
        (math.inf, 0, (0, 30)),
    ],
)
def test_index_at_the_borders(elevation: float, azimuth: float, cell: tuple[int, int]) -> None:
    with np.errstate(invalid="ignore"):
        row, column = polar.polar_to_index(elevation, azimuth, 6)
    assert (int(row), int(column)) == cell


def test_every_cell_centre_maps_to_its_own_cell() -> None:
    rows, columns = np.meshgrid(np.arange(30), np.arange(60), indexing="ij")
    found = polar.polar_to_index(*polar.cell_centre_deg(rows, columns), 6)
    assert np.array_equal(found[0], rows)
    assert np.array_equal(found[1], columns)


@pytest.mark.parametrize("yaw", [-3.0, -0.4, 0.0, 1.2, 3.1])
@pytest.mark.parametrize("pitch", [-0.5, 0.0, 0.3])
def test_yaw_and_pitch_from_quaternion(yaw: float, pitch: float) -> None:
    quaternion = (
        math.cos(yaw / 2) * math.cos(pitch / 2),
        -math.sin(yaw / 2) * math.sin(pitch / 2),
        math.cos(yaw / 2) * math.sin(pitch / 2),
        math.sin(yaw / 2) * math.cos(pitch / 2),
    )
    yaw_deg, pitch_deg = polar.yaw_pitch_deg(quaternion)
    assert yaw_deg == pytest.approx(math.degrees(yaw), abs=1e-4)
    assert pitch_deg == pytest.approx(math.degrees(pitch), abs=1e-4)


def test_straight_down_pitch() -> None:
    half = math.sqrt(0.5)
    assert polar.yaw_pitch_deg((half, 0.0, half * 1.001, 0.0))[1] == 90
    assert polar.yaw_pitch_deg((half, 0.0, -half * 1.001, 0.0))[1] == -90
