from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.errors import ConfigError
from uav_testgen.graph.description import SystemWish, load_graph, parse_setting, parse_settings, resolve


def names(plan) -> list[str]:
    return [node.name for node in plan.nodes]


def test_the_lfs_variant_has_the_five_nodes_and_waits_for_four() -> None:
    plan = resolve(load_graph())
    assert names(plan) == ["scenario_node", "depth_cloud_node", "planner_node", "vehicle_node", "oracle_node"]
    expected = plan.node("scenario_node").parameters["expected_nodes"]
    assert expected == ["depth_cloud_node", "planner_node", "vehicle_node", "oracle_node"]
    assert plan.transport == "fastdds.xml"


def test_the_px4_variant_replaces_the_vehicle_and_leaves_lock_step() -> None:
    plan = resolve(load_graph(), "px4")
    assert "vehicle_node" not in names(plan) and "px4_bridge_node" in names(plan)
    assert plan.node("planner_node").parameters["lock_step"] is False
    assert plan.transport == "fastdds_px4.xml"


def test_a_node_left_out_is_not_waited_for() -> None:
    plan = resolve(load_graph(), without=["planner_node"])
    assert "planner_node" not in names(plan)
    assert "planner_node" not in plan.node("scenario_node").parameters["expected_nodes"]


def test_optional_nodes_come_on_request_and_are_then_watched() -> None:
    assert "recorder_node" not in names(resolve(load_graph()))
    plan = resolve(load_graph(), with_nodes=["recorder_node"])
    assert "recorder_node" in plan.node("scenario_node").parameters["expected_nodes"]


def test_settings_reach_their_node_as_ros_arguments() -> None:
    settings = parse_settings(
        ["planner_node.planner.max_sensor_range_m=12.5", "vehicle_node.timing.dt_s=0.05"]
    )
    plan = resolve(load_graph(), settings=settings, namespace="/a/")
    words = plan.node("planner_node").ros_arguments()
    assert "planner.max_sensor_range_m:=12.5" in words
    assert "__ns:=/a" in words
    assert "timing.dt_s:=0.05" in plan.node("vehicle_node").ros_arguments()
    expected = next(w for w in plan.node("scenario_node").ros_arguments() if w.startswith("expected_nodes"))
    assert yaml.safe_load(expected.partition(":=")[2])[0] == "depth_cloud_node"


def test_a_system_is_chosen_for_all_nodes_that_belong_to_it() -> None:
    plan = resolve(load_graph(), system=SystemWish("paper", planner="straight"))
    wanted = {"system": "paper", "planner.name": "straight"}
    chosen = {node.name for node in plan.nodes if wanted.items() <= node.parameters.items()}
    assert chosen == {"depth_cloud_node", "planner_node", "vehicle_node"}
    assert resolve(load_graph()).node("vehicle_node").parameters["system"] == DEFAULT_SYSTEM


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n.p=1", 1),
        ("n.p=1.0", 1.0),
        ("n.p=true", True),
        ("n.p=word", "word"),
        ("n.p=[1, 2]", [1, 2]),
        ("n.p=", ""),
    ],
)
def test_setting_values_are_read_as_yaml(text: str, value: object) -> None:
    assert parse_setting(text) == ("n", "p", value)


@pytest.mark.parametrize("text", ["", "n", "n=1", "n.=1", ".p=1", "n.p", "n.p={a: 1}", "n.p=[", "n.p=null"])
def test_malformed_settings_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="setting"):
        parse_setting(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "lsf"},
        {"without": ["planer_node"]},
        {"with_nodes": ["recoder_node"]},
        {"settings": {"planer_node": {}}},
    ],
)
def test_unknown_names_are_refused_with_the_nearest(wrong: dict) -> None:
    with pytest.raises(ConfigError, match="did you mean"):
        resolve(load_graph(), **{"variant": "lfs", **wrong})


def test_a_description_with_an_unknown_variant_or_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "graph.yaml"
    file.write_text("variants: {lfs: {}}\nnodes: {a_node: {variants: [px5]}}\n")
    with pytest.raises(ConfigError, match=r"nodes\.a_node: variant 'px5'"):
        load_graph(file)
    file.write_text("variants: {lfs: {}}\nnodes: {a_node: {parametres: {}}}\n")
    with pytest.raises(ConfigError, match="parametres"):
        load_graph(file)


def test_a_value_that_only_looks_like_a_number_is_refused_in_one_line() -> None:
    with pytest.raises(
        ConfigError, match=r"setting 'oracle_node\.rate=59:59.*is not a number that can be used"
    ):
        parse_setting("oracle_node.rate=" + ":".join(["59"] * 300) + ".5")
