"""Flight steps: the pose of the image is the present one unless the step says otherwise.

The set-point is made for the present too, unless the step names a later moment.
"""

from __future__ import annotations

import math

import pytest
from geometry_msgs.msg import Point, Vector3
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.ros.convert.motion import (
    check_step,
    guide_motion_from_step,
    image_motion_from_step,
    motion_from_step,
)

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


def guided(time_s: float, guide_s: float, position: Point = THERE) -> FlightStep:
    step = FlightStep(time=time_s, position=HERE, attitude=NOW, guide_time=guide_s)
    step.guide_position, step.guide_attitude = position, THEN
    return step


@pytest.mark.parametrize("guide_s", [0.0, 2.0, math.nan])
def test_without_a_later_moment_the_set_point_is_for_the_present(guide_s: float) -> None:
    step = guided(2.0, guide_s)
    assert guide_motion_from_step(step, motion_from_step(step)) == (motion_from_step(step), 2.0)


def test_a_set_point_is_for_the_moment_it_takes_effect() -> None:
    step = guided(2.0, 2.06)
    motion, now_s = guide_motion_from_step(step, motion_from_step(step))
    assert (motion.position_enu_m, motion.attitude_rad, now_s) == ((0.9, 2.1, 3.0), (0.0, 0.03, 1.4), 2.06)


@pytest.mark.parametrize(
    ("step", "field"),
    [(guided(2.0, 2.06, Point(x=math.nan)), "guide_position"), (guided(2.0, math.inf), "guide_time")],
)
def test_an_impossible_guide_is_refused(step: FlightStep, field: str) -> None:
    with pytest.raises(PlannerInputError, match=field):
        check_step(step)
