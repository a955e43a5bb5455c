"""The worker in one file, where nothing but Aerialist is installed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.backend import worker_script
from uav_testgen.backend.folder import FolderBackend, FolderConfig, read_result
from uav_testgen.backend.folder_queue import FolderQueue
from uav_testgen.backend.folder_worker import job_body
from uav_testgen.cli.worker import script_text
from uav_testgen.flight.model import Ending, Trajectory
from uav_testgen.scenario.formats.aerialist_write import aerialist_document
from uav_testgen.scenario.formats.plan_file import plan_data
from uav_testgen.scenario.model import Obstacle, Scenario, Shape, Wind, obstacle_on_ground
from uav_testgen.testing.factories import make_scenario
from uav_testgen.testing.flight_logs import log_bytes

from .test_hostile_jobs import NO_JOBS, POOR_JOBS

WALL = obstacle_on_ground(25.0, -3.0, (2.0, 12.0, 20.0), yaw_deg=30.0)
TREE = Obstacle(center_enu_m=(10.0, 2.0, 6.0), size_m=(2.0, 2.0, 12.0), shape=Shape.CYLINDER)
AERIALIST = {
    "__init__.py": "",
    "px4/__init__.py": "",
    "px4/aerialist_test.py": """
import json
class AgentConfig:
    def __init__(self, engine): self.engine, self.path = engine, None
class AerialistTest:
    @classmethod
    def from_yaml(cls, path):
        test = cls(); test.data = json.load(open(path)); return test
""",
    "px4/local_agent.py": """
import os, time
class Result: log_file = os.environ["FAKE_LOG"]
class LocalAgent:
    def __init__(self, test): self.test = test
    def run(self):
        if os.environ["FAKE_LOG"] == "hang": time.sleep(600)
        if os.environ["FAKE_LOG"] == "crash": raise Exception("gazebo died")
        return [Result]
""",
}


def scenario(*obstacles: Obstacle, **changes: Any) -> Scenario:
    return make_scenario(mission="mission2").with_obstacles(obstacles).model_copy(update=changes)


@pytest.fixture
def worker(tmp_path: Path) -> Any:
    """Runs the printed script beside a made-up Aerialist until the queue is empty."""
    package = tmp_path / "python"
    for name, text in AERIALIST.items():
        path = package / "aerialist" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    script = tmp_path / "worker.py"
    script.write_text(script_text())

    def run(log: str, *options: str) -> subprocess.CompletedProcess[str]:
        words = [
            sys.executable,
            str(script),
            str(tmp_path / "queue"),
            "--name",
            "w",
            "--until-empty",
            *options,
        ]
        environment = {**os.environ, "PYTHONPATH": str(package), "FAKE_LOG": log, "AGENT": "local"}
        return subprocess.run(
            words, env=environment, capture_output=True, text=True, timeout=120, check=False
        )

    return run


def write_log(tmp_path: Path, test: Scenario) -> str:
    """A flight from home to the last waypoint and down."""
    x, y, _ = test.mission.route_enu_m[-1]
    t_s = np.arange(0.0, 40.0, 0.1)
    up = np.clip(np.minimum(t_s, t_s[-1] - t_s), 0.0, 10.0)
    position = np.column_stack([x * t_s / t_s[-1], y * t_s / t_s[-1], up])
    track = Trajectory(t_s, position, np.gradient(position, t_s, axis=0), np.zeros(len(t_s)))
    path = tmp_path / "flight.ulg"
    path.write_bytes(log_bytes(track))
    return str(path)


def test_only_the_standard_library_and_old_syntax() -> None:
    tree = ast.parse(script_text(), feature_version=(3, 8))
    inside = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
    }
    outer = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in inside
    ]
    names = {alias.name.split(".")[0] for node in outer for alias in node.names}
    assert names <= set(sys.stdlib_module_names)
    within = {
        node.module.split(".")[0] for node in inside if isinstance(node, ast.ImportFrom) and node.module
    }
    assert within == {"aerialist", "pyulog"}


@pytest.mark.parametrize("wind", [Wind(), Wind(velocity_mean_mps=4.0, direction_enu=(0.0, 1.0, 0.0))])
def test_tests_are_those_the_program_itself_writes(wind: Wind) -> None:
    test = scenario(WALL, TREE, wind=wind)
    data = job_body(test, 1)["scenario"]
    written = worker_script.test_of(data, "mission.plan")
    assert written == aerialist_document(test, "mission.plan")
    assert worker_script.plan_of(data["mission"]) == plan_data(test.mission)


def test_a_job_becomes_a_flight(worker: Any, tmp_path: Path) -> None:
    test = scenario(WALL)
    with FolderBackend(FolderConfig(folder=str(tmp_path / "queue"))) as backend:
        job = backend.submit(test, 5)
    ran = worker(write_log(tmp_path, test), "--keep", str(tmp_path / "kept"))
    assert ran.returncode == 0, ran.stderr
    result = FolderQueue(tmp_path / "queue").result(job)
    assert result is not None, ran.stderr
    flight = read_result(job, result)
    assert flight.scenario_id == test.id
    assert (flight.seed, flight.ending) == (5, Ending.GOAL_REACHED)
    assert flight.trajectory.position_enu_m[-1, :2] == pytest.approx(
        test.mission.route_enu_m[-1][:2], abs=0.5
    )
    assert flight.trajectory.duration_s == pytest.approx(39.0, abs=1.0)
    assert len(list((tmp_path / "kept").glob("*.ulg"))) == 1


@pytest.mark.parametrize(("log", "status"), [("crash", "error"), ("hang", "timeout")])
def test_trouble_is_a_result(worker: Any, tmp_path: Path, log: str, status: str) -> None:
    queue = FolderQueue(tmp_path / "queue")
    queue.submit("one", job_body(scenario(WALL), 1))
    worker(log, "--timeout", "1", "--grace", "1")
    result = queue.result("one")
    assert result is not None
    assert result["status"] == status
    if status == "error":
        assert "gazebo died" in result["message"]


def test_what_aerialist_cannot_hold_is_said(worker: Any, tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path / "queue")
    ball = Obstacle(center_enu_m=(10.0, 2.0, 6.0), size_m=(2.0, 2.0, 2.0), shape=Shape.SPHERE)
    queue.submit("one", job_body(scenario(ball), 1))
    worker("crash")
    result = queue.result("one")
    assert result is not None and "boxes and cylinders" in result["message"]


def test_hostile_files_end_no_worker(worker: Any, tmp_path: Path) -> None:
    folder = tmp_path / "queue"
    queue = FolderQueue(folder)
    for number, (name, make) in enumerate(NO_JOBS.items()):
        make(folder / "jobs")
        made = [path for path in (folder / "jobs").iterdir() if not path.name.startswith("kept")]
        for path in made:
            if len(path.name) < 200 and path.name.startswith("bad"):
                path.rename(path.with_name(f"kept{number}.json"))
        assert made, name
    for number, text in enumerate(POOR_JOBS.values()):
        body = json.loads(text.replace("Infinity", "1e999"))
        (folder / "jobs" / f"poor{number}.json").write_text(json.dumps({**body, "id": f"poor{number}"}))
    queue.submit("good", job_body(scenario(WALL), 7))
    ran = worker(write_log(tmp_path, scenario(WALL)))
    assert ran.returncode == 0, ran.stderr[-2000:]
    good = queue.result("good")
    assert good is not None and good["status"] == "flown", ran.stderr[-2000:]
    assert not list((folder / "jobs").iterdir())
    assert len(list((folder / "refused").iterdir())) >= len(NO_JOBS)


def test_a_second_worker_of_the_same_name_is_refused(worker: Any, tmp_path: Path) -> None:
    with FolderQueue(tmp_path / "queue").sign_in("w"):
        assert worker("crash").returncode == 2
