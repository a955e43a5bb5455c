"""The same system, scenario and seed, flown by the compiled loop and over topics: equal to the last bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.backend.lfs.backend import LfsBackend, LfsConfig
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.errors import BackendError
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.loop.setup import moments_of
from uav_testgen.loop.system import system_names
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.model import Verdict
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.scenario.model import Scenario

from .conftest import ANALYTIC
from .scenes import TEN_SCENES, short_scene

COLUMNS = ("t_s", "position_enu_m", "velocity_enu_mps", "yaw_rad", "roll_rad", "pitch_rad")
OTHER_PLANNERS = {
    "straight": "straight",
    "potential_field": "potential_field",
    "with a guide of its own": "own_planner.py:Weaving",
}
OWN_PLANNERS = """
import numpy as np
from uav_testgen.planner.base import Plan

class Weaving:
    def reset(self, setup):
        self.count = 0
    def plan(self, observation):
        self.count += 1
        return Plan(position_enu_m=observation.goal_enu_m, details=len(observation.cloud_enu_m))
    def guide(self, plan, pose, t_s):
        setpoint = plan.setpoint()
        setpoint[1] += np.sin(t_s) + 0.001 * plan.details + 0.1 * pose.velocity_enu_mps[1]
        return setpoint

class Sideways(Weaving):
    # Steers by what the image and the place of each camera say: the last bit of any of them turns the flight.
    def reset(self, setup):
        super().reset(setup)
        self.frames = setup.camera_frames
    def plan(self, observation):
        goal = observation.goal_enu_m.copy()
        assert tuple(camera.frame_id for camera in observation.cameras) == self.frames
        for camera, image, cloud in zip(
            observation.cameras, observation.depth_m, observation.clouds_enu_m, strict=True
        ):
            rows, columns = np.nonzero(np.isfinite(image))
            points = camera.points_enu_m(columns, rows, image[rows, columns])
            assert len(points) == len(cloud) and np.abs(points - cloud).max(initial=0.0) < 1e-4
            goal[1] += 3.0 * np.nansum(1.0 / image) / image.size + camera.optical_to_enu.sum() - camera.t_s
            goal[2] += 0.001 * camera.position_enu_m.sum() + camera.far_m / camera.fx
        return Plan(position_enu_m=goal, details=len(observation.cloud_enu_m))

class Broken(Weaving):
    def plan(self, observation):
        if self.count == 20:
            raise ZeroDivisionError("no way out")
        return super().plan(observation)
"""


def difference(one: Flight, other: Flight) -> str:
    """Empty if the flights are equal to the last bit."""
    if one.ending is not other.ending or len(one.trajectory) != len(other.trajectory):
        return (
            f"{one.ending} after {len(one.trajectory)}, {other.ending} after {len(other.trajectory)} samples"
        )
    differing = [
        name
        for name in COLUMNS
        if not np.array_equal(getattr(one.trajectory, name), getattr(other.trajectory, name))
    ]
    if one.details["waypoint_times_s"] != other.details["waypoint_times_s"]:
        differing.append("waypoint times")
    return ", ".join(differing)


def compare(graph: GraphBackend, scenes: dict[str, Scenario], **choice: Any) -> None:
    """Fly every scene both ways."""
    lfs = LfsBackend(LfsConfig(**choice))
    wrong = {}
    for number, (name, scenario) in enumerate(scenes.items()):
        predicted, flown = lfs.fly(scenario, number), graph.fly(scenario, number)
        assert (flown.system, flown.seed) == (lfs.system.name, number)
        problem = difference(predicted, flown)
        if not problem and Verdict.from_json(flown.details["verdict"]) != judge(scenario, predicted):
            problem = "the oracle node judged otherwise"
        if problem:
            wrong[name] = problem
    assert not wrong


def test_ten_scenes(composed: GraphBackend) -> None:
    compare(composed, TEN_SCENES, system=DEFAULT_SYSTEM)


@pytest.mark.parametrize("system", [name for name in system_names() if name != DEFAULT_SYSTEM])
def test_ten_scenes_with_other_systems(system: str) -> None:
    with GraphBackend(GraphConfig(system=system)) as graph:
        compare(graph, TEN_SCENES, system=system)


def test_a_guide_that_speaks_before_planning_has_ended() -> None:
    """Then the plan of the step before is followed, with the newest pose."""
    choice: dict[str, Any] = {"system": "px4_mission_v1.12", "changes": {"timing.plan_age_s": 0.14}}
    with GraphBackend(GraphConfig(**choice, settings=ANALYTIC)) as graph:
        moments = moments_of(graph.system)
        assert moments.is_late and moments.lead > 0
        compare(graph, {"one box": short_scene()}, **choice)


@pytest.mark.parametrize("planner", OTHER_PLANNERS.values(), ids=OTHER_PLANNERS)
def test_other_planners_too(planner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any planner of the loop flies in planner_node, with the same answers."""
    (tmp_path / "own_planner.py").write_text(OWN_PLANNERS)
    monkeypatch.chdir(tmp_path)
    scenes = {name: TEN_SCENES[name] for name in ("one box", "take-off, corner and landing")}
    with GraphBackend(GraphConfig(planner=planner, settings=ANALYTIC)) as graph:
        compare(graph, scenes, planner=planner)


def test_a_planner_that_fails_ends_the_flight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_planner.py").write_text(OWN_PLANNERS)
    monkeypatch.chdir(tmp_path)
    with GraphBackend(GraphConfig(planner="own_planner.py:Broken", settings=ANALYTIC)) as graph:
        flight = graph.fly(short_scene(), 0)
    assert flight.ending is Ending.PLANNER_ERROR
    assert "ZeroDivisionError: no way out" in flight.reason


def test_a_flight_of_another_system_is_refused(composed: GraphBackend) -> None:
    config = GraphConfig(start=False, domain=composed.domain, system="paper")
    with GraphBackend(config) as other, pytest.raises(BackendError, match="--system paper"):
        other.fly(short_scene(), 0)


def test_noise_latency_and_three_cameras_too(tmp_path) -> None:
    """Noise depends on seed, step and pixel, not on the process; delay and further cameras are the same too.

    The loop is compiled anew for each number of cameras: three, as in test/unit/backend/test_lfs.py.
    """
    rig = tmp_path / "rig.yaml"
    rig.write_text(
        "cameras:\n"
        "- {name: front, noise: {range_std_m: 0.03, latency_s: 0.2}}\n"
        "- {name: left, mount: {yaw_rad: 0.9}}\n"
        "- {name: right, mount: {yaw_rad: -0.9}}\n"
    )
    predicted = LfsBackend(LfsConfig(system="paper", camera=str(rig))).fly(short_scene(), 5)
    with GraphBackend(GraphConfig(system="paper", camera=str(rig), settings=ANALYTIC)) as graph:
        flown = graph.fly(short_scene(), 5)
        other = graph.fly(short_scene(), 6)
    assert difference(predicted, flown) == ""
    assert difference(flown, other) != "", "noise must depend on the seed"


@pytest.mark.parametrize("points_frame", ["map", "optical"])
def test_a_planner_sees_the_same_images_and_cameras(
    points_frame: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cameras, one late and noisy, one that is believed to be elsewhere."""
    (tmp_path / "own_planner.py").write_text(OWN_PLANNERS)
    monkeypatch.chdir(tmp_path)
    Path("rig.yaml").write_text(
        "cameras:\n"
        "- {name: front, noise: {range_std_m: 0.03, latency_s: 0.2}}\n"
        "- {name: left, width: 40, height: 30, mount: {yaw_rad: 0.9}, assumed_mount: {yaw_rad: 0.88}}\n"
    )
    choice: dict[str, Any] = {"planner": "own_planner.py:Sideways", "camera": "rig.yaml"}
    settings = {"depth_cloud_node": {"renderer": "analytic", "points_frame": points_frame}}
    predicted = LfsBackend(LfsConfig(**choice)).fly(short_scene(), 5)
    assert predicted.ending is not Ending.PLANNER_ERROR, predicted.details
    with GraphBackend(GraphConfig(**choice, settings=settings)) as graph:
        flown = graph.fly(short_scene(), 5)
    if points_frame == "map":
        assert difference(predicted, flown) == "", flown.reason
    else:  # clouds turned there and back lose the last bits
        assert flown.ending is predicted.ending, flown.reason
        near = min(len(predicted.trajectory), len(flown.trajectory), 40)
        apart = predicted.trajectory.position_enu_m[:near] - flown.trajectory.position_enu_m[:near]
        assert np.abs(apart).max() < 0.01
