"""The scenarios that ship with the package, by name."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.fleet.scenario import load_fleet_scenario


def shipped_names() -> list[str]:
    """Names of the shipped scenarios, sorted."""
    return sorted(path.stem for path in config_folder("fleet").glob("*.json"))


def shipped_descriptions() -> dict[str, str]:
    """Name to the sentence that says what the scenario shows."""
    return {name: load_fleet_scenario(find_scenario(name)).description for name in shipped_names()}


def find_scenario(given: str) -> Path:
    """The file behind a path or a name; a bare word is a name unless a file is called so."""
    path = Path(given)
    if path.suffix or path.name != given or path.exists():
        return path
    if given not in shipped_names():
        raise ConfigError(f"fleet scenario '{given}': no file and no shipped scenario of this name"
                          f"{nearest_and_known(given, shipped_names())}")  # fmt: skip
    return config_folder("fleet") / f"{given}.json"
