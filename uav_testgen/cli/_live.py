"""What `fly` and `confirm` ask and tell about a live PX4."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from uav_testgen.core.plain_text import one_line

if TYPE_CHECKING:
    from uav_testgen.flight.model import Flight


def add_live_options(parser: argparse.ArgumentParser) -> None:
    """--start, --sut."""
    parser.add_argument(
        "--start",
        action="append",
        metavar="COMMAND",
        help="with --backend px4: program to start before and to stop after the flights; may be repeated. With "
        "--planner ros: the planner, started for each flight",
    )
    parser.add_argument(
        "--profile",
        metavar="NAME|FILE",
        help="with --backend graph --planner ros: topics, types, frames and time of your planner",
    )
    parser.add_argument(
        "--sut",
        choices=("planner", "external"),
        default="planner",
        help="with --backend px4: the system under test, our planner or a node of yours; external: the last --start is "
        "that node, started for each flight when PX4 is ready",
    )


def live_settings(arguments: argparse.Namespace, backend: str) -> dict[str, Any]:
    """Settings of the px4 backend that follow from the options; none for another backend."""
    from uav_testgen.core.errors import ConfigError

    if backend == "graph" and (arguments.profile or getattr(arguments, "planner", None) == "ros"):
        return _planner_settings(arguments)
    for option, asked, goes in (
        ("--profile", arguments.profile, "--backend graph --planner ros"),
        ("--start", arguments.start, "--backend px4, or --backend graph --planner ros"),
        ("--sut external", arguments.sut == "external", "--backend px4"),
    ):
        if asked and (backend != "px4" or option == "--profile"):
            raise ConfigError(f"{option} goes with {goes}, not with '{backend}'")
    if backend != "px4":
        return {}
    found: dict[str, Any] = {"tell": True}
    if arguments.sut == "external":
        found["sut"] = "external"
    if arguments.start and arguments.sut == "external":
        *found["start_commands"], found["sut_command"] = arguments.start
    elif arguments.start:
        found["start_commands"] = arguments.start
    return found


def _planner_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Settings of the graph backend for a planner behind a profile."""
    from uav_testgen.core.errors import ConfigError

    planner = getattr(arguments, "planner", None)
    if planner not in (None, "ros"):
        raise ConfigError(f"--profile goes with --planner ros, not with '{planner}'")
    if not arguments.profile:
        raise ConfigError(
            "--planner ros needs --profile NAME|FILE; uav-testgen list profiles shows the shipped ones"
        )
    if len(arguments.start or ()) > 1:
        raise ConfigError(
            "--planner ros takes one --start: a command that starts everything, e.g. ros2 launch"
        )
    start = {"start_planner": arguments.start[0]} if arguments.start else {}
    return {"planner": "ros", "profile": arguments.profile, **start}


def tell_left_armed(flights: Sequence[Flight]) -> None:
    """On stderr, whatever else is told: somebody has to look after the vehicle."""
    for flight in flights:
        if flight.details.get("left_armed"):
            line = f"uav-testgen: {flight.details['left_armed']}; look after the vehicle"
            print(one_line(line), file=sys.stderr)
