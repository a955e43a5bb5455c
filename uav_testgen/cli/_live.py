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
        help="with --backend px4: program to start before and to stop after the flights; may be repeated",
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

    for option, asked in (("--start", arguments.start), ("--sut external", arguments.sut == "external")):
        if asked and backend != "px4":
            raise ConfigError(f"{option} goes with --backend px4, not with '{backend}'")
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


def tell_left_armed(flights: Sequence[Flight]) -> None:
    """On stderr, whatever else is told: somebody has to look after the vehicle."""
    for flight in flights:
        if flight.details.get("left_armed"):
            line = f"uav-testgen: {flight.details['left_armed']}; look after the vehicle"
            print(one_line(line), file=sys.stderr)
