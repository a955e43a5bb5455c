"""Which records of a folder count: options that `fidelity` and `calibrate` share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uav_testgen.fidelity.compare import RecordChoice


def add_record_options(parser: argparse.ArgumentParser) -> None:
    """The folder and what is made of its records."""
    parser.add_argument("folder", metavar="DIR", help="folder with the records")
    parser.add_argument(
        "--without", action="append", default=[], metavar="PATTERN",
        help="leave out records whose id matches, such as those with a disputed label; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--as-mission", action="append", default=[], metavar="PATTERN=MISSION",
        help="fly records whose id matches on another mission than their label says; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--measure-of", action="append", default=[], metavar="PATTERN=MEASURE",
        help="how the distance of records whose id matches was measured, where they do not say so: aerialist (half the "
        "vehicle's width subtracted) or aerialist_centre; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--keep-impossible", action="store_true",
        help="keep records whose path leads through the solid part of an obstacle",
    )  # fmt: skip


def add_plans_option(parser: argparse.ArgumentParser) -> None:
    """Where the missions of logs are."""
    parser.add_argument(
        "--plans", type=Path, metavar="DIR",
        help="where the .plan files are that the scenes of logs name (default: beside the scene, or the shipped "
        "mission of that name)",
    )  # fmt: skip


def chosen_records(arguments: argparse.Namespace) -> RecordChoice:
    """What the options ask for."""
    from uav_testgen.fidelity.compare import RecordChoice

    return RecordChoice(
        folder=Path(arguments.folder),
        without=tuple(arguments.without),
        as_mission=tuple(arguments.as_mission),
        measure_of=tuple(arguments.measure_of),
        keep_impossible=arguments.keep_impossible,
        plans=arguments.plans,
    )
