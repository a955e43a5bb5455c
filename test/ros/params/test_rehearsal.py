"""`graph --dry-run` knows the parameters of every node, because it declares what the nodes declare."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
import rclpy

from uav_testgen.cli.main import main
from uav_testgen.graph.description import load_graph, merged, resolve
from uav_testgen.graph.parameter_files import read_parameter_file
from uav_testgen.ros.rehearsal import DECLARATIONS, Rehearsal, rehearse

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", sorted(DECLARATIONS))
def test_declared_is_what_the_node_declares(name: str, ros_context: Any, tmp_path: Any) -> None:
    module = importlib.import_module(f"uav_testgen.ros.nodes.{name}")
    kind = next(
        one
        for one in vars(module).values()
        if isinstance(one, type) and one.__module__ == module.__name__ and one.__name__.endswith("Node")
    )
    given = {"file": str(tmp_path / "flight.mcap")} if name == "recorder_node" else {}
    overrides = [rclpy.parameter.Parameter(key, value=value) for key, value in given.items()]
    node = kind(context=ros_context, parameter_overrides=overrides)
    try:
        real = {str(key) for key in node.get_parameters_by_prefix("")}
    finally:
        node.destroy_node()
    stand_in = Rehearsal(name, given)
    DECLARATIONS[name](stand_in)
    assert {key for key in real if not key.startswith("qos_overrides.")} == set(stand_in.declared)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("planner_node.planner.max_sensor_range=12.0", "did you mean 'planner.max_sensor_range_m'?"),
        ("planner_node.planner.max_sensor_range_m=12", "decimal number needs its point"),
        ("planner_node.planner.max_sensor_range_m=-3.0", "max_sensor_range_m"),
        ("vehicle_node.mission.time_limt_s=5.0", "did you mean 'mission.time_limit_s'?"),
    ],
)
def test_a_dry_run_refuses_wrong_parameters(setting: str, says: str, capsys: Any) -> None:
    assert main(["graph", "--dry-run", "--set", setting]) == 2
    assert says in capsys.readouterr().err


def test_a_dry_run_takes_right_ones(capsys: Any) -> None:
    assert main(["graph", "--dry-run", "--set", "planner_node.planner.max_sensor_range_m=12.0"]) == 0
    assert "planner.max_sensor_range_m:=12.0" in capsys.readouterr().out


def test_the_shipped_parameter_files_are_accepted_and_change_nothing() -> None:
    files = sorted((ROOT / "config" / "params").glob("*.yaml"))
    given = merged(*map(read_parameter_file, files))
    assert set(given) >= set(DECLARATIONS)
    plan = resolve(load_graph(), with_nodes=["recorder_node"], settings=given)
    rehearse(plan)
    for node in resolve(load_graph(), with_nodes=["recorder_node"]).nodes:
        stand_in = Rehearsal(node.name, node.parameters)
        DECLARATIONS[node.name](stand_in)
        for name, value in given[node.name].items():
            usual = node.parameters.get(name, stand_in.defaults[name])
            # As text: NaN, which means "not set", equals nothing.
            assert str(value) == str(list(usual) if isinstance(usual, tuple) else usual), (
                f"{node.name}.{name}"
            )


def test_a_live_graph_takes_them_too() -> None:
    files = sorted((ROOT / "config" / "params").glob("*.yaml"))
    rehearse(resolve(load_graph(), "px4", settings=merged(*map(read_parameter_file, files))))
