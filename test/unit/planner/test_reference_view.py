from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.planner.vfh3d.base import NOMINAL_FOV, FieldOfView
from uav_testgen.planner.vfh3d.reference import view as fov

THREE = (NOMINAL_FOV, FieldOfView(60, 0, 59, 46), FieldOfView(-60, 0, 59, 46))


def test_borders_are_inside() -> None:
    seen = fov.inside([NOMINAL_FOV], [23, 23.01, -23, 0, 0], [29.5, 0, -29.5, 29.6, 0])
    assert seen.tolist() == [True, False, True, False, True]


def test_view_across_the_back_sees_nothing() -> None:
    back = FieldOfView(180, 0, 60, 40)
    assert not fov.inside([back], np.zeros(4), [180, -180, 170, -170]).any()


@pytest.mark.parametrize(("azimuth", "scale"), [(0, 1), (14.75, 0.5), (-29.5, 0), (40, 0)])
def test_one_camera_slows_towards_the_border(azimuth: float, scale: float) -> None:
    assert fov.scale_to_fov([NOMINAL_FOV], azimuth) == pytest.approx(scale)


def test_three_cameras_slow_only_at_the_outer_borders() -> None:
    assert fov.scale_to_fov(THREE, 20) == 1  # the left camera goes on here
    assert fov.scale_to_fov(THREE, 50) == 1
    assert fov.scale_to_fov(THREE, 80) == pytest.approx(1 - 2 * 20 / 59)
    assert fov.scale_to_fov(THREE, 29.9) == 0  # the gap between two cameras
    assert fov.scale_to_fov(THREE, 120) == 0


def test_direction_seen_by_two_cameras_is_not_on_an_edge() -> None:
    overlapping = (NOMINAL_FOV, FieldOfView(20, 0, 59, 46))
    assert fov.camera_of(overlapping, 10) is None
    assert fov.scale_to_fov(overlapping, 10) == 1


def test_columns_follow_the_yaw() -> None:
    ahead = fov.columns_inside([NOMINAL_FOV], np.zeros(3, np.float32), np.float32(0))
    assert ahead.sum() == 10  # 59 degrees, columns whose border is in view
    assert ahead[44] and ahead[45]  # +x is azimuth 90
    north = fov.columns_inside([NOMINAL_FOV], np.zeros(3, np.float32), np.float32(90))
    assert np.array_equal(north, np.roll(ahead, -15))
