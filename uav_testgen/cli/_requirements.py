"""--requirement: what must hold, the same for every command that judges flights."""

from __future__ import annotations

import argparse


def add_requirement_option(parser: argparse.ArgumentParser) -> None:
    """--requirement, which may be repeated."""
    parser.add_argument(
        "--requirement",
        "--require",
        action="append",
        default=[],
        metavar="NAME",
        help="what must hold, instead of the safe distance: a name with arguments such as max_altitude(limit_m=12), "
        "a formula such as 'always (distance > 1.5)', or file.py:Class; may be repeated "
        "(names: uav-testgen list requirements)",
    )


def requirement_words(arguments: argparse.Namespace) -> list[str]:
    """The option again, for a command that repeats this one."""
    return [word for text in arguments.requirement for word in ("--requirement", text)]


def checked_requirements(arguments: argparse.Namespace) -> tuple[str, ...]:
    """What was asked for; ConfigError for an unknown one, before anything is flown."""
    from uav_testgen.oracle.requirement import make_requirements

    make_requirements(arguments.requirement)
    return tuple(arguments.requirement)
