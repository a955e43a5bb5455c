"""Planner profiles: shipped ones are whole, wrong ones are refused in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.graph.description import SystemWish, load_graph, resolve
from uav_testgen.graph.foreign_planner import resolved_with
from uav_testgen.graph.planner_profile import load_profile, profile_names


def test_every_shipped_profile_is_whole() -> None:
    assert {"ego_planner", "path_planner", "px4_setpoint", "twist"} <= set(profile_names())
    for name in profile_names():
        assert load_profile(name).description


def test_an_empty_file_is_a_whole_profile(tmp_path: Path) -> None:
    file = tmp_path / "empty.yaml"
    file.write_text("{}")
    profile = load_profile(str(file))
    assert profile.time.mode == "lock_step" and profile.state.reset == "restart"
    assert profile.to_planner.cloud is not None and profile.to_planner.cloud.frame == "optical"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tme: {}", "unknown key 'tme', did you mean 'time'?"),
        ("time: {mode: wal}", "time.mode"),
        ("time: {mode: wall, speed: 2.0}", "speed 2 needs mode sim_time"),
        ("time: {clock_hz: 10}", "time.clock_hz"),
        ("time: {odometry_hz: 20}", "time.odometry_hz"),
        ("from_planner: {topic: 'no topic'}", "is no topic name"),
        ('from_planner: {topic: "/answer\\n"}', "is no topic name"),
        ('to_planner: {depth: {info_topic: "/info\\n"}}', "is no topic name"),
        ('from_planner: {type: "a_msgs/B\\n", fields: {position: p}}', "package/Name is expected"),
        ('from_planner: {type: a_msgs/B, fields: {position: "p\\n"}}', "is no field"),
        ('frames: {world: "map\\n"}', "is no frame name"),
        ('state: {reset: service, service: "/r\\n"}', "is no service name"),
        ("from_planner: {type: PositionCommand}", "package/Name is expected"),
        ("from_planner: {type: quadrotor_msgs/PositionCommand}", "say with fields what it means"),
        (
            "from_planner: {type: a_msgs/B, fields: {posn: p}}",
            "unknown quantity 'posn', did you mean 'position'?",
        ),
        ("from_planner: {type: a_msgs/B, fields: {position: 'p q'}}", "'p q' is no field"),
        ("from_planner: {type: a_msgs/B, fields: {position: [x, y]}}", "names 2 fields"),
        ("to_planner: {goal: {type: a_msgs/Goal}}", "say with fields where the position goes"),
        ("to_planner: {goal: {topic: /path}}", "topic /path is named twice"),
        ("frames: {world: map, body: map}", "need different names"),
        ("frames: {world: 'a b'}", "is no frame name"),
        ("state: {reset: service}", "names a service with reset: service"),
        (
            "state: {reset: service, service: /r, service_type: a_srvs/B}",
            "std_srvs/Trigger or std_srvs/Empty",
        ),
        ("- 1", "a mapping of settings is expected"),
    ],
)
def test_a_wrong_profile_is_refused_with_file_field_and_rule(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises((ConfigError, InputFileError)) as caught:
        load_profile(str(file))
    assert str(file) in str(caught.value) and says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_adapter_takes_the_planners_place_in_a_namespace_of_its_own() -> None:
    plan = resolve(load_graph(), **resolved_with("twist", f"{sys.executable} x.py", system=SystemWish()))
    names = [node.name for node in plan.nodes]
    assert "planner_adapter_node" in names and "planner_node" not in names
    assert plan.namespace == "uav_testgen"
    assert plan.node("planner_adapter_node").parameters["planner.name"] == "ros"
    assert "planner_adapter_node" in plan.node("scenario_node").parameters["expected_nodes"]
    assert resolved_with("", system=SystemWish()) == {"system": SystemWish()}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--planner", "ros"], "--planner ros needs --profile"),
        (["--profile", "twst", "--planner", "ros"], "unknown planner profile 'twst', did you mean 'twist'?"),
        (
            ["--profile", "twist", "--planner", "straight"],
            "--profile goes with --planner ros, not with 'straight'",
        ),
        (["--profile", "twist", "--start", "no_such_program_"], "no such program: no_such_program_"),
        (["--profile", "twist", "--start", "a", "--start", "b"], "takes one --start"),
    ],
)
def test_fly_refuses_what_does_not_fit_together(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rclpy")
    assert main(["fly", "two_walls", "--backend", "graph", *words]) == 2
    assert says in capsys.readouterr().err


def test_the_planner_ros_flies_in_the_graph_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fly", "two_walls", "--planner", "ros", "--undisturbed"]) == 2
    assert "--backend graph --profile" in capsys.readouterr().err
    assert main(["fly", "two_walls", "--profile", "twist"]) == 2
    assert "--profile goes with --backend graph --planner ros" in capsys.readouterr().err


def test_profiles_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "profiles"]) == 0
    assert "ego_planner" in capsys.readouterr().out
