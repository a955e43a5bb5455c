"""The launch files and `uav-testgen graph` build the same graph from the same file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main

from .launch_readers import READER, Reader, loaded

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(params=[READER], ids=[READER.label])
def launch_api(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    """Reads launch files with the real launch packages where they are installed; the test id says which."""
    if READER is Reader:
        for name in loaded():
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [*READER.paths, *sys.path])
    before = dict(os.environ)
    yield request.param()
    os.environ.clear()  # the real one sets variables in this very process
    os.environ.update(before)
    for name in loaded() if READER is Reader else ("graph_actions", "campaign_actions"):
        sys.modules.pop(name, None)


CASES = [
    ("lfs.launch.py", {}, ["--variant", "lfs"]),
    ("px4.launch.py", {}, ["--variant", "px4"]),
    (
        "lfs.launch.py",
        {"without": "planner_node", "namespace": "a"},
        ["--without", "planner_node", "--namespace", "a"],
    ),
    ("lfs.launch.py", {"system": "paper"}, ["--system", "paper"]),
    (
        "lfs.launch.py",
        {"vehicle": "px4", "planner": "straight", "camera": "three_cameras"},
        ["--vehicle", "px4", "--planner", "straight", "--camera", "three_cameras"],
    ),
    ("lfs.launch.py", {"with_nodes": "recorder_node"}, ["--with", "recorder_node"]),
    (
        "lfs.launch.py",
        {"set": "planner_node.planner.children_per_node=4 depth_cloud_node.renderer=analytic"},
        ["--set", "planner_node.planner.children_per_node=4", "--set", "depth_cloud_node.renderer=analytic"],
    ),
    ("lfs.launch.py", {"record": "bag"}, ["--with", "recorder_node", "--set", "recorder_node.file=bag"]),
    (
        "px4.launch.py",
        {"record": "f.mcap"},
        ["--variant", "px4", "--with", "recorder_node", "--set", "recorder_node.file=f.mcap"],
    ),
    (
        "lfs.launch.py",
        {"profile": "twist", "start": f"{sys.executable} mine.py"},
        ["--profile", "twist", "--start", f"{sys.executable} mine.py"],
    ),
    ("lfs.launch.py", {"scenario": "s.yaml"}, ["--set", "scenario_node.file=s.yaml"]),
    ("campaign.launch.py", {"campaign": "c.yaml", "out": "o", "system": "paper"}, ["--system", "paper"]),
]


@pytest.mark.parametrize(("file", "arguments", "words"), CASES)
def test_same_nodes_parameters_and_remaps(
    launch_api: Reader,
    capsys: pytest.CaptureFixture[str],
    file: str,
    arguments: dict[str, str],
    words: list[str],
) -> None:
    nodes = launch_api.nodes(launch_api.actions(file, **arguments), "uav_testgen")
    assert main(["graph", "--dry-run", "--json", *words]) == 0
    described = json.loads(capsys.readouterr().out)
    wanted = [{**node, "executable": node["name"], "arguments": []} for node in described["nodes"]]
    assert nodes == wanted
    # A parameter file cannot say of what type an empty list is; releases of launch_ros refuse it or fail later.
    assert not [name for node in nodes for name, value in node["parameters"].items() if value in ([], ())]


def test_all_nodes_in_one_process(launch_api: Reader, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = {"composed": "true", "namespace": "a", "system": "paper"}
    (node,) = launch_api.nodes(launch_api.actions("lfs.launch.py", **arguments), "uav_testgen")
    assert node["executable"] == "composed_graph"
    assert main(["graph", "--dry-run", "--json", "--namespace", "a", "--system", "paper"]) == 0
    assert json.loads(node["arguments"][0]) == json.loads(capsys.readouterr().out)["nodes"]


def test_parameter_files(launch_api: Reader, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same files for both ways to start, and what is set by hand counts more."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        "planner_node:\n  ros__parameters:\n    planner: {children_per_node: 4, max_sensor_range_m: 12.0}\n"
        "/a/oracle_node:\n  ros__parameters: {every_steps: 7}\n"
    )
    by_hand = "planner_node.planner.children_per_node=5"
    nodes = launch_api.nodes(
        launch_api.actions("lfs.launch.py", params=str(file), set=by_hand), "uav_testgen"
    )
    parameters = {node["name"]: node["parameters"] for node in nodes}
    assert parameters["oracle_node"]["every_steps"] == 7
    assert parameters["planner_node"]["planner.max_sensor_range_m"] == 12.0
    assert parameters["planner_node"]["planner.children_per_node"] == 5
    assert main(["graph", "--dry-run", "--json", "--params", str(file), "--set", by_hand]) == 0
    described = json.loads(capsys.readouterr().out)["nodes"]
    assert {node["name"]: node["parameters"] for node in described} == parameters


def test_every_argument_is_documented(launch_api: Reader) -> None:
    for file in sorted((ROOT / "launch").glob("*.launch.py")):
        actions = launch_api.actions(file.name, file="f.mcap", campaign="c.yaml", out="o")
        declared = launch_api.arguments(actions)
        assert declared and all(text and text != "no description given" for text in declared.values()), (
            file.name
        )


def test_rviz_comes_on_request_with_our_view(launch_api: Reader) -> None:
    assert not launch_api.nodes(launch_api.actions("lfs.launch.py"), "rviz2")
    (node,) = launch_api.nodes(launch_api.actions("lfs.launch.py", rviz="true", namespace="a"), "rviz2")
    assert Path(node["arguments"][1]).is_file()
    assert node["namespace"] == "a", "the view names its topics relatively"
    assert ["/tf", "tf"] in node["remappings"] and ["/tf_static", "tf_static"] in node["remappings"]


@pytest.mark.parametrize("file", ["lfs.launch.py", "px4.launch.py", "campaign.launch.py"])
def test_what_every_launch_file_of_a_graph_can_be_asked_for(launch_api: Reader, file: str) -> None:
    declared = launch_api.arguments(launch_api.actions(file, campaign="c.yaml", out="o"))
    assert {"system", "planner", "record", "rviz", "namespace", "composed", "params"} <= declared.keys()
    assert ("campaign" if file.startswith("campaign") else "scenario") in declared


def test_replay_plays_the_file(launch_api: Reader) -> None:
    (process,) = launch_api.processes(launch_api.actions("replay.launch.py", file="x.mcap", rviz="false"))
    command = launch_api.command(process)
    assert command[:3] == ["uav-testgen", "replay", "x.mcap"]
    from uav_testgen.cli.main import build_parser

    parsed = build_parser("replay").parse_args(command[1:])
    assert (parsed.rate, parsed.wait, parsed.namespace) == (1.0, 0.0, "")


class Exited:
    """What launch tells a callback about a process."""

    def __init__(self, returncode: int) -> None:
        self.returncode = returncode


def campaign_process(launch_api: Reader, **arguments: str) -> Any:
    given = {"campaign": "c.yaml", "out": "o", **arguments}
    (process,) = launch_api.processes(launch_api.actions("campaign.launch.py", **given))
    return process


def test_a_campaign_is_searched_then_flown_in_the_graph_of_the_launch(launch_api: Reader) -> None:
    from uav_testgen.cli.main import build_parser
    from uav_testgen.core.config import read_yaml

    search = campaign_process(launch_api, namespace="a", tests="2")
    parsed = build_parser("campaign").parse_args(launch_api.command(search)[1:])
    assert (str(parsed.config), str(parsed.out), parsed.resume) == ("c.yaml", "o", True)
    (confirm,) = launch_api.on_exit(search)(Exited(0), None)
    parsed = build_parser("confirm").parse_args(launch_api.command(confirm)[1:])
    assert (str(parsed.folder), parsed.backend, parsed.tests) == ("o", "graph", 2)
    assert read_yaml(parsed.settings) == {"start": False, "namespace": "a"}
    (end,) = launch_api.on_exit(confirm)(Exited(0), None)
    assert type(end.event).__name__ == "Shutdown"
    assert not parsed.settings.exists()


@pytest.mark.parametrize("code", [2, 3, 130])
def test_the_launch_ends_with_the_code_of_the_campaign(
    launch_api: Reader, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    search = campaign_process(launch_api)
    left: list[Any] = []
    import campaign_actions

    monkeypatch.setattr(campaign_actions.atexit, "register", lambda use, code: left.append(code))
    (end,) = launch_api.on_exit(search)(Exited(code), None)
    assert type(end.event).__name__ == "Shutdown" and left == [code]


def test_leaving_with_a_code() -> None:
    """The real interpreter: what was printed is there, and the code is that of the campaign."""
    words = "import campaign_actions\nprint('all of it')\ncampaign_actions.leave_with(3)\n"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*READER.paths, str(ROOT / "launch"), str(ROOT), *sys.path]),
    }
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (3, "all of it\n"), done.stderr


def test_transport_and_discovery_are_set(launch_api: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ROS_AUTOMATIC_DISCOVERY_RANGE", "FASTRTPS_DEFAULT_PROFILES_FILE"):
        monkeypatch.delenv(name, raising=False)
    set_now = launch_api.environment(launch_api.actions("px4.launch.py"))
    assert set_now["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "SUBNET", "LOCALHOST would add shared memory"
    assert set_now["FASTRTPS_DEFAULT_PROFILES_FILE"].endswith("fastdds_px4.xml")


def test_misspelt_arguments_are_refused(launch_api: Reader) -> None:
    """By the real one, and by the fake because the real one does."""
    from launch_ros.actions import Node

    with pytest.raises(TypeError):
        Node(package="p", executable="e", parameter=[{}])
