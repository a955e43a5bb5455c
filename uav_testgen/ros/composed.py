"""Nodes by name, and several of them in one process."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rclpy.node import Node

from uav_testgen.core.errors import ConfigError
from uav_testgen.graph.description import NodePlan
from uav_testgen.ros.executor import run_nodes


def node_class(name: str) -> Callable[..., Node]:
    """`planner_node` -> PlannerNode of uav_testgen.ros.nodes.planner_node."""
    class_name = "".join(word.capitalize() for word in name.split("_"))
    try:
        module = importlib.import_module(f"uav_testgen.ros.nodes.{name}")
    except ModuleNotFoundError as error:
        raise ConfigError(f"node '{name}' is not part of this installation ({error})") from error
    kind: Callable[..., Node] = getattr(module, class_name)
    return kind


def make_node(plan: NodePlan, **options: Any) -> Node:
    """A node with the parameters and remaps of the description, as if started in a process of its own."""
    return node_class(plan.name)(cli_args=plan.ros_arguments(), use_global_arguments=False, **options)


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m uav_testgen.ros.composed PLAN`: a JSON list of nodes, as graph.processes writes it."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    plans = [
        NodePlan(node["name"], node["namespace"], node["parameters"], tuple(map(tuple, node["remappings"])))
        for node in json.loads(words[0])
    ]
    return run_nodes([partial(make_node, plan) for plan in plans], [])


if __name__ == "__main__":
    sys.exit(main())
