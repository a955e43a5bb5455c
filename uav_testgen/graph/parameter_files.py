"""Parameter files as `ros2 run --params-file` and launch_ros read them: values by node, below `ros__parameters`.

    planner_node:
      ros__parameters:
        planner:
          max_sensor_range_m: 12.0

A node may be named with its namespace (`/a/planner_node`); wildcards (`/**`) belong to no node of ours in particular
and are refused, because a parameter that a node does not have is an error here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import ConfigError
from uav_testgen.graph.description import Value

_KEY = "ros__parameters"


def read_parameter_file(path: Path) -> dict[str, dict[str, Value]]:
    """Settings (node -> parameter -> value); ConfigError names file, node and rule."""
    data = read_yaml(path)
    if not isinstance(data, Mapping):
        raise ConfigError(f"{path}: nodes with their parameters are expected, as in config/params")
    found: dict[str, dict[str, Value]] = {}
    for node, content in data.items():
        name = str(node).rpartition("/")[2]
        if "*" in str(node):
            raise ConfigError(f"{path}: '{node}': name each node; wildcards are not read")
        if not isinstance(content, Mapping) or not isinstance(content.get(_KEY), Mapping):
            raise ConfigError(f"{path}: {node}: its parameters must stand below {_KEY}:")
        found.setdefault(name, {}).update(_flat(content[_KEY], path, name))
    return found


def _flat(values: Mapping[str, Any], path: Path, node: str, prefix: str = "") -> Iterator[tuple[str, Value]]:
    """Parameters by their dotted names."""
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from _flat(value, path, node, f"{name}.")
        elif isinstance(value, bool | int | float | str | list):
            yield name, value
        else:
            raise ConfigError(
                f"{path}: {node}: {name} must be a number, a word, true/false or a list, not {value!r}"
            )
