"""Options of `generate` for a generator that searches the neighbourhood of a test (Surrealist)."""

from __future__ import annotations

import argparse
from typing import Any

_FIELDS = {"--fitness": "fitness", "--mutators": "mutators", "--min-dist": "stop_at_m"}
MUTATORS_HELP = "move, resize, rotate, z, waypoints, commands, parameters, speed, wind, file.py:Class"


def add_neighbour_options(parser: argparse.ArgumentParser) -> None:
    """--fitness, --mutators, --min-dist."""
    parser.add_argument(
        "--fitness",
        metavar="FILE.py:FUNCTION",
        help="generator surrealist: what is maximised, from the flights of a test to a number, higher is better",
    )
    parser.add_argument(
        "--mutators",
        metavar="LIST",
        help=f"generator surrealist: what may change, comma-separated: {MUTATORS_HELP}",
    )
    add_stop_option(parser, "generator surrealist: ")


def add_stop_option(parser: argparse.ArgumentParser, whose: str = "") -> None:
    """--min-dist."""
    parser.add_argument(
        "--min-dist",
        dest="stop_at_m",
        type=_distance_m,
        metavar="M",
        help=f"{whose}stop when a run comes this close to an obstacle (default: search on)",
    )


def _distance_m(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1000.0:
        raise argparse.ArgumentTypeError(f"--min-dist must be a distance from 0 to 1000 m, got '{text[:40]}'")
    return value


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
    settings = {_FIELDS[option]: value for option, value in given.items()}
    if "mutators" in settings:
        settings["mutators"] = list(mutator_names(settings["mutators"]))
    return settings


def neighbour_words(arguments: argparse.Namespace) -> list[str]:
    """The same options for the command that resumes."""
    words: list[str] = []
    for option, field in _FIELDS.items():
        value = getattr(arguments, field)
        words += [] if value is None else [option, str(value)]
    return words


def mutator_names(text: str) -> tuple[str, ...]:
    """The names in a comma-separated list; ConfigError names the unknown one and its nearest."""
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.core.plugin import is_plugin
    from uav_testgen.core.registry import nearest_and_known
    from uav_testgen.generator.surrealist.mutators import MUTATOR_NAMES

    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in MUTATOR_NAMES and not is_plugin(name):
            ending = nearest_and_known(name[:40], [*MUTATOR_NAMES, "file.py:Class"])
            raise ConfigError(f"--mutators: unknown '{name[:40]}'{ending}")
    if not names or len(set(names)) != len(names):
        raise ConfigError("--mutators: name at least one, each once")
    return tuple(names)
