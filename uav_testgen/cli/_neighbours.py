"""Options of `generate` for a generator that searches the neighbourhood of a test (Surrealist)."""

from __future__ import annotations

import argparse
from typing import Any

_FIELDS = {"--fitness": "fitness"}


def add_neighbour_options(parser: argparse.ArgumentParser) -> None:
    """--fitness."""
    parser.add_argument(
        "--fitness",
        metavar="FILE.py:FUNCTION",
        help="generator surrealist: what is maximised, from the flights of a test to a number, higher is better",
    )


def neighbour_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Settings of the generator that were asked for; ConfigError if it has no such settings."""
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.generator.registry import GENERATORS

    given = {option: getattr(arguments, field) for option, field in _FIELDS.items()}
    given = {option: value for option, value in given.items() if value is not None}
    if not given:
        return {}
    known = GENERATORS.load(arguments.generator).config_type.model_fields
    for option in given:
        if _FIELDS[option] not in known:
            raise ConfigError(
                f"{option}: generator '{arguments.generator}' has no setting '{_FIELDS[option]}'; "
                "use --generator surrealist"
            )
    return {_FIELDS[option]: value for option, value in given.items()}


def neighbour_words(arguments: argparse.Namespace) -> list[str]:
    """The same options for the command that resumes."""
    words: list[str] = []
    for option, field in _FIELDS.items():
        value = getattr(arguments, field)
        words += [] if value is None else [option, str(value)]
    return words
