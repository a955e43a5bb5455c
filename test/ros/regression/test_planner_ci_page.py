"""docs/howto/planner_ci.md as it stands there: the suite, the commands, the report; and what a worse planner gets."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml

pytest.importorskip("rclpy")

from uav_testgen.ros.backends.graph import GraphConfig
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.scenario.model import Mission, Scenario, Waypoint, obstacle_on_ground
from uav_testgen.testing.regression_baseline import read_baseline
from uav_testgen.testing.regression_suite import RegressionSuite

DOCS = Path(__file__).resolve().parents[3] / "docs" / "howto"
PAGE = (DOCS / "planner_ci.md").read_text(encoding="utf-8")
SCENE = Scenario(
    mission=Mission(
        waypoints=(Waypoint(position_enu_m=(16.0, 0.0, 6.0)),),
        home_enu_m=(0.0, 0.0, 6.0),
        takeoff=False,
        land=False,
    ),
    obstacles=(obstacle_on_ground(8.0, 0.4, (3.0, 3.0, 9.0), 0.0),),
)
PLUGIN = "uav_testgen.testing.planner_regression"

pytestmark = [pytest.mark.xdist_group("ros_graph"), pytest.mark.timeout(600)]


def block(page: str, kind: str, containing: str) -> str:
    """The code block of a page that contains a text."""
    found = [text for text in re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL) if containing in text]
    assert len(found) == 1, (kind, containing)
    return found[0]


def run_pytest(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """As on the page; the entry point exists only where the package was installed since."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        PLUGIN,
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        *words,
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def user_package(folder: Path) -> None:
    """What the page supposes: the planner of own_planner_node.md and a scene; fewer runs, to be quick."""
    planner = (DOCS / "own_planner_node.md").read_text(encoding="utf-8")
    (folder / "my_planner.py").write_text(block(planner, "python no-run", "class ClimbOverIt"))
    suite = block(PAGE, "yaml", "runs: 3").replace(", two_walls", "").replace("runs: 3", "runs: 0")
    suite = suite.replace("python3 my_planner.py", f"{sys.executable} my_planner.py")
    (folder / "planner.planner_suite.yaml").write_text(
        suite + "settings: {settings: {depth_cloud_node: {renderer: analytic}}}\n"
    )
    (folder / "scenes").mkdir()
    save_scenario(folder / "scenes" / "one_box.yaml", SCENE)


def test_the_page(tmp_path: Path) -> None:
    user_package(tmp_path)
    update, compare = (
        line.split("pytest ", 1)[1].split() for line in block(PAGE, "bash", "--update").strip().splitlines()
    )
    made = run_pytest(update, tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    (result,) = read_baseline(tmp_path / "planner.baseline.json").values()
    assert (result.completed, result.flown, result.seed) == (1, 1, 1) and result.distances_m[0] > 0.0

    flown = run_pytest(compare, tmp_path)
    assert flown.returncode == 0, flown.stdout + flown.stderr
    (case,) = ElementTree.parse(tmp_path / "report.xml").iter("testcase")
    assert case.get("name") == "one_box" and not list(case.iter("failure"))
    told = {entry.get("name"): entry.get("value") for entry in case.iter("property")}
    assert told["missions_completed"] == "1/1" and float(told["distances_m"]) > 0.0


def lfs_suite(folder: Path, more: str = "") -> list[str]:
    """A suite without ROS, for what has nothing to do with it."""
    file = folder / "quick.planner_suite.yaml"
    file.write_text(
        "backend: lfs\nscenes: [scene.yaml]\nruns: 0\nbaseline: last.json\n" + more, encoding="utf-8"
    )
    save_scenario(folder / "scene.yaml", SCENE)
    return [file.name, "--junitxml=report.xml"]


def test_a_worse_planner_is_named_and_changes_the_exit_code(tmp_path: Path) -> None:
    words = lfs_suite(tmp_path)
    assert run_pytest([*words, "--update-planner-baseline"], tmp_path).returncode == 0
    lfs_suite(tmp_path, "settings: {planner: straight}\n")
    done = run_pytest(words, tmp_path)
    assert done.returncode == 1, done.stdout
    assert re.search(r"scene\.yaml: .*in the baseline", done.stdout), done.stdout
    (case,) = ElementTree.parse(tmp_path / "report.xml").iter("testcase")
    assert "in the baseline" in next(case.iter("failure")).get("message", "")


def test_a_wrong_suite_is_one_sentence(tmp_path: Path) -> None:
    words = lfs_suite(tmp_path, "seeds: 3\n")
    done = run_pytest(words, tmp_path)
    assert done.returncode == 2
    assert re.search(r"quick\.planner_suite\.yaml: .*seeds", done.stdout), done.stdout
    assert "Traceback" not in done.stdout


def test_the_launch_testing_example(tmp_path: Path) -> None:
    """With the real launch_testing, which the package index does not have."""
    if importlib.util.find_spec("launch_testing") is None:
        pytest.skip("launch_testing is not installed: it comes with a ROS installation")
    user_package(tmp_path)
    example = tmp_path / "test_planner_launch.py"
    text = block(PAGE, "python no-run", "generate_test_description")
    example.write_text(text.replace('"python3", "my_planner.py"', f'"{sys.executable}", "my_planner.py"'))
    done = subprocess.run(
        [sys.executable, "-m", "launch_testing.launch_test", str(example), "--junit-xml=report.xml"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_suite_with_a_profile_is_understood() -> None:
    """As settings; who flies through a profile is tested where profiles are."""
    suite = RegressionSuite(**yaml.safe_load(block(PAGE, "yaml", "profile:")))
    config = GraphConfig(**suite.backend_settings(None))
    assert config.profile == "my_profile.yaml" and config.start_planner.startswith("ros2 launch")


def test_the_example_is_python() -> None:
    compile(block(PAGE, "python no-run", "generate_test_description"), "example", "exec")
