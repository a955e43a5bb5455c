"""Reads what a launch file would start, from the real `launch` where it is installed, else from our fake of it."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
FAKES = ROOT / "test" / "fakes" / "launch_api"


def real_is_installed() -> bool:
    """`launch_ros`, because the package index has another package called `launch`."""
    return importlib.util.find_spec("launch_ros") is not None


class Reader:
    """Runs launch files up to the point where programs would be started."""

    label = "fake-launch"
    paths: tuple[str, ...] = (str(FAKES),)

    def __init__(self) -> None:
        # Not before `launch` is in place, and `launch` itself is another package in another test.
        self.launch = importlib.import_module("launch")
        self._folder = str(ROOT / "launch")

    def actions(self, file: str, /, **arguments: str) -> list[Any]:
        """The actions of a launch file that take effect, in order, those that other actions make included."""
        description = runpy.run_path(str(ROOT / "launch" / file))["generate_launch_description"]()
        self.context = self.new_context()
        self.context.launch_configurations.update(arguments)
        return self.visit(description.entities)

    def new_context(self) -> Any:
        return self.launch.LaunchContext()

    def visit(self, entities: list[Any]) -> list[Any]:
        done = []
        for entity in entities:
            condition = getattr(entity, "condition", None)
            if condition is not None and not condition.evaluate(self.context):
                continue
            inner = self.take_effect(entity)
            done.append(entity)
            done += self.visit(inner or [])
        return done

    def take_effect(self, entity: Any) -> list[Any] | None:
        return entity.execute(self.context)  # type: ignore[no-any-return]

    def nodes(self, actions: list[Any], package: str) -> list[dict[str, Any]]:
        return [
            {
                "executable": action.executable,
                "name": action.name,
                "namespace": action.namespace,
                "parameters": action.parameters[0] if action.parameters else {},
                "remappings": [list(pair) for pair in action.remappings],
                "arguments": action.arguments or [],
            }
            for action in actions
            if type(action).__name__ == "Node" and action.package == package
        ]

    def processes(self, actions: list[Any]) -> list[Any]:
        return [action for action in actions if type(action).__name__ == "ExecuteProcess"]

    def command(self, process: Any) -> list[str]:
        if not hasattr(process, "command"):
            process.execute(self.context)
        return list(process.command)

    def on_exit(self, process: Any) -> Callable[[Any, Any], list[Any]]:
        return process.on_exit  # type: ignore[no-any-return]

    def environment(self, actions: list[Any]) -> dict[str, str]:
        """Variables that every node gets; those of the launching process stay as they are."""
        assert not [action for action in actions if type(action).__name__ == "SetEnvironmentVariable"]
        found = [action.additional_env for action in actions if type(action).__name__ == "Node"]
        assert all(one == found[0] for one in found)
        return dict(found[0])

    def arguments(self, actions: list[Any]) -> dict[str, str]:
        """Declared arguments and what --show-args says about them."""
        return {
            action.name: action.description
            for action in actions
            if type(action).__name__ == "DeclareLaunchArgument"
        }


class RealReader(Reader):
    """The same with the packages of a ROS installation; starting is the one thing that is left out."""

    label = "real-launch"
    paths = ()

    def new_context(self) -> Any:
        return self.launch.LaunchContext(noninteractive=True)

    def take_effect(self, entity: Any) -> list[Any] | None:
        if isinstance(entity, importlib.import_module("launch.actions").ExecuteProcess):
            return None
        return entity.visit(self.context)  # type: ignore[no-any-return]

    def text(self, value: Any) -> str:
        utilities = importlib.import_module("launch.utilities")
        parts = utilities.normalize_to_list_of_substitutions(value)
        return str(utilities.perform_substitutions(self.context, parts))

    def nodes(self, actions: list[Any], package: str) -> list[dict[str, Any]]:
        kind = importlib.import_module("launch_ros.actions").Node
        found = [action for action in actions if isinstance(action, kind)]
        return [self._node(node) for node in found if self.text(node.node_package) == package]

    def _node(self, node: Any) -> dict[str, Any]:
        node._perform_substitutions(self.context)  # what execute() does before it starts the program
        namespace = node.expanded_node_namespace
        namespace = "" if namespace.startswith("<") else namespace.strip("/")
        files = [path for path, is_file in node._Node__expanded_parameter_arguments or [] if is_file]
        parameters: dict[str, Any] = {}
        for path in files:
            for values in yaml.load(Path(path).read_text(encoding="utf-8"), ParameterFile).values():
                parameters.update(flat(values["ros__parameters"]))
        words = node._Node__arguments or []
        return {
            "executable": self.text(node.node_executable),
            "name": node.node_name.rpartition("/")[2],
            "namespace": namespace,
            "parameters": parameters,
            "remappings": [list(pair) for pair in node.expanded_remapping_rules or []],
            "arguments": [self.text(word) for word in words],
        }

    def processes(self, actions: list[Any]) -> list[Any]:
        kind = importlib.import_module("launch.actions").ExecuteProcess
        node = importlib.import_module("launch_ros.actions").Node
        return [a for a in actions if isinstance(a, kind) and not isinstance(a, node)]

    def command(self, process: Any) -> list[str]:
        return [self.text(word) for word in process.cmd]

    def on_exit(self, process: Any) -> Callable[[Any, Any], list[Any]]:
        return process._ExecuteLocal__on_exit  # type: ignore[no-any-return]

    def environment(self, actions: list[Any]) -> dict[str, str]:
        kind = importlib.import_module("launch.actions").SetEnvironmentVariable
        assert not [action for action in actions if isinstance(action, kind)]
        node = importlib.import_module("launch_ros.actions").Node
        found = [
            {self.text(name): self.text(value) for name, value in action.process_description.additional_env}
            for action in actions
            if isinstance(action, node)
        ]
        assert all(one == found[0] for one in found)
        return found[0]


class ParameterFile(yaml.SafeLoader):
    """launch_ros writes lists as Python's tuples; the parser of ROS takes no notice of such tags."""


ParameterFile.add_constructor(
    "tag:yaml.org,2002:python/tuple", lambda loader, node: loader.construct_sequence(node)
)


def flat(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Parameters by their dotted names."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found.update(flat(value, f"{prefix}{name}."))
        else:
            found[f"{prefix}{name}"] = value
    return found


READER = RealReader if real_is_installed() else Reader
OURS = ("launch", "launch_ros", "graph_actions", "campaign_actions")


def loaded() -> list[str]:
    """Modules that must not stay in place between tests."""
    return [name for name in sys.modules if name.partition(".")[0] in OURS]
