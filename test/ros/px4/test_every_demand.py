"""Whatever a planner demands reaches PX4: velocities, accelerations, turns; in NED, NaN for what it leaves open."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import Point, Vector3

from .conftest import Stage, small_scenario

NAN = math.nan
OPEN = Vector3(x=NAN, y=NAN, z=NAN)
SPEED_MPS = 1.5


def cruise(step: Any) -> tuple[float, float]:
    """East and north velocity towards the goal."""
    gap = np.array([step.goal.x - step.position.x, step.goal.y - step.position.y])
    east, north = gap * min(1.0, SPEED_MPS / max(float(np.linalg.norm(gap)), 1e-9))
    return float(east), float(north)


def by_velocity(step: Any) -> dict[str, Any]:
    east, north = cruise(step)
    return {
        "position": Point(x=NAN, y=NAN, z=step.goal.z),
        "velocity": Vector3(x=east, y=north, z=NAN),
        "acceleration": OPEN,
        "yaw": NAN,
        "yaw_rate": 0.25,
    }


def by_acceleration(step: Any) -> dict[str, Any]:
    east, north = cruise(step)
    return {
        "position": Point(x=NAN, y=NAN, z=step.goal.z),
        "velocity": OPEN,
        "acceleration": Vector3(x=1.5 * (east - step.velocity.x), y=1.5 * (north - step.velocity.y), z=NAN),
        "yaw": 0.5,
        "yaw_rate": NAN,
    }


@pytest.mark.parametrize(
    ("answer", "announced"), [(by_velocity, (True, True, False)), (by_acceleration, (True, False, True))]
)
def test_every_demand_reaches_px4(
    answer: Callable[[Any], dict[str, Any]],
    announced: tuple[bool, bool, bool],
    stage: Stage,
    spin_until: Callable[..., None],
) -> None:
    stage.answer = answer
    stage.start({"speed": 2.0})
    stage.announce(small_scenario())
    spin_until(lambda: stage.state("READY"), "READY")
    stage.order("START")
    spin_until(lambda: bool(stage.records), "the record", timeout_s=60.0)
    assert stage.records[-1].ending == "goal_reached"
    assert announced in stage.fake.controls
    led = [told for told in stage.fake.setpoints if math.isnan(told.position[0])]
    assert len(led) > 20, "the leg was flown on velocities or accelerations"
    by_speed = answer is by_velocity
    for told in led:
        assert math.isnan(told.position[1]) and told.position[2] == pytest.approx(-3.0 - 0.43, abs=0.05)
        assert math.isnan(told.velocity[1]) is not by_speed
        assert math.isnan(told.acceleration[1]) is by_speed
        assert math.isnan(told.yaw) is by_speed
        assert math.isnan(told.yawspeed) is not by_speed
    if by_speed:
        assert max(told.velocity[1] for told in led) == pytest.approx(SPEED_MPS, abs=1e-3), "east is y in NED"
        assert {round(told.yawspeed, 6) for told in led} == {-0.25}, "counter-clockwise is negative in NED"
    else:
        assert max(told.acceleration[1] for told in led) > 1.0
        assert led[-1].yaw == pytest.approx(0.5 * math.pi - 0.5, abs=0.01)
    # The vehicle obeyed: it flew about as fast as it was told, not as fast as a far position would make it.
    speeds = [math.hypot(step.velocity.x, step.velocity.y) for step in stage.steps]
    assert 1.0 < max(speeds) < 2.0
