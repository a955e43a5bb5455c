"""The paper's rule of motion and the mission logic, number by number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import (
    LAND,
    LEG,
    POSITION,
    SETPOINT_SIZE,
    TAKEOFF,
    VELOCITY,
    YAW,
    body_at,
    wrap_pi,
)
from uav_testgen.planner.vfh3d.compiled.first_node import FirstNodeGuide, to_first_node
from uav_testgen.vehicle.config import PaperVehicleConfig
from uav_testgen.vehicle.paper import advance_paper, make_paper

pytestmark = pytest.mark.xdist_group("compiled")


def move(
    body: FloatArray, goal: tuple[float, float, float], phase: int = LEG, path: object = (),
    config: PaperVehicleConfig | None = None, speed_mps: float | None = None,
) -> None:  # fmt: skip
    """One step of guide and vehicle, 0.1 s."""
    points, setpoint = np.array(path, np.float32).reshape(-1, 3), np.empty(SETPOINT_SIZE)
    to_first_node(FirstNodeGuide(), np.array(goal), len(points) > 0, points, len(points), setpoint)
    vehicle = make_paper(config or PaperVehicleConfig(), speed_mps)
    advance_paper(vehicle, body, phase, np.array(goal), setpoint, 0.1)


@pytest.mark.parametrize(
    ("yaw", "target", "moved", "new_yaw"),
    [
        # nearly ahead (below 4.5 deg): full speed, 0.3 m in 0.1 s, turns completely
        (0.0, (10.0, 0.1, 10.0), 0.3, math.atan2(0.1, 10.0)),
        # 90 deg off: 4.5/90 of the speed, turns by 1.35 deg
        (0.0, (0.0, 10.0, 10.0), 0.3 * 4.5 / 90.0, math.radians(1.35)),
        # 45 deg to the right
        (math.radians(45.0), (10.0, 0.0, 10.0), 0.3 * 0.1, math.radians(45.0 - 1.35)),
        # the target is nearer than a step
        (0.0, (0.1, 0.0, 10.0), 0.1, 0.0),
        # straight up: the heading error counts as for a target to the east
        (0.0, (0.0, 0.0, 20.0), 0.3, 0.0),
        # already there
        (0.0, (0.0, 0.0, 10.0), 0.0, 0.0),
    ],
)
def test_one_step(yaw: float, target: tuple[float, float, float], moved: float, new_yaw: float) -> None:
    body = body_at((0.0, 0.0, 10.0), yaw)
    move(body, target)
    way = body[POSITION : POSITION + 3] - [0.0, 0.0, 10.0]
    assert np.linalg.norm(way) == pytest.approx(moved, abs=1e-12)
    towards = np.array(target) - [0.0, 0.0, 10.0]
    assert np.linalg.norm(np.cross(way, towards)) == pytest.approx(0.0, abs=1e-12)
    assert body[VELOCITY : VELOCITY + 3] == pytest.approx(way / 0.1)
    assert body[YAW] == pytest.approx(new_yaw, abs=1e-12)


def test_first_tree_node_is_the_target_when_something_was_planned() -> None:
    body = body_at((0.0, 0.0, 10.0), 0.0)
    move(body, (-9.0, 0.0, 10.0), path=[(4, 0, 10), (2, 0, 10), (0, 0, 10)])
    assert body[POSITION] == pytest.approx(0.3)


def test_a_path_of_one_node_has_no_target() -> None:
    body = body_at((0.0, 0.0, 10.0), 0.0)
    move(body, (9.0, 0.0, 10.0), path=[(0, 0, 10)])
    assert body[POSITION] == pytest.approx(0.3)


def test_vertical_phases_keep_place_and_heading() -> None:
    body = body_at((1.0, 2.0, 0.0), 0.4)
    config = PaperVehicleConfig(climb_speed_mps=2.0, sink_speed_mps=0.5)
    move(body, (1.0, 2.0, 0.3), TAKEOFF, config=config)
    assert body[:3].tolist() == [1.0, 2.0, 0.2]
    move(body, (1.0, 2.0, 0.3), TAKEOFF, config=config)
    assert body[2] == 0.3 and body[YAW] == 0.4
    move(body, (1.0, 2.0, 0.0), LAND, config=config)
    assert body[2] == pytest.approx(0.25)


def test_wrap_pi_is_half_open() -> None:
    assert wrap_pi(math.pi) == -math.pi
    assert wrap_pi(3 * math.pi + 0.1) == pytest.approx(-math.pi + 0.1)
