"""Missions by name or file: the seven of the competition ship with the package."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.core.config import load_config
from uav_testgen.core.errors import InputFileError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.plan_file import SITL_HOME, GeoPoint, load_plan
from uav_testgen.scenario.model import Mission

MISSION_SUFFIXES = (".plan", ".yaml", ".yml", ".json")


def mission_names() -> list[str]:
    """Names of the missions that ship with the package."""
    return sorted(path.stem for path in config_folder("missions").glob("*.yaml"))


def arena_names() -> list[str]:
    """Names of the rule sets that ship with the package."""
    return sorted(path.stem for path in config_folder("arena").glob("*.yaml"))


def named_mission(name: str) -> Mission:
    """A shipped mission; InputFileError lists the names."""
    if name not in mission_names():
        raise InputFileError(f"unknown mission '{name[:80]}'{nearest_and_known(name[:80], mission_names())}")
    return load_config(Mission, config_folder("missions") / f"{name}.yaml")


def named_arena(name: str) -> Arena:
    """A shipped rule set; InputFileError lists the names."""
    if name not in arena_names():
        raise InputFileError(f"unknown arena '{name[:80]}'{nearest_and_known(name[:80], arena_names())}")
    return load_config(Arena, config_folder("arena") / f"{name}.yaml")


def load_mission(path: Path, home: GeoPoint = SITL_HOME) -> Mission:
    """A mission file: QGroundControl `.plan`, or uav_testgen YAML or JSON."""
    if path.suffix not in MISSION_SUFFIXES:
        raise InputFileError(f"{path}: a mission is a {', '.join(MISSION_SUFFIXES)} file")
    if path.suffix == ".plan":
        return load_plan(path, home)
    mission = load_config(Mission, path)
    return mission if mission.name else mission.model_copy(update={"name": path.stem[:200]})
