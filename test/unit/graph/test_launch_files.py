"""The launch files and `uav-testgen graph` build the same graph from the same file."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main

ROOT = Path(__file__).resolve().parents[3]
FAKES = ROOT / "test" / "fakes" / "launch_api"
OURS = ("launch", "launch_ros", "graph_actions", "campaign_actions")


@pytest.fixture
def launch_api(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The fake launch packages in place of the real ones."""
    ours = [name for name in sys.modules if name.split(".")[0] in OURS]
    for name in ours:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [str(FAKES), *sys.path])
    import launch.core as core

    yield core
    for name in [n for n in sys.modules if n.split(".")[0] in OURS]:
        del sys.modules[name]


def launched(core: Any, name: str, /, **arguments: str) -> list[Any]:
    description = runpy.run_path(str(ROOT / "launch" / name))["generate_launch_description"]()
    context = core.LaunchContext()
    context.launch_configurations.update(arguments)
    return core.visit(description.entities, context)


def nodes_of(actions: list[Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": action.name,
            "namespace": action.namespace,
            "parameters": action.parameters[0],
            "remappings": [list(pair) for pair in action.remappings],
        }
        for action in actions
        if type(action).__name__ == "Node" and action.package == "uav_testgen"
    ]


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
    ("lfs.launch.py", {"scenario": "s.yaml"}, ["--set", "scenario_node.file=s.yaml"]),
    ("campaign.launch.py", {"campaign": "c.yaml", "out": "o", "system": "paper"}, ["--system", "paper"]),
]


@pytest.mark.parametrize(("file", "arguments", "words"), CASES)
def test_same_nodes_parameters_and_remaps(
    launch_api: Any,
    capsys: pytest.CaptureFixture[str],
    file: str,
    arguments: dict[str, str],
    words: list[str],
) -> None:
    actions = launched(launch_api, file, **arguments)
    assert main(["graph", "--dry-run", "--json", *words]) == 0
    described = json.loads(capsys.readouterr().out)
    assert nodes_of(actions) == described["nodes"]
    for action in actions:
        if type(action).__name__ == "Node":
            assert action.executable == action.name


def test_every_argument_is_documented(launch_api: Any) -> None:
    for file in sorted((ROOT / "launch").glob("*.launch.py")):
        declared = [
            a
            for a in launched(launch_api, file.name, file="f.mcap", campaign="c.yaml", out="o")
            if type(a).__name__ == "DeclareLaunchArgument"
        ]
        assert declared and all(argument.description for argument in declared), file.name


def test_rviz_comes_on_request_with_our_view(launch_api: Any) -> None:
    def rviz(actions: list[Any]) -> list[Any]:
        return [a for a in actions if type(a).__name__ == "Node" and a.package == "rviz2"]

    assert not rviz(launched(launch_api, "lfs.launch.py"))
    (node,) = rviz(launched(launch_api, "lfs.launch.py", rviz="true"))
    assert Path(node.arguments[1]).is_file()


def test_replay_plays_the_file(launch_api: Any) -> None:
    actions = launched(launch_api, "replay.launch.py", file="x.mcap", rviz="false")
    (process,) = [a for a in actions if type(a).__name__ == "ExecuteProcess"]
    assert process.command[:3] == ["uav-testgen", "replay", "x.mcap"]
    from uav_testgen.cli.main import build_parser

    parsed = build_parser("replay").parse_args(process.command[1:])
    assert (parsed.rate, parsed.wait, parsed.namespace) == (1.0, 0.0, "")


class Exited:
    """What launch tells a callback about a process."""

    def __init__(self, returncode: int) -> None:
        self.returncode = returncode


def campaign_process(core: Any, **arguments: str) -> Any:
    given = {"campaign": "c.yaml", "out": "o", **arguments}
    (process,) = [
        a for a in launched(core, "campaign.launch.py", **given) if type(a).__name__ == "ExecuteProcess"
    ]
    return process


def test_a_campaign_is_searched_then_flown_in_the_graph_of_the_launch(launch_api: Any) -> None:
    from uav_testgen.cli.main import build_parser
    from uav_testgen.core.config import read_yaml

    search = campaign_process(launch_api, namespace="a", tests="2")
    parsed = build_parser("campaign").parse_args(search.command[1:])
    assert (str(parsed.config), str(parsed.out), parsed.resume) == ("c.yaml", "o", True)
    (confirm,) = search.on_exit(Exited(0), None)
    confirm.execute(launch_api.LaunchContext())
    parsed = build_parser("confirm").parse_args(confirm.command[1:])
    assert (str(parsed.folder), parsed.backend, parsed.tests) == ("o", "graph", 2)
    assert read_yaml(parsed.settings) == {"start": False, "namespace": "a"}
    (end,) = confirm.on_exit(Exited(0), None)
    assert type(end.event).__name__ == "Shutdown"
    assert not parsed.settings.exists()


@pytest.mark.parametrize("code", [2, 3, 130])
def test_the_launch_ends_with_the_code_of_the_campaign(
    launch_api: Any, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    search = campaign_process(launch_api)
    left: list[Any] = []
    import campaign_actions

    monkeypatch.setattr(campaign_actions.atexit, "register", lambda use, code: left.append(code))
    (end,) = search.on_exit(Exited(code), None)
    assert type(end.event).__name__ == "Shutdown" and left == [code]


def test_leaving_with_a_code() -> None:
    """The real interpreter: what was printed is there, and the code is that of the campaign."""
    words = "import campaign_actions\nprint('all of it')\ncampaign_actions.leave_with(3)\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(FAKES), str(ROOT / "launch"), str(ROOT)])}
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (3, "all of it\n"), done.stderr


def test_transport_and_discovery_are_set(launch_api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ROS_AUTOMATIC_DISCOVERY_RANGE", "FASTRTPS_DEFAULT_PROFILES_FILE"):
        monkeypatch.delenv(name, raising=False)
    set_now = {
        a.name: a.value
        for a in launched(launch_api, "px4.launch.py")
        if type(a).__name__ == "SetEnvironmentVariable"
    }
    assert set_now["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "SUBNET", "LOCALHOST would add shared memory"
    assert set_now["FASTRTPS_DEFAULT_PROFILES_FILE"].endswith("fastdds_px4.xml")


def test_the_fake_refuses_what_the_real_one_refuses(launch_api: Any) -> None:
    from launch_ros.actions import Node

    with pytest.raises(TypeError):
        Node(package="p", executable="e", parameter=[{}])
    with pytest.raises(TypeError):
        Node(package="p", executable="e", parameters=[{"empty": []}])
