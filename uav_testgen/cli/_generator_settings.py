"""Settings of a generator on the command line: `--setting KEY=VALUE` and `--generator-settings FILE`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_FORM = "KEY=VALUE is expected, e.g. --setting population=20"


def add_setting_option(parser: argparse.ArgumentParser, of: str = "of the generator") -> None:
    """--setting."""
    parser.add_argument(
        "--setting",
        dest="generator_setting",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help=f"a setting {of}, see docs/reference/parameters.md; overrides the file; may be repeated",
    )


def add_settings_file_option(parser: argparse.ArgumentParser) -> None:
    """--generator-settings."""
    parser.add_argument(
        "--generator-settings", type=Path, metavar="FILE", help="YAML file with settings of the generator"
    )


def settings_given(arguments: argparse.Namespace) -> dict[str, Any]:
    """What file and options say; the options win."""
    from uav_testgen.core.config import read_yaml
    from uav_testgen.core.errors import ConfigError

    path: Path | None = getattr(arguments, "generator_settings", None)
    from_file = (read_yaml(path) or {}) if path is not None else {}
    if not isinstance(from_file, dict):
        raise ConfigError(f"{path}: a mapping of settings is expected, got {type(from_file).__name__}")
    return merged(from_file, parse_settings(arguments.generator_setting))


def parse_settings(texts: Sequence[str]) -> dict[str, Any]:
    """Values are read as YAML; a dot in a key leads into a setting that has settings of its own."""
    from uav_testgen.core.config import read_value
    from uav_testgen.core.errors import ConfigError

    found: dict[str, Any] = {}
    for text in texts:
        key, equals, raw = text.partition("=")
        parts = key.strip().split(".")
        if not equals or not all(parts):
            raise ConfigError(f"--setting '{text[:60]}': {_FORM}")
        try:
            value = read_value(raw)
        except ValueError as error:
            raise ConfigError(
                f"--setting '{text[:60]}': the value cannot be read as YAML ({error})"
            ) from None
        place = found
        for part in parts[:-1]:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise ConfigError(f"--setting {key}: '{part}' is given a value of its own, too")
        if parts[-1] in place:
            raise ConfigError(f"--setting {key}: given twice; give it once")
        place[parts[-1]] = value
    return found


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of `above` replace those of `below`, mappings inside them key by key."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        result[key] = merged(old, value) if both else value  # type: ignore[arg-type]
    return result


def setting_words(arguments: argparse.Namespace) -> list[str]:
    """The same options again, for the command that resumes."""
    words = [word for text in arguments.generator_setting for word in ("--setting", text)]
    path = getattr(arguments, "generator_settings", None)
    return words if path is None else ["--generator-settings", str(path), *words]
