"""Images are seen from where the vehicle was, as long ago as asked for."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.core.body import POSITION, SET_POSITION, SET_YAW, SETPOINT_SIZE, YAW, body_at
from uav_testgen.loop.image_pose import IMAGE_YAW, KEPT, POSE_SIZE, image_time, keep_pose, pose_before
from uav_testgen.loop.motion import Motion
from uav_testgen.loop.stepwise import SteppedFlight
from uav_testgen.loop.system import named_system
from uav_testgen.loop.track import Tracker
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import LinearMotion, Obstacle, Scenario

SCENARIO = Scenario(mission=named_mission("mission1"))
pytestmark = pytest.mark.xdist_group("compiled")


def test_poses_are_found_again_until_they_are_overwritten() -> None:
    poses, body, pose = np.zeros((KEPT, POSE_SIZE)), body_at((9.0, 0.0, 0.0), 0.0), np.empty(POSE_SIZE)
    for cycle in range(1, 41):
        body[POSITION], body[YAW] = cycle, 0.01 * cycle
        keep_pose(poses, cycle, body)
    for back in range(1, KEPT):
        pose_before(poses, 40, back, body, pose)
        assert pose[0] == 40 - back
        assert pose[IMAGE_YAW] == 0.01 * (40 - back)


def test_at_first_and_without_age_the_present_is_seen() -> None:
    poses, body, pose = np.zeros((KEPT, POSE_SIZE)), body_at((9.0, 8.0, 7.0), 0.5), np.empty(POSE_SIZE)
    for cycle, back in ((40, 0), (3, 8), (8, 8)):
        pose_before(poses, cycle, back, body, pose)
        assert pose.tolist() == [9.0, 8.0, 7.0, 0.0, 0.0, 0.5]


def test_a_moving_vehicle_is_ahead_of_its_image() -> None:
    system = named_system().changed({"timing.image_age_s": 0.1, "timing.plan_age_s": 0.0})
    motion, tracker = Motion(system, SCENARIO, 0), Tracker(SCENARIO, system.mission)
    setpoint = np.full(SETPOINT_SIZE, np.nan)
    setpoint[SET_POSITION : SET_POSITION + 3], setpoint[SET_YAW] = (0.0, 0.0, 20.0), 0.0
    before = motion.body.copy()
    for step in range(60):
        before = motion.body.copy()
        motion.before_guide(tracker, 0.1 * step)
        motion.after_guide(tracker, setpoint)
    seen = motion.image_pose
    assert np.array_equal(seen[:3], before[POSITION : POSITION + 3])
    assert seen[IMAGE_YAW] == before[YAW]
    assert motion.body[POSITION + 2] - seen[2] > 0.05


def test_a_moving_obstacle_is_seen_where_it_was() -> None:
    towards = LinearMotion(to_enu_m=(-95.0, 0.0, 1.0), speed_mps=5.0)
    wall = Obstacle(center_enu_m=(5.0, 0.0, 1.0), size_m=(1.0, 40.0, 20.0), motion=towards)
    scenario = Scenario(mission=named_mission("mission1"), obstacles=(wall,))
    flight = SteppedFlight(named_system().changed({"timing.image_age_s": 0.2}), scenario, 0)
    flight.step = 4  # nothing has flown: the vehicle is where it was, only the wall has moved
    flight.sense()
    nearest_m = float(np.min(flight._frames[0].depth_m))
    system = named_system().changed({"timing.image_age_s": 0.0})
    present = SteppedFlight(system, scenario, 0)
    present.step = 4
    present.sense()
    assert nearest_m - float(np.min(present._frames[0].depth_m)) == pytest.approx(0.2 * 5.0, abs=0.02)


def test_before_the_flight_nothing_has_moved() -> None:
    assert image_time(0.1, 0.16) == 0.0
    assert image_time(10.0, 0.16) == 10.0 - 0.16
