"""The cameras of an observation fit what is seen: several of them, late, and where the planner believes them to be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.loop.planner_of import planner_setup
from uav_testgen.loop.stepwise import SteppedFlight
from uav_testgen.loop.system import assemble
from uav_testgen.planner.base import Observation
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Waypoint

pytestmark = pytest.mark.xdist_group("compiled")

ALL_AROUND = tuple(
    Obstacle(center_enu_m=(x, y, 6.0), size_m=(3.0, 3.0, 12.0), yaw_rad=0.4)
    for x, y in ((9.0, 0.5), (9.0, 9.0), (9.0, -9.0), (16.0, 1.0))
)
SCENE = Scenario(
    mission=Mission(waypoints=(Waypoint(position_enu_m=(40.0, 3.0, 6.0)),), home_enu_m=(0.0, 0.0, 6.0), takeoff=False),
    obstacles=ALL_AROUND,
)  # fmt: skip

RIGS = {
    "golden": "cameras: [{name: front}]",
    "three, two of them late and noisy": (
        "cameras:\n"
        "- {name: front, mount: {z_m: -0.03, pitch_rad: 0.1}}\n"
        "- {name: 2 left, width: 40, height: 30, mount: {yaw_rad: 1.0}, noise: {latency_s: 0.3, range_std_m: 0.02}}\n"
        "- {name: right, intrinsics: {fx: 30, fy: 33, cx: 20, cy: 26}, mount: {yaw_rad: -1.0},\n"
        "   noise: {latency_s: 0.1, dropout: 0.2}}\n"
    ),
    "believed to be elsewhere": (
        "cameras:\n- {name: front, mount: {x_m: 0.1}, assumed_mount: {optical_quarter_turn_rad: 1.57}}\n"
    ),
}


class Watcher:
    """Flies straight and keeps what it is shown."""

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def reset(self, setup: Any) -> None: ...

    def plan(self, observation: Observation) -> Any:
        from uav_testgen import Plan

        self.seen.append(observation)
        return Plan(position_enu_m=observation.goal_enu_m)


@pytest.mark.parametrize("rig", RIGS)
@pytest.mark.parametrize("image_age_s", [0.0, 0.16])
def test_what_a_pixel_shows_is_in_the_cloud_and_was_rendered(
    rig: str, image_age_s: float, tmp_path: Path
) -> None:
    file = tmp_path / "rig.yaml"
    file.write_text(RIGS[rig])
    system = assemble("px4_mission_v1.12", camera=str(file)).changed({"timing.image_age_s": image_age_s})
    watcher = Watcher()
    flight = SteppedFlight(system, SCENE, 3, planner=watcher)
    rendered, poses = [], []
    for _ in range(45):
        clouds = flight.sense()
        rendered.append([frame.depth_m for frame in flight._frames])
        poses.append(flight.motion.image_pose)
        flight.move(flight.plan(clouds))
    late_steps = [round(camera.noise.latency_s / 0.1) for camera in system.rig.cameras]
    compared = 0
    for step, seen in enumerate(watcher.seen):
        assert [camera.name for camera in seen.cameras] == [camera.name for camera in system.rig.cameras]
        for number, (camera, image, cloud) in enumerate(
            zip(seen.cameras, seen.depth_m, seen.clouds_enu_m, strict=True)
        ):
            rows, columns = np.nonzero(np.isfinite(image))
            assert len(rows) == len(cloud), "one pixel for each point"
            points = camera.points_enu_m(columns, rows, image[rows, columns])
            assert np.abs(points - cloud).max(initial=0.0) < 1e-4, "row by row, as the cloud is"
            taken = step - late_steps[number]
            if taken < 0:
                assert not len(cloud)
                continue
            assert camera.t_s == pytest.approx(max(0.1 * taken - image_age_s, 0.0))
            truth = np.where(np.isfinite(rendered[taken][number]), rendered[taken][number], np.nan)
            assert np.allclose(image, truth, atol=1e-4, equal_nan=True)
            away_m = np.linalg.norm(camera.position_enu_m - poses[taken][:3])
            assert away_m < 0.11, "it hangs on the vehicle, where that was"
            compared += len(rows)
    assert compared > 10_000


def test_a_planner_is_told_the_frames_that_its_cameras_have() -> None:
    system = assemble("px4_mission_v1.12", camera="three_cameras")
    told = planner_setup(system, SCENE, 0).camera_frames
    flight = SteppedFlight(system, SCENE, 0)
    shown = [camera.frame_id for camera in flight.observe(flight.sense()).cameras]
    assert list(told) == shown == ["camera_optical", "camera_left_optical", "camera_right_optical"]


def test_fog_is_not_given_away() -> None:
    """The range is that of the data sheet: how far one sees today is for the planner to find out."""
    from uav_testgen.scenario.model import Visibility

    foggy = SCENE.model_copy(update={"visibility": Visibility(range_m=6.0)})
    flight = SteppedFlight(assemble("px4_mission_v1.12"), foggy, 0)
    (camera,) = flight.observe(flight.sense()).cameras
    assert (camera.near_m, camera.far_m) == (0.5, 18.0)
