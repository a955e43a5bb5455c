"""Images are seen from where the vehicle was, as long ago as asked for."""

from __future__ import annotations

import numpy as np
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.backend.lfs.stepwise import make_vehicle
from uav_testgen.vehicle.image_pose import IMAGE_YAW, KEPT, POSE_SIZE, keep_pose, pose_before

from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.base import LEG, POSITION, YAW, StepInput, body_at
from uav_testgen.vehicle.px4.state import POS, STATE_SIZE
from uav_testgen.vehicle.px4.state import YAW as STATE_YAW

SCENARIO = Scenario(mission=named_mission("mission1"))


def test_poses_are_found_again_until_they_are_overwritten() -> None:
    poses, state, pose = np.zeros((KEPT, POSE_SIZE)), np.zeros(STATE_SIZE), np.empty(POSE_SIZE)
    body = body_at((9.0, 0.0, 0.0), 0.0)
    for cycle in range(1, 41):
        state[POS], state[STATE_YAW] = cycle, 0.01 * cycle
        keep_pose(poses, cycle, state)
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
    config = LfsConfig(vehicle="px4", px4_vehicle={"image_age_s": 0.1})
    vehicle, body = make_vehicle(config, SCENARIO, 0), body_at((0.0, 0.0, 10.0), 0.0)
    goal = np.array([50.0, 0.0, 10.0])
    before = body.copy()
    for step in range(60):
        before = body.copy()
        vehicle.step(
            body,
            StepInput(
                t_s=0.1 * step, dt_s=0.1, phase=LEG, goal_enu_m=goal, previous_enu_m=np.zeros(3),
                planned_now=False, path_enu_m=np.zeros((0, 3), np.float32), last_path_time_s=0.0,
                cruise_mps=5.0,
            ),
        )  # fmt: skip
    seen = vehicle.image_pose(body)
    assert vehicle.image_age_s == 0.1
    assert np.array_equal(seen[:3], before[POSITION : POSITION + 3])
    assert seen[IMAGE_YAW] == before[YAW]
    assert body[POSITION] - seen[0] > 0.05
