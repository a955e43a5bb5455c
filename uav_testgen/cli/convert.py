"""`uav-testgen convert IN OUT`: a scenario from one format to another, with a sentence for what is lost."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._forms import add_form_option
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.plain_text import one_line, printable

if TYPE_CHECKING:
    from uav_testgen.scenario.model import Mission

_FORMATS = ("own", "aerialist", "aerialist-old", "plan", "world", "instance")


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "convert",
        help="write a scenario in another format: own YAML, Aerialist, .plan, Gazebo world",
        description="Read a scenario (own YAML/JSON, Aerialist test, .plan, logical scenario, Gazebo .world or .sdf) "
        "and write it in another format. What the target format cannot hold is named; what would make another test "
        "of it is refused.",
    )
    parser.add_argument("source", metavar="IN", help="file, or the name of a shipped scene")
    parser.add_argument(
        "target", type=Path, metavar="OUT", help="file: .yaml, .json, .plan, .world or .sdf say the format"
    )
    parser.add_argument(
        "--to",
        choices=_FORMATS,
        help="own (default of .yaml), aerialist (keys robot, mission), aerialist-old (keys drone, test), plan, "
        "world, instance (of a logical scenario)",
    )
    parser.add_argument("--mission", metavar="NAME|FILE", help="mission of a Gazebo world, which holds none")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="which instance of a logical scenario (default 0)"
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    add_form_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, write, say what was lost."""
    from uav_testgen.scenario.formats.convert import SUFFIXES, convert
    from uav_testgen.scenario.formats.gazebo_check import check_world

    found = convert(
        arguments.source,
        arguments.target,
        arguments.to,
        mission=_mission(arguments.mission),
        seed=arguments.seed,
        replace=arguments.force,
    )
    checked = check_world(arguments.target) if arguments.target.suffix in SUFFIXES["world"] else None
    if arguments.json:
        print_json(
            {
                "scenario_id": found.scenario.id,
                "format": found.format,
                "files": [str(path) for path in found.files],
                "left_out": list(found.left_out),
                "cannot_hold": list(found.cannot_hold),
                "checked": checked,
            }
        )
        return 0
    for path in found.files:
        print(printable(f"written: {path}"))
    for what in found.left_out:
        print(one_line(f"not read: {what}"))
    for what in found.cannot_hold:
        print(one_line(f"{found.format} cannot hold: {what}"))
    if checked is not None:
        print(one_line(f"check: {checked}"))
    return 0


def _mission(given: str | None) -> Mission | None:
    from uav_testgen.scenario.formats.missions import load_mission, mission_names, named_mission

    if given is None:
        return None
    return named_mission(given) if given in mission_names() else load_mission(Path(given))
