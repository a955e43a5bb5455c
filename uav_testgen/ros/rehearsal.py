"""Parameters of a planned graph, checked without starting a node: for `uav-testgen graph --dry-run`.

The nodes declare their parameters on a stand-in that only notes them. What is declared here has to be what the nodes
declare; a test starts every node and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest
from uav_testgen.graph.description import GraphPlan
from uav_testgen.graph.planner_profile import load_profile
from uav_testgen.ros.node_configs import (
    DepthCloudConfig,
    PlannerAdapterConfig,
    RecorderNodeConfig,
)
from uav_testgen.ros.node_settings import (
    oracle_settings,
    planner_settings,
    scenario_settings,
    vehicle_settings,
)
from uav_testgen.ros.params import declare_config
from uav_testgen.ros.px4.bridge_config import Px4BridgeConfig
from uav_testgen.ros.system_params import declare_system

OF_EVERY_NODE = ("use_sim_time", "start_type_description_service")
"""Declared by rclpy."""


class Rehearsal:
    """Stands in for a node while its parameters are declared."""

    def __init__(self, name: str, given: Mapping[str, Any]) -> None:
        self._name = name
        self._given = given
        self.declared: list[str] = list(OF_EVERY_NODE)
        self.descriptors: dict[str, Any] = {}
        self.defaults: dict[str, Any] = {}

    def get_fully_qualified_name(self) -> str:
        """As rclpy's."""
        return f"/{self._name}"

    def has_parameter(self, _name: str) -> bool:
        """Each is declared here for the first time."""
        return False

    def declare_parameter(self, name: str, default: Any, descriptor: Any = None) -> Any:
        """The given value, else the default; its type has to be that of the default, as ROS demands."""
        self.declared.append(name)
        self.descriptors[name] = descriptor
        self.defaults[name] = default
        value = self._given.get(name, default)
        if type(value) is not type(default) and not isinstance(default, list | tuple):
            hint = " (a decimal number needs its point: 5.0)" if isinstance(default, float) else ""
            raise ConfigError(
                f"parameter {name} of node {self.get_fully_qualified_name()} must be of type "
                f"{type(default).__name__}{hint}, got {value!r}"
            )
        return SimpleNamespace(value=value)


def _adapter(node: Any) -> None:
    declare_system(node)
    load_profile(declare_config(node, PlannerAdapterConfig).profile)


def _depth_cloud(node: Any) -> None:
    declare_config(node, DepthCloudConfig)
    declare_system(node)


DECLARATIONS: dict[str, Callable[[Any], object]] = {
    "scenario_node": scenario_settings,
    "depth_cloud_node": _depth_cloud,
    "planner_node": planner_settings,
    "planner_adapter_node": _adapter,
    "vehicle_node": vehicle_settings,
    "oracle_node": oracle_settings,
    "recorder_node": lambda node: declare_config(node, RecorderNodeConfig),
    "px4_bridge_node": lambda node: declare_config(node, Px4BridgeConfig),
}


def rehearse(plan: GraphPlan) -> None:
    """ConfigError for the first parameter that a node does not have or does not take."""
    for node in plan.nodes:
        declare = DECLARATIONS.get(node.name)
        if declare is None:
            continue  # a node of somebody else: only it knows
        stand_in = Rehearsal(node.name, node.parameters)
        declare(stand_in)
        for name in node.parameters:
            if name not in stand_in.declared and not name.startswith("qos_overrides."):
                raise ConfigError(
                    f"parameters of node {node.name}: unknown parameter '{name}'"
                    f"{nearest(name, stand_in.declared)}; docs/reference/parameters.md shows all of them"
                )
