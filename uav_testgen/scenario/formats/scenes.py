"""Scenes by file or by the name of a shipped one."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.core.errors import InputFileError
from uav_testgen.core.registry import nearest
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario


def scene_names() -> list[str]:
    """Shipped scenes."""
    return sorted(path.stem for path in config_folder("scenarios").glob("*.yaml"))


def find_scene(given: str) -> Path:
    """The file of a scene; InputFileError names the nearest shipped one."""
    path = Path(given)
    if path.exists() or path.suffix:
        return path
    if given in scene_names():
        return config_folder("scenarios") / f"{given}.yaml"
    raise InputFileError(f"{given}: no such file, and not a shipped scene{nearest(given, scene_names())}")


def load_scene(given: str) -> Scenario:
    """A scenario from a file or by the name of a shipped scene."""
    return load_scenario(find_scene(given))
