"""Reads config/graph.yaml and resolves it: which nodes with which parameters, for one variant.

`ros2 launch` and `uav-testgen graph` both start from the `GraphPlan` made here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from uav_testgen.core.config import RoomConfig, load_config, read_value
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.graph.environment import DEFAULT_PROFILE

PACKAGE = "uav_testgen"
DIRECTOR = "scenario_node"
Scalar = bool | int | float | str
Value = Scalar | list[bool] | list[int] | list[float] | list[str]


class VariantEntry(RoomConfig):
    """One way to close the loop."""

    description: str = ""
    transport: str = Field(default=DEFAULT_PROFILE, description="Fast DDS profile in config/")


class NodeEntry(RoomConfig):
    """One node of the file."""

    variants: tuple[str, ...] = ()
    optional: bool = False
    essential: bool = True
    system: bool = False
    parameters: dict[str, Value] = Field(default_factory=dict)
    in_variant: dict[str, dict[str, Value]] = Field(default_factory=dict)
    remappings: dict[str, str] = Field(default_factory=dict)


class GraphFile(RoomConfig):
    """The whole file."""

    variants: dict[str, VariantEntry]
    nodes: dict[str, NodeEntry]


@dataclass(frozen=True)
class SystemWish:
    """The system under test a graph is set up for; empty means: as the preset says."""

    system: str = ""
    vehicle: str = ""
    planner: str = ""
    camera: str = ""

    def parameters(self) -> dict[str, Value]:
        """As parameters of a node; the names are those of the fields of a system."""
        parts = {"vehicle.model": self.vehicle, "planner.name": self.planner, "camera": self.camera}
        given: dict[str, Value] = {name: text for name, text in parts.items() if text}
        return {"system": self.system or DEFAULT_SYSTEM, **given}


@dataclass(frozen=True)
class NodePlan:
    """One node to be started: executable and node name are the same."""

    name: str
    namespace: str
    parameters: Mapping[str, Value]
    remappings: tuple[tuple[str, str], ...] = ()

    def ros_arguments(self) -> list[str]:
        """Command-line form of name, namespace, parameters and remaps."""
        words = ["--ros-args", "-r", f"__node:={self.name}"]
        if self.namespace:
            words += ["-r", f"__ns:=/{self.namespace}"]
        for source, target in self.remappings:
            words += ["-r", f"{source}:={target}"]
        for key, value in self.parameters.items():
            words += ["-p", f"{key}:={_yaml_word(value)}"]
        return words


@dataclass(frozen=True)
class GraphPlan:
    """All nodes of one variant, ready to start."""

    variant: str
    transport: str
    namespace: str
    nodes: tuple[NodePlan, ...] = field(default=())

    def node(self, name: str) -> NodePlan:
        """The node of this name."""
        return next(node for node in self.nodes if node.name == name)


def load_graph(path: Path | None = None) -> GraphFile:
    """The shipped description or another one; ConfigError says what is wrong with it."""
    source = path or config_folder() / "graph.yaml"
    graph = load_config(GraphFile, source)
    for name, node in graph.nodes.items():
        for variant in (*node.variants, *node.in_variant):
            _require(variant, graph.variants, f"{source}: nodes.{name}: variant")
    return graph


def resolve(
    graph: GraphFile,
    variant: str = "lfs",
    *,
    without: Sequence[str] = (),
    with_nodes: Sequence[str] = (),
    settings: Mapping[str, Mapping[str, Value]] | None = None,
    namespace: str = "",
    system: SystemWish | None = None,
) -> GraphPlan:
    """The nodes to start. `without` leaves nodes out (their topics come from elsewhere), `with_nodes` adds
    optional ones, `settings` (node -> parameter -> value) change parameters, `system` sets up all nodes that
    belong to the system under test."""
    _require(variant, graph.variants, "variant")
    for name in (*without, *with_nodes, *(settings or {})):
        _require(name, graph.nodes, "node")
    chosen = {
        name: node
        for name, node in graph.nodes.items()
        if (not node.variants or variant in node.variants)
        and (not node.optional or name in with_nodes)
        and name not in without
    }
    essential = [name for name, node in chosen.items() if node.essential]
    plans = []
    for name, node in chosen.items():
        parameters: dict[str, Value] = {**node.parameters, **node.in_variant.get(variant, {})}
        if name == DIRECTOR:
            parameters["expected_nodes"] = essential
        if node.system:
            parameters.update((system or SystemWish()).parameters())
        parameters.update((settings or {}).get(name, {}))
        plans.append(NodePlan(name, namespace.strip("/"), parameters, tuple(node.remappings.items())))
    return GraphPlan(variant, graph.variants[variant].transport, namespace.strip("/"), tuple(plans))


def parse_setting(text: str) -> tuple[str, str, Value]:
    """(node, parameter, value) of `node.parameter=value`; the value is read as YAML."""
    target, equals, raw = text.partition("=")
    node, dot, parameter = target.partition(".")
    if not (equals and dot and node and parameter):
        raise ConfigError(f"setting '{text}' is not of the form node.parameter=value")
    try:
        value = read_value(raw) if raw else ""
    except ValueError as error:
        raise ConfigError(f"setting '{text[:60]}': cannot be read as a value ({error})") from None
    if not isinstance(value, bool | int | float | str | list):
        raise ConfigError(f"setting '{text}': a number, a word, true/false or a list is expected")
    return node, parameter, value


def parse_settings(texts: Sequence[str]) -> dict[str, dict[str, Value]]:
    """Several settings, by node."""
    settings: dict[str, dict[str, Value]] = {}
    for text in texts:
        node, parameter, value = parse_setting(text)
        settings.setdefault(node, {})[parameter] = value
    return settings


def merged(*settings: Mapping[str, Mapping[str, Value]]) -> dict[str, dict[str, Value]]:
    """Settings of several sources; later ones count more."""
    found: dict[str, dict[str, Value]] = {}
    for one in settings:
        for node, values in one.items():
            found.setdefault(node, {}).update(values)
    return found


def _require(name: str, known: Mapping[str, Any], kind: str) -> None:
    if name not in known:
        raise ConfigError(f"unknown {kind} '{name}'{nearest_and_known(name, list(known))}")


def _yaml_word(value: Value) -> str:
    """A value as ROS reads it on the command line: YAML in one line."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10**9).strip()
    return text.removesuffix("...").strip()
