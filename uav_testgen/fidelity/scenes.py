"""The scene that a recording was flown in: the Aerialist test or scenario of the same name beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import InputFileError, UavTestgenError
from uav_testgen.fidelity.tables import stem_of
from uav_testgen.scenario.formats.aerialist import is_aerialist, parse_test
from uav_testgen.scenario.formats.missions import mission_names, named_mission
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario

SUFFIXES = (".yaml", ".yml")
_SECTIONS = ("robot", "drone")


def scene_beside(recording: Path, plans: Path | None = None) -> Scenario:
    """The scene of a recording; `plans` is the folder of the .plan files that scenes name.

    A plan that is nowhere to be found but has the name of a shipped mission is that mission.
    """
    places = [recording.with_name(stem_of(recording) + suffix) for suffix in SUFFIXES]
    scene = next((place for place in places if place.is_file()), places[0])
    try:
        return _load(scene, plans)
    except UavTestgenError as error:
        raise InputFileError(f"{recording}: its scene: {error}") from None


def _load(scene: Path, plans: Path | None) -> Scenario:
    data = read_yaml(scene)
    if not isinstance(data, dict) or not is_aerialist(data):
        return load_scenario(scene)
    robot: dict[str, Any] = next((data[key] for key in _SECTIONS if isinstance(data.get(key), dict)), {})
    given = robot.get("mission_file")
    if not isinstance(given, str):
        return load_scenario(scene)
    if plans is not None:
        robot["mission_file"] = str(plans.resolve() / Path(given).name)
        return parse_test(scene, data).scenario
    try:
        return parse_test(scene, data).scenario
    except InputFileError:
        name = Path(given).stem
        if name not in mission_names():
            raise
        return _on_shipped_mission(scene, data, robot, name)


def _on_shipped_mission(scene: Path, data: dict[str, Any], robot: dict[str, Any], name: str) -> Scenario:
    mission = named_mission(name)
    del robot["mission_file"]
    # A test must say where it flies; this way is replaced at once by the mission with its landing.
    tasks = dict(data.get("mission") or {})
    tasks["waypoints"] = [{"x": 0.0, "y": 0.0, "z": mission.home_enu_m[2] + 10.0}]
    return parse_test(scene, {**data, "mission": tasks}).scenario.model_copy(update={"mission": mission})
