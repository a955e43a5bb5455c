"""Settings of a backend from a file of the user's."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_backend_settings_option(parser: argparse.ArgumentParser) -> None:
    """--backend-settings."""
    parser.add_argument(
        "--backend-settings",
        type=Path,
        metavar="FILE",
        help="YAML file with settings of the backend that flies",
    )


def backend_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the file says; empty without one."""
    return told(arguments.backend, read_settings(arguments.backend_settings))


def told(backend: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Whoever waits for a live autopilot reads what it does."""
    return {"tell": True, **settings} if backend == "px4" else settings


def read_settings(path: Path | None) -> dict[str, Any]:
    """A mapping of settings in a file; ConfigError where it is none."""
    from uav_testgen.core.config import read_yaml
    from uav_testgen.core.errors import ConfigError

    settings = read_yaml(path) if path is not None else {}
    if settings is None:
        return {}
    if not isinstance(settings, dict):
        raise ConfigError(f"{path}: a mapping of settings is expected")
    return settings


def settings_words(arguments: argparse.Namespace) -> list[str]:
    """The same option for the command that resumes."""
    given = arguments.backend_settings
    return ["--backend-settings", str(given)] if given is not None else []
