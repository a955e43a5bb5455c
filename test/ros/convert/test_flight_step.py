"""Flight steps: the pose of the image is the present one unless the step says otherwise."""

from __future__ import annotations

import math

import pytest
from geometry_msgs.msg import Point, Vector3
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.ros.convert.motion import image_motion_from_step, motion_from_step

HERE, THERE = Point(x=1.0, y=2.0, z=3.0), Point(x=0.9, y=2.1, z=3.0)
NOW, THEN = Vector3(x=0.01, y=0.02, z=1.5), Vector3(x=0.0, y=0.03, z=1.4)


def step(age_s: float, position: Point = THERE) -> FlightStep:
    return FlightStep(
        position=HERE, attitude=NOW, image_age=age_s, image_position=position, image_attitude=THEN
    )


def test_a_present_image_shows_the_present() -> None:
    assert image_motion_from_step(step(0.0)) == motion_from_step(step(0.0))


def test_an_old_image_is_seen_from_where_the_vehicle_was() -> None:
    motion = image_motion_from_step(step(0.08))
    assert motion.position_enu_m == (0.9, 2.1, 3.0)
    assert motion.attitude_rad == (0.0, 0.03, 1.4)


@pytest.mark.parametrize("age_s", [math.nan, -0.1, 1e4])
def test_an_impossible_age_is_refused(age_s: float) -> None:
    with pytest.raises(PlannerInputError, match="image_age"):
        image_motion_from_step(step(age_s))


def test_a_lost_image_pose_is_refused() -> None:
    with pytest.raises(PlannerInputError, match="image position"):
        image_motion_from_step(step(0.08, Point(x=math.nan)))
