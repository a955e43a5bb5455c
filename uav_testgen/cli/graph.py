"""`uav-testgen graph`: start the node graph of config/graph.yaml, from pip alone."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._output import add_json_option, complain, print_json
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.exit_codes import ExitCode

if TYPE_CHECKING:
    from uav_testgen.graph.description import GraphPlan
    from uav_testgen.graph.processes import GraphProcesses

_LOOK_EVERY_S = 0.2


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "graph",
        help="start the ROS 2 node graph",
        description="Start the nodes of config/graph.yaml as processes, or all in one, and keep them running "
        "until Ctrl-C. The same graph is started by `ros2 launch uav_testgen lfs.launch.py`.",
    )
    parser.add_argument(
        "--variant", default="lfs", metavar="NAME", help="lfs: simulated vehicle, px4: live PX4"
    )
    parser.add_argument("--composed", action="store_true", help="all nodes in one process")
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NODE",
        help="do not start this node (you provide a replacement); may be repeated",
    )
    parser.add_argument(
        "--with",
        dest="with_nodes",
        action="append",
        default=[],
        metavar="NODE",
        help="start this optional node too; may be repeated",
    )
    parser.add_argument(
        "--setting",
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="NODE.PARAM=VALUE",
        help="parameter of a node, e.g. planner_node.planner.max_sensor_range_m=12.0; may be repeated",
    )
    parser.add_argument(
        "--params",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="parameters in a YAML file as ROS knows them; --setting overrides it; may be repeated",
    )
    for name, text, metavar in (
        ("system", f"system under test: a preset or a YAML file (default: {DEFAULT_SYSTEM})", "NAME|FILE"),
        (
            "vehicle",
            "replace the vehicle: a model, that of another system, or file.py:Class (default: the system's)",
            "NAME",
        ),
        ("planner", "replace the planner: a name or file.py:Class (default: the system's)", "NAME"),
        ("camera", "replace the cameras: a preset or a YAML file (default: the system's)", "NAME|FILE"),
    ):
        parser.add_argument(f"--{name}", default="", metavar=metavar, help=text)
    parser.add_argument(
        "--profile", default="", metavar="NAME|FILE", help="planner ros: the profile of your planner"
    )
    parser.add_argument(
        "--start", default="", metavar="COMMAND", help="planner ros: starts your planner for each flight"
    )
    parser.add_argument("--namespace", default="", metavar="NAME", help="namespace of all nodes and topics")
    parser.add_argument("--domain", type=int, metavar="N", help="ROS domain (default: ROS_DOMAIN_ID)")
    parser.add_argument(
        "--file", type=Path, metavar="FILE", help="description of the graph (default: config/graph.yaml)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be started, start nothing")
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Start, wait, stop."""
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.core.extras import require_ros
    from uav_testgen.graph.description import SystemWish, load_graph, merged, parse_settings, resolve
    from uav_testgen.graph.foreign_planner import resolved_with
    from uav_testgen.graph.parameter_files import read_parameter_file

    if arguments.domain is not None and not 0 <= arguments.domain <= 232:
        raise ConfigError(f"--domain must be between 0 and 232, got {arguments.domain}")
    wish = SystemWish(arguments.system, arguments.vehicle, arguments.planner, arguments.camera)
    options = resolved_with(
        arguments.profile,
        arguments.start,
        variant=arguments.variant,
        without=arguments.without,
        with_nodes=arguments.with_nodes,
        settings=merged(*map(read_parameter_file, arguments.params), parse_settings(arguments.settings)),
        namespace=arguments.namespace,
        system=wish,
    )
    plan = resolve(load_graph(arguments.file), **options)
    if arguments.dry_run:
        _rehearse(plan)
    if arguments.json:
        print_json(describe(plan))
    elif arguments.dry_run:
        for node in plan.nodes:
            print(node.name, *node.ros_arguments())
    if arguments.dry_run:
        return 0
    require_ros("the node graph")
    return _keep_running(plan, arguments)


def _rehearse(plan: GraphPlan) -> None:
    """Wrong parameters are found without starting a node; without ROS nobody knows what the nodes declare."""
    import importlib

    try:
        room = importlib.import_module("uav_testgen.ros.rehearsal")
    except ImportError:
        complain("ROS 2 is not installed here: names and values of parameters were not checked")
        return
    room.rehearse(plan)


def describe(plan: GraphPlan) -> dict[str, Any]:
    """The graph as plain data."""
    return {
        "variant": plan.variant,
        "namespace": plan.namespace,
        "transport": plan.transport,
        "nodes": [
            {
                "name": node.name,
                "namespace": node.namespace,
                "parameters": dict(node.parameters),
                "remappings": [list(pair) for pair in node.remappings],
            }
            for node in plan.nodes
        ],
    }


def _keep_running(plan: GraphPlan, arguments: argparse.Namespace) -> int:
    import signal

    from uav_testgen.graph.processes import GraphProcesses

    def interrupt(_number: int, _frame: Any) -> None:
        raise KeyboardInterrupt

    former = signal.signal(signal.SIGTERM, interrupt)
    try:
        with GraphProcesses(plan, composed=arguments.composed, domain=arguments.domain) as processes:
            if not arguments.json:
                kind = "one process" if arguments.composed else f"{len(plan.nodes)} processes"
                print(f"graph '{plan.variant}' in {kind}; stop it with Ctrl-C", flush=True)
            return _watch(processes)
    except KeyboardInterrupt:
        return 0
    finally:
        signal.signal(signal.SIGTERM, former)


def _watch(processes: GraphProcesses) -> int:
    """Until one process ends by itself: then the graph is over; wrong input stays wrong input."""
    while not (dead := processes.dead()):
        time.sleep(_LOOK_EVERY_S)
    name, code = next(iter(dead.items()))
    if code != 0:
        complain(f"{name} ended with code {code}; the graph is stopped")
    return code if code in (ExitCode.DONE, ExitCode.INVALID_INPUT) else ExitCode.UNFINISHED
