"""Writing Aerialist test files, in both dialects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.core.files import write_text, yaml_text
from uav_testgen.scenario.formats.aerialist import AerialistTest, Dialect
from uav_testgen.scenario.formats.aerialist_frame import flat_numbers, obstacle_from_numbers, wind_data
from uav_testgen.scenario.formats.aerialist_parameters import own_parameters
from uav_testgen.scenario.formats.aerialist_schema import CASE_STUDY_PARAMETERS as CASE_STUDY_PARAMETERS
from uav_testgen.scenario.formats.aerialist_schema import OBSTACLE_NAMES, OLD_TO_NEW_KEYS
from uav_testgen.scenario.formats.plan_file import save_plan_beside
from uav_testgen.scenario.model import Landform, Obstacle, Scenario, Shape, Surface, Visibility, Wind

_START_MISSION = {"timestamp": 1, "mode": 3, "x": 0, "y": 0, "z": 0.5, "r": 0}


_KNOWN = frozenset({Shape.BOX, Shape.CYLINDER})
"""Shapes that Aerialist has a word for."""


def save_test(
    path: Path,
    scenario: Scenario,
    *,
    template: AerialistTest | None = None,
    dialect: Dialect | None = None,
    flat: bool = False,
) -> Path | None:
    """Write a scenario as a test file whose plan resolves; returns the plan that was written with it.

    With a template (the case study) everything but obstacles and wind is taken over, its plan by the same
    name if that resolves from the working folder, by its full path otherwise. Without one the mission is
    written as a `.plan` beside the test.
    """
    plan: Path | None = None
    if template is not None and template.plan_path is not None:
        given = str(template.document.get("robot", {}).get("mission_file", ""))
        mission_file = given if Path(given).is_file() else str(template.plan_path.resolve())
    else:
        plan = save_plan_beside(path, scenario.mission)
        mission_file = plan.name
    document = aerialist_document(
        scenario,
        mission_file,
        template=template,
        dialect=dialect or (template.dialect if template else "robot"),
        flat=flat,
    )
    write_text(path, yaml_text(document))
    return plan


def as_written(scenario: Scenario) -> Scenario:
    """The scenario as it reads back from its test file: every number rounded as the file rounds it.

    A flight answers to the last bit of its scene. So whoever writes a test and says how it flew flies this form;
    then the file gives the same flight again. Instances of logical scenarios have files of our own, which keep
    every bit. The form of the form is the form.
    """
    if scenario.logical is not None:
        return scenario
    obstacles = tuple(_obstacle_as_written(obstacle) for obstacle in scenario.obstacles)
    parameters = own_parameters(scenario.parameters)
    return scenario.model_copy(update={"obstacles": obstacles, "parameters": parameters})


def _obstacle_as_written(obstacle: Obstacle) -> Obstacle:
    if obstacle.motion is not None or obstacle.shape not in _KNOWN:
        return obstacle  # Aerialist has no word for it
    l, w, h, x, y, z, r = flat_numbers(obstacle)  # noqa: E741 (Aerialist's name)
    read_back = obstacle_from_numbers(l, w, h, x, y, z, r, obstacle.shape)
    return read_back.model_copy(update={"name": obstacle.name})


def aerialist_document(
    scenario: Scenario,
    mission_file: str,
    *,
    template: AerialistTest | None = None,
    dialect: Dialect = "robot",
    flat: bool = False,
) -> dict[str, Any]:
    """The content of a test file; InvalidScenario for what Aerialist cannot express."""
    _require_expressible(scenario, flat)
    source = template.document if template is not None else _default_document()
    robot = {**source.get("robot", {}), "mission_file": mission_file}
    others = robot.get("params") or {}
    own = own_parameters(others)
    params = {name: value for name, value in others.items() if name not in own} | scenario.parameters
    if params or others:
        robot["params"] = params
    simulation = dict(source.get("simulation", {}))
    simulation["obstacles"] = (
        [value for obstacle in scenario.obstacles for value in flat_numbers(obstacle)]
        if flat
        else [_entry(obstacle, dialect) for obstacle in scenario.obstacles]
    )
    simulation.pop("wind", None)
    if scenario.wind != Wind():
        simulation["wind"] = wind_data(scenario.wind)
    document: dict[str, Any] = {"robot": robot, "simulation": simulation}
    document.update({key: source[key] for key in ("mission", "assertion", "agent") if key in source})
    if any(obstacle.name for obstacle in scenario.obstacles):
        document[OBSTACLE_NAMES] = [obstacle.name for obstacle in scenario.obstacles]
    if dialect == "robot":
        return document
    names = {new: old for old, new in OLD_TO_NEW_KEYS.items()}
    return {names.get(key, key): value for key, value in document.items()}


def _entry(obstacle: Obstacle, dialect: Dialect) -> dict[str, Any]:
    l, w, h, x, y, z, r = flat_numbers(obstacle)  # noqa: E741 (Aerialist's name)
    size = {"l": l, "w": w, "h": h}
    entry: dict[str, Any] = {"size": size, "position": {"x": x, "y": y, "z": z, "r": r}}
    if obstacle.shape is Shape.CYLINDER:
        size["r"] = 0.5 * l
    if dialect == "robot" or obstacle.shape is not Shape.BOX:
        entry = {"shape": obstacle.shape.value, **entry}
    return entry


def _default_document() -> dict[str, Any]:
    return {
        "robot": {"port": "ros", "params": dict(CASE_STUDY_PARAMETERS)},
        "simulation": {"simulator": "ros", "speed": 1, "headless": True},
        "mission": {"commands": [dict(_START_MISSION)], "speed": 1},
    }


def inexpressible(scenario: Scenario, flat: bool = False) -> list[str]:
    """What an Aerialist test cannot hold: it knows boxes, cylinders and wind."""
    cannot = []
    if any(obstacle.motion is not None for obstacle in scenario.obstacles):
        cannot.append("moving obstacles")
    shapes = {obstacle.shape for obstacle in scenario.obstacles}
    cannot += [{Shape.SPHERE: "spheres", Shape.MESH: "meshes"}[shape] for shape in sorted(shapes - _KNOWN)]
    if flat and any(obstacle.shape is not Shape.BOX for obstacle in scenario.obstacles):
        cannot.append("cylinders in a flat list")
    if scenario.terrain.landform is not Landform.FLAT:
        cannot.append("landforms")
    if scenario.terrain.surface is not Surface.LAND:
        cannot.append("water")
    if scenario.visibility != Visibility():
        cannot.append("reduced visibility")
    return cannot


def _require_expressible(scenario: Scenario, flat: bool) -> None:
    """Anything that is left out would silently change the test."""
    cannot = inexpressible(scenario, flat)
    if cannot:
        name = scenario.name or f"scenario {scenario.id}"
        raise InvalidScenario(
            f"{name}: an Aerialist test cannot hold {', '.join(cannot)}; save it as uav_testgen YAML"
        )
