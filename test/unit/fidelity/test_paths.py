"""Distances between paths, sides of obstacles, durations."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.fidelity import paths
from uav_testgen.scenario.model import obstacle_on_ground

CORNERS = np.array([[0.0, 0.0], [40.0, 0.0], [0.0, 0.0]])


def bow(height_m: float) -> np.ndarray:
    x = np.linspace(0.0, 40.0, 81)
    return np.column_stack([x, height_m * np.sin(np.pi * x / 40.0)])


def test_path_error_of_parallel_lines_is_their_distance() -> None:
    line = np.column_stack([np.linspace(0, 30, 50), np.zeros(50)])
    assert paths.path_error_m(line, line + np.array([0.0, 2.0])) == pytest.approx(2.0)
    assert paths.path_error_m(line, line[::-1]) == pytest.approx(0.0, abs=0.02)
    assert paths.path_error_m(line, line[:1]) is None


def test_sides_tell_left_from_right_on_every_leg() -> None:
    box = (obstacle_on_ground(20.0, 0.0, (4.0, 4.0, 20.0)),)
    out_left = np.vstack([bow(6.0), bow(6.0)[::-1]])
    out_right = np.vstack([bow(-6.0), bow(6.0)[::-1]])
    assert paths.sides(out_left, out_left, CORNERS, box) == (2, 2)
    assert paths.sides(out_left, out_right, CORNERS, box) == (1, 2)


def test_obstacle_out_of_the_way_has_no_side() -> None:
    far = (obstacle_on_ground(20.0, 12.0, (4.0, 4.0, 20.0)),)
    line = np.vstack([bow(1.0), bow(1.0)[::-1]])
    assert paths.sides(line, line, CORNERS, far) == (0, 0)


def test_leg_that_was_not_finished_is_not_compared() -> None:
    box = (obstacle_on_ground(20.0, 0.0, (4.0, 4.0, 20.0)),)
    whole, half = np.vstack([bow(6.0), bow(6.0)[::-1]]), bow(6.0)[:50]
    assert paths.sides(whole, half, CORNERS, box) == (0, 0)


def test_airborne_time_starts_at_take_off() -> None:
    t_s = np.arange(0.0, 30.0)
    assert paths.airborne_s(t_s, np.maximum(t_s - 10.0, 0.0)) == pytest.approx(17.0)
    assert paths.airborne_s(t_s, np.zeros(30)) is None


def test_airborne_time_ends_with_the_landing() -> None:
    t_s = np.arange(0.0, 60.0)
    height_m = np.where((t_s >= 10.0) & (t_s <= 40.0), 8.0, 0.0)
    assert paths.airborne_s(t_s, height_m) == pytest.approx(30.0)
