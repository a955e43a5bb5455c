"""Parameter files as ROS knows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.graph.parameter_files import read_parameter_file


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "nodes with their parameters are expected"),
        ("planner_node: {planner: {x: 1}}", "planner_node: its parameters must stand below ros__parameters"),
        ("/**:\n  ros__parameters: {use_sim_time: true}", "name each node"),
        ("planner_node:\n  ros__parameters: {a: {b: null}}", "planner_node: a.b must be a number"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=rf"mine\.yaml: .*{said}"):
        read_parameter_file(file)
