"""`uav-testgen replay FILE.mcap`: play a recorded flight to topics."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json

_PLAYER = "uav_testgen.ros.player"


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "replay",
        help="play a recorded flight (MCAP) to topics",
        description="Publish the messages of a recording at the pace of the recorded clock, for rviz2 or "
        "Foxglove. Latched topics (scenario, verdict) stay available until the end.",
    )
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="recording (MCAP) made by recorder_node or `ros2 bag`, or the folder of a bag",
    )
    parser.add_argument(
        "--rate",
        type=float,
        default=1.0,
        metavar="X",
        help="speed, in times real time; 0: as fast as possible",
    )
    parser.add_argument("--namespace", default="", metavar="NAME", help="play below this namespace")
    parser.add_argument("--domain", type=int, metavar="N", help="ROS domain (default: ROS_DOMAIN_ID)")
    parser.add_argument(
        "--wait",
        type=float,
        default=0.0,
        metavar="S",
        help="seconds to keep latched topics available after the end",
    )
    parser.add_argument(
        "--wait-for",
        action="append",
        default=[],
        metavar="TOPIC",
        help="begin only when this recorded topic has a reader; may be repeated",
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play and say what was played."""
    import importlib

    from uav_testgen.core.errors import ConfigError, InputFileError, MissingDependency
    from uav_testgen.core.extras import way_to_get

    if not arguments.rate >= 0.0:
        raise ConfigError(f"--rate must be 0 or more, got {arguments.rate}")
    if not arguments.file.exists():
        raise InputFileError(f"{arguments.file}: no such file or bag")
    try:
        # By name, as the backends: the command line does not import the ROS room.
        play = importlib.import_module(_PLAYER).play
    except ImportError as error:
        raise MissingDependency(f"replay needs ROS 2 ({error}); {way_to_get(error.name)}") from error
    counts = play(
        arguments.file,
        arguments.rate,
        arguments.namespace,
        arguments.domain,
        arguments.wait,
        arguments.wait_for,
    )
    if arguments.json:
        print_json({"file": str(arguments.file), "messages": counts})
    else:
        for topic, count in sorted(counts.items()):
            print(f"{count:6d}  {topic}")
    return 0
