"""Scenario files of every kind through one door: `load_scenario(path)`.

Our own YAML or JSON has the fields of `Scenario`. `mission` may be written out, name a shipped mission
(`mission2`) or a file (`.plan`, `.yaml`, `.json`); `arena` may be written out or name a shipped rule
set; an obstacle may name a form (`form: gate`, `parameters: {...}`) in place of its triangles. An Aerialist
test is recognised by its keys. A bare mission file or `.plan` is a scenario without obstacles; so is a logical
scenario, which brings the rules its instances have to keep.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uav_testgen.core.config import parse_config, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.files import write_text, yaml_text
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.aerialist import is_aerialist, parse_test
from uav_testgen.scenario.formats.form_entry import with_form
from uav_testgen.scenario.formats.missions import MISSION_SUFFIXES, load_mission, named_arena, named_mission
from uav_testgen.scenario.formats.prediction_note import KEY
from uav_testgen.scenario.formats.referenced_file import find_file
from uav_testgen.scenario.logical.declaration import is_logical
from uav_testgen.scenario.logical.stage import load_stage
from uav_testgen.scenario.model import Scenario

MAX_SCENARIO_BYTES = 1024 * 1024


def load_scenario(path: Path, arena: Arena | None = None) -> Scenario:
    """The scenario in a file; a given arena replaces the file's own rules."""
    if path.suffix == ".plan":
        return _with_arena(Scenario(mission=load_mission(path), name=path.stem[:200]), arena)
    data = _read(path)
    if is_aerialist(data):
        return parse_test(path, data, arena).scenario
    if is_logical(data):
        if arena not in (None, Arena()):
            raise ConfigError(
                f"{path}: a logical scenario brings its arena with its range table; leave the arena out"
            )
        return load_stage(path, data)
    if "waypoints" in data:
        return _with_arena(Scenario(mission=load_mission(path), name=path.stem[:200]), arena)
    scenario = parse_config(Scenario, _resolved(path, data), source=str(path))
    if not scenario.name:
        scenario = scenario.model_copy(update={"name": path.stem[:200]})
    return _with_arena(scenario, arena)


def save_scenario(path: Path, scenario: Scenario, notes: Mapping[str, Any] | None = None) -> None:
    """Write a scenario as uav_testgen YAML or .json, complete, so that later defaults cannot change it.

    `notes` are further mappings for the top of the file, such as how it was predicted.
    """
    data = {**scenario.model_dump(mode="json"), **(notes or {})}
    is_json = path.suffix.lower() == ".json"
    write_text(path, json.dumps(data, indent=1, allow_nan=False) + "\n" if is_json else yaml_text(data))


def _read(path: Path) -> dict[str, Any]:
    if path.is_file() and path.stat().st_size > MAX_SCENARIO_BYTES:
        raise InputFileError(
            f"{path}: {path.stat().st_size} bytes, a scenario has at most {MAX_SCENARIO_BYTES}"
        )
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: a scenario is a mapping with a mission and obstacles")
    return {key: value for key, value in data.items() if key != KEY}


def _resolved(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """Names and files of mission and arena replaced by what they stand for."""
    resolved = dict(data)
    mission = data.get("mission")
    if isinstance(mission, str):
        if Path(mission).suffix in MISSION_SUFFIXES:
            resolved["mission"] = load_mission(find_file(mission, path, MISSION_SUFFIXES, "mission"))
        else:
            resolved["mission"] = _named(path, "mission", mission, named_mission)
    arena = data.get("arena")
    if isinstance(arena, str):
        resolved["arena"] = _named(path, "arena", arena, named_arena)
    obstacles = data.get("obstacles")
    if isinstance(obstacles, list):
        resolved["obstacles"] = [
            with_form(one, f"{path}: obstacles.{index}") if isinstance(one, dict) and "form" in one else one
            for index, one in enumerate(obstacles)
        ]
    return resolved


def _named(path: Path, field: str, name: str, load: Any) -> Any:
    try:
        return load(name)
    except InputFileError as error:
        raise InputFileError(f"{path}: {field}: {error}") from None


def _with_arena(scenario: Scenario, arena: Arena | None) -> Scenario:
    return scenario if arena is None else scenario.model_copy(update={"arena": arena})
