"""`uav-testgen competition init DIR`: a ready entry for the UAV testing competition."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.exit_codes import ExitCode


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "competition",
        help="write a ready entry for the UAV testing competition",
        description="Write an entry for the UAV testing competition (SBFT, ICST) into DIR: 'python3 cli.py generate "
        "CASE BUDGET', a generator that predicts before it simulates, a Dockerfile on the organisers' image, "
        "and the public case studies in still air and in wind.",
    )
    parser.add_argument("action", choices=("init",), help="init: write the files")
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder")
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the kit."""
    from uav_testgen.standin.competition import write_kit

    written = write_kit(arguments.folder)
    if arguments.json:
        print_json({"folder": str(arguments.folder), "files": [str(path) for path in written]})
        return ExitCode.DONE
    print(f"{len(written)} files written to {arguments.folder}; try it without PX4 and Gazebo:")
    print(
        f"  cd {arguments.folder} && uav-testgen as-aerialist -- python3 cli.py generate case_studies/mission2.yaml 5"
    )
    return ExitCode.DONE
