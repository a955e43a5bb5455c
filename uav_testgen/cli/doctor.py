"""`uav-testgen doctor`: what works here, what is missing for what, and what to do about it."""

from __future__ import annotations

import argparse
from itertools import groupby
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.plain_text import one_line

_SIGNS = {"ok": "ok", "missing": "--", "problem": "!!"}


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "doctor",
        help="show what is installed, compiled and reachable, and how to get the rest",
        description="Look at this installation: program, machine, compiled simulator, what each backend needs, "
        "optional parts. Nothing is changed. Exit code 0: scenes can be predicted here, whatever else is missing; "
        "3: they cannot.",
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Look, then tell."""
    from uav_testgen.cli._diagnosis import diagnose

    found = diagnose()
    if arguments.json:
        print_json(found.model_dump(mode="json"))
    else:
        for topic, findings in groupby(found.findings, key=lambda one: one.topic):
            print(topic)
            for one in findings:
                print(one_line(f"  {_SIGNS[one.status]}  {one.name:<16} {one.detail}"))
                if one.way_out:
                    print(one_line(f"      {'':<16} -> {one.way_out}"))
        print("scenes can be predicted here" if found.can_predict else "scenes cannot be predicted here")
    return ExitCode.DONE if found.can_predict else ExitCode.UNFINISHED
