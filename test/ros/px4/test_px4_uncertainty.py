"""Rates and variances of PX4's odometry arrive in our axes."""

from __future__ import annotations

import math
from types import SimpleNamespace

from uav_testgen.ros.px4.uncertainty import UNKNOWN, rates_of, variances_of


def odometry(**changes: object) -> SimpleNamespace:
    told = {
        "angular_velocity": (0.1, 0.2, 0.3),
        "position_variance": (1.0, 2.0, 3.0),
        "orientation_variance": (0.01, 0.02, 0.03),
        "velocity_variance": (0.1, 0.2, 0.3),
        "velocity_frame": 1,
    }
    return SimpleNamespace(**{**told, **changes})


def test_axes() -> None:
    assert rates_of(odometry()) == (0.1, -0.2, -0.3), "right and down become left and up"
    sure = variances_of(odometry())
    assert sure.position_m2 == (2.0, 1.0, 3.0), "north, east, down becomes east, north, up"
    assert sure.velocity_m2ps2 == (0.3, 0.3, 0.3), "given along north: the worst for every axis of the body"
    assert variances_of(odometry(velocity_frame=3)).velocity_m2ps2 == (0.1, 0.2, 0.3)


def test_what_px4_does_not_state() -> None:
    assert rates_of(odometry(angular_velocity=(math.nan, 0.0, 0.0))) == (0.0, 0.0, 0.0)
    unsure = variances_of(odometry(position_variance=(math.nan, -1.0, 0.0)))
    assert unsure.position_m2 == (UNKNOWN,) * 3
