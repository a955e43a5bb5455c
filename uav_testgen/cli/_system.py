"""Options that choose the system under test, the same for every command that flies."""

from __future__ import annotations

import argparse
from typing import Any

from uav_testgen.core.defaults import DEFAULT_SYSTEM

_FIELDS = ("system", "vehicle", "planner", "camera")


def add_system_options(parser: argparse.ArgumentParser, default: str = DEFAULT_SYSTEM) -> None:
    """--system, and one option for each part that may be replaced."""
    group = parser.add_argument_group("system under test")
    group.add_argument(
        "--system",
        metavar="NAME|FILE",
        help=f"vehicle, cameras, planner and scatter as one preset (default: {default})",
    )
    group.add_argument(
        "--vehicle",
        metavar="NAME",
        help="replace the vehicle: paper, px4, that of another system, or file.py:Class (default: the system's)",
    )
    group.add_argument(
        "--planner",
        metavar="NAME",
        help="replace the planner: vfh3d, straight, potential_field or file.py:Class (default: the system's)",
    )
    group.add_argument("--camera", metavar="NAME|FILE", help="replace the cameras (default: the system's)")


def system_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was asked for, as settings of a simulating backend."""
    chosen = {name: getattr(arguments, name, None) for name in _FIELDS}
    return {name: value for name, value in chosen.items() if value is not None}


def system_words(arguments: argparse.Namespace) -> list[str]:
    """The options again, for a command that repeats this one."""
    return [word for name, value in system_settings(arguments).items() for word in (f"--{name}", str(value))]


def chosen_system(arguments: argparse.Namespace) -> Any:
    """The assembled system; ConfigError for an unknown part."""
    from uav_testgen.loop.system import assemble

    return assemble(**{name: getattr(arguments, name, None) for name in _FIELDS})
