"""Graphs with a planner of somebody else. They are heavy, so all of them share one xdist group."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy")

from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.scenario.model import Mission, Scenario, Waypoint, obstacle_on_ground

HERE = Path(__file__).parent
FAKES = HERE.parents[1] / "fakes"
LIVE = ("test_flights.py", "test_planner_faults.py", "test_howto_page.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == HERE and item.path.name in LIVE:
            item.add_marker(pytest.mark.xdist_group("ros_graph"))
            item.add_marker(pytest.mark.timeout(600))


def command(script: str, *words: str) -> str:
    return shlex.join([sys.executable, str(FAKES / script), *words])


def scene(length_m: float = 6.0, aside_m: float = 4.0) -> Scenario:
    """A few metres beside a box, begun in the air."""
    waypoint = Waypoint(position_enu_m=(length_m, 0.0, 4.0))
    mission = Mission(waypoints=(waypoint,), home_enu_m=(0.0, 0.0, 4.0), takeoff=False, land=False)
    return Scenario(mission=mission, obstacles=(obstacle_on_ground(4.0, aside_m, (1.0, 1.0, 8.0)),))


def backend(profile: Path | str, start: str, **more: Any) -> GraphBackend:
    settings = {"depth_cloud_node": {"renderer": "analytic"}}
    return GraphBackend(GraphConfig(profile=str(profile), start_planner=start, settings=settings, **more))


class Misbehaving:
    """One graph in lock-step; each flight starts the planner anew, with the behaviour asked for."""

    def __init__(self, folder: Path) -> None:
        self._word = folder / "behaviour"
        self._word.write_text("well")
        self.profile = folder / "mine.yaml"
        self.profile.write_text("limits: {first_answer_s: 4.0, answer_s: 3.0, connect_s: 60.0}\n")
        self.start = command("path_planner_node.py", str(self._word))
        self.backend = backend(self.profile, self.start)

    def fly(self, behaviour: str) -> Any:
        self._word.write_text(behaviour)
        return self.backend.fly(scene(), seed=3)


@pytest.fixture(scope="session")
def misbehaving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Misbehaving]:
    made = Misbehaving(tmp_path_factory.mktemp("misbehaving"))
    with made.backend:
        yield made
