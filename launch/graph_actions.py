"""Turns config/graph.yaml into launch_ros actions; used by every launch file of this folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from launch import LaunchDescription
from uav_testgen.core.resources import config_folder
from uav_testgen.graph.description import (
    PACKAGE,
    GraphPlan,
    SystemWish,
    load_graph,
    merged,
    parse_settings,
    resolve,
)
from uav_testgen.graph.environment import settings_over
from uav_testgen.graph.foreign_planner import resolved_with
from uav_testgen.graph.parameter_files import read_parameter_file
from uav_testgen.graph.processes import composed_plan

ARGUMENTS = {
    "system": ("", "System under test: a preset or a YAML file"),
    "vehicle": ("", "Another vehicle: a model, a system's, or file.py:Class"),
    "planner": ("", "Another planner: a name or file.py:Class"),
    "camera": ("", "Another camera: a preset or a YAML file"),
    "profile": ("", "Planner 'ros': the profile of your planner, a shipped name or a YAML file"),
    "start": ("", "Planner 'ros': command that starts your planner for each flight"),
    "namespace": ("", "Namespace of all nodes and topics"),
    "without": ("", "Nodes to leave out, separated by spaces: bring your own"),
    "with_nodes": ("", "Optional nodes to add, separated by spaces"),
    "params": ("", "Parameter files (YAML as ROS knows them), separated by spaces"),
    "set": ("", "Parameters, separated by spaces: node.param=value; they count more than files"),
    "record": ("", "Record everything: FILE.mcap, or the folder of a bag to be made"),
    "composed": ("false", "All nodes in one process, which is quicker; false: one process for each"),
    "graph_file": ("", "Another description than config/graph.yaml"),
    "rviz": ("false", "Start rviz2 with our view"),
}


def graph_launch(variant: str, *, extra: dict[str, tuple[str, str, str]] | None = None) -> LaunchDescription:
    """The launch description of one variant.

    `extra` maps further arguments to (default, description, node.parameter that gets the value).
    """
    further = extra or {}
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text) in ARGUMENTS.items()
    ] + [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text, _) in further.items()
    ]
    targets = {name: target for name, (_, _, target) in further.items()}
    nodes = OpaqueFunction(function=_node_actions, kwargs={"variant": variant, "targets": targets})
    return LaunchDescription([*declared, nodes])


def _node_actions(context: Any, *, variant: str, targets: dict[str, str]) -> list[Any]:
    def value(name: str) -> str:
        return str(LaunchConfiguration(name).perform(context))

    settings = value("set").split()
    settings += [f"{target}={value(name)}" for name, target in targets.items() if value(name)]
    with_nodes = value("with_nodes").split()
    if value("record"):
        with_nodes.append("recorder_node")
        settings.append(f"recorder_node.file={value('record')}")
    options = resolved_with(
        value("profile"),
        value("start"),
        variant=variant,
        without=value("without").split(),
        with_nodes=with_nodes,
        settings=merged(
            *map(read_parameter_file, map(Path, value("params").split())), parse_settings(settings)
        ),
        namespace=value("namespace"),
        system=SystemWish(*(value(name) for name in ("system", "vehicle", "planner", "camera"))),
    )
    plan = resolve(load_graph(Path(value("graph_file")) if value("graph_file") else None), **options)
    # For our nodes alone: a launch file that includes this one keeps its own transport and discovery.
    environment = settings_over(os.environ, plan.transport)
    composed = IfCondition(LaunchConfiguration("composed")).evaluate(context)
    nodes = [_in_one_process(plan, environment)] if composed else _in_processes(plan, environment)
    return [*nodes, rviz_node(plan.namespace, environment)]


def _in_processes(plan: GraphPlan, environment: dict[str, str]) -> list[Node]:
    return [
        Node(
            package=PACKAGE,
            executable=node.name,
            name=node.name,
            namespace=node.namespace,
            parameters=[dict(node.parameters)],
            remappings=list(node.remappings),
            output="screen",
            additional_env=environment,
        )
        for node in plan.nodes
    ]


def _in_one_process(plan: GraphPlan, environment: dict[str, str]) -> Node:
    """rclpy knows no component containers: a program of ours holds the nodes."""
    return Node(
        package=PACKAGE,
        executable="composed_graph",
        arguments=[composed_plan(plan)],
        output="screen",
        additional_env=environment,
    )


def rviz_node(namespace: str = "", environment: dict[str, str] | None = None) -> Node:
    """rviz2 with our view, if asked for; it hears the nodes only with their settings and below their namespace."""
    view = config_folder().parent / "rviz" / "uav_testgen.rviz"
    return Node(
        package="rviz2",
        executable="rviz2",
        name="rviz2",
        namespace=namespace,
        # tf is named absolutely by its listener; in a namespace it lives below it.
        remappings=[("/tf", "tf"), ("/tf_static", "tf_static")],
        arguments=["-d", str(view)],
        output="log",
        additional_env=environment,
        condition=IfCondition(LaunchConfiguration("rviz")),
    )
