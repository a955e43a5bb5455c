"""`generate --evaluate-with`: predict much, fly what is worth it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from uav_testgen.cli._backend_settings import read_settings, told

if TYPE_CHECKING:
    from uav_testgen.campaign.generate import Flying


def add_flying_options(parser: argparse.ArgumentParser) -> None:
    """--evaluate-with, --evaluation-settings, --predictions."""
    from uav_testgen.cli._campaign import whole_number

    parser.add_argument(
        "--evaluate-with",
        metavar="NAME",
        help="fly the most promising and diverse predictions with this backend (px4, aerialist, folder, command), "
        "learn from every flight, and write the tests that failed there",
    )
    parser.add_argument(
        "--evaluation-settings", type=Path, metavar="FILE", help="YAML file with settings of that backend"
    )
    parser.add_argument(
        "--predictions",
        type=lambda text: whole_number(text, 1, "--predictions"),
        metavar="N",
        help="with --evaluate-with: scenarios predicted (default: 10 for each flight)",
    )


def flying_of(arguments: argparse.Namespace) -> Flying | None:
    """Who flies; None where nothing but the search was asked for."""
    from uav_testgen.campaign.generate import Flying
    from uav_testgen.core.errors import ConfigError

    if arguments.evaluate_with is None:
        for option in ("evaluation_settings", "predictions"):
            if getattr(arguments, option) is not None:
                raise ConfigError(f"--{option.replace('_', '-')} goes with --evaluate-with NAME")
        return None
    flies = arguments.evaluate_with
    return Flying(flies, told(flies, read_settings(arguments.evaluation_settings)), arguments.predictions)


def flying_words(arguments: argparse.Namespace) -> list[str]:
    """The same options for the command that resumes."""
    words: list[str] = []
    for option in ("evaluate_with", "evaluation_settings", "predictions"):
        value = getattr(arguments, option)
        words += [] if value is None else [f"--{option.replace('_', '-')}", str(value)]
    return words
