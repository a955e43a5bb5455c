"""What can be chosen in the studio, taken from the same declarations as files and the parameters page."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from uav_testgen.backend.registry import BACKENDS
from uav_testgen.campaign.compare.config import CompareConfig
from uav_testgen.campaign.config import BudgetConfig, CampaignConfig, ConfirmationConfig, ScreeningConfig
from uav_testgen.campaign.study.config import StudyConfig
from uav_testgen.core.config import parse_config
from uav_testgen.core.defaults import COLLISION_DISTANCE_M, DEFAULT_SYSTEM, SAFE_DISTANCE_M
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.resources import config_folder
from uav_testgen.generator.algorithm.combination import CombinationSettings
from uav_testgen.generator.algorithm.registry import ALGORITHMS, algorithm_names
from uav_testgen.generator.registry import GENERATORS
from uav_testgen.loop.system import system_names
from uav_testgen.oracle.requirement import REQUIREMENTS
from uav_testgen.oracle.stl.requirement import NAME as FORMULA
from uav_testgen.planner.registry import PLANNERS
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.missions import arena_names, mission_names, named_arena, named_mission
from uav_testgen.scenario.formats.scenes import scene_names
from uav_testgen.scenario.logical.declaration import scenario_names
from uav_testgen.scenario.model import LinearMotion, Mission, Scenario, Terrain, Visibility, Wind
from uav_testgen.view.studio.own_parts import OwnParts

_MENUS: dict[str, type[BaseModel]] = {
    "wind": Wind, "visibility": Visibility, "terrain": Terrain, "motion": LinearMotion, "mission": Mission,
    "arena": Arena, "campaign": CampaignConfig, "budget": BudgetConfig, "screening": ScreeningConfig,
    "study": StudyConfig, "comparison": CompareConfig, "confirmation": ConfirmationConfig,
}  # fmt: skip
MOST_SETTINGS = 20


@lru_cache(maxsize=4)
def choices_json(own: OwnParts | None = None) -> dict[str, Any]:
    """Names and menus for the page; parts of the user's own are registered and so among the others."""
    return {
        "systems": system_names(),
        "default_system": DEFAULT_SYSTEM,
        "planners": PLANNERS.names(),
        "cameras": sorted(path.stem for path in config_folder("cameras").glob("*.yaml")),
        "missions": mission_names(),
        "arenas": arena_names(),
        "generators": GENERATORS.names(),
        "generator_menus": {name: generator_menu(name) for name in GENERATORS.names()},
        "algorithms": algorithm_names(),
        "single_algorithms": ALGORITHMS.names(),
        "algorithm_menus": {
            **{name: menu_of(ALGORITHMS.load(name).settings_type) for name in ALGORITHMS.names()},
            "+": menu_of(CombinationSettings),
        },
        "logical_scenarios": scenario_names(),
        "requirements": [name for name in REQUIREMENTS.names() if name != FORMULA],
        "confirming_backends": confirming_backends(),
        "own": asdict(own or OwnParts()),
        "scenes": scene_names(),
        "safe_distance_m": SAFE_DISTANCE_M,
        "collision_distance_m": COLLISION_DISTANCE_M,
        "menus": {name: menu_of(kind) for name, kind in _MENUS.items()},
    }


def generator_menu(name: str) -> list[dict[str, Any]]:
    """Settings of a generator; none where it declares none."""
    kind = getattr(GENERATORS.load(name), "config_type", None)
    return [] if kind is None else menu_of(kind)


def confirming_backends() -> list[str]:
    """Simulators that can fly tests again as they are installed; others need settings, so the command line."""
    return [name for name in BACKENDS.names() if name not in ("lfs", "folder", "command")]


def menu_of(kind: type[BaseModel]) -> list[dict[str, Any]]:
    """Single numbers, words and switches of a declaration: name, kind, limits, default, description."""
    schema = kind.model_json_schema()
    shared = schema.get("$defs", {})
    menu = []
    for name, field in schema["properties"].items():
        if "$ref" in field:
            field = {**shared[field["$ref"].rsplit("/", 1)[-1]], **field}
        kinds = [one for one in field.get("anyOf", ()) if one.get("type") != "null"]
        if len(kinds) == 1 and len(field["anyOf"]) == 2:  # a value that may be left out
            field = {**field, **kinds[0]}
        known = ("number", "integer", "boolean", "string")
        if field.get("type") not in known:
            continue
        low = field.get("minimum", field.get("exclusiveMinimum"))
        high = field.get("maximum", field.get("exclusiveMaximum"))
        words, text = field.get("enum"), field.get("description", "")
        shown = {"name": name, "kind": field["type"], "words": words, "low": low, "high": high, "text": text}
        menu.append({**shown, "default": field.get("default")})
    return menu


def empty_scene(mission: str, arena: str) -> Scenario:
    """A shipped mission under shipped rules, without obstacles."""
    return Scenario(
        mission=named_mission(mission), arena=named_arena(arena), name=f"{mission} without obstacles"
    )


def read_scene(data: Any) -> Scenario:
    """The scenario the page sent; ConfigError names the field."""
    if not isinstance(data, dict):
        raise ConfigError("scene: a mapping with a mission and obstacles is expected")
    return parse_config(Scenario, data, source="scene")


def read_settings(data: Any) -> dict[str, Any]:
    """The flown system the page chose. Only shipped parts: a page never names code or files."""
    if data in (None, {}):
        return {}
    if not isinstance(data, dict) or len(data) > MOST_SETTINGS:
        raise ConfigError("system: a mapping of system, planner and camera is expected")
    allowed = {
        "system": system_names(), "planner": PLANNERS.names(),
        "camera": sorted(path.stem for path in config_folder("cameras").glob("*.yaml")),
    }  # fmt: skip
    chosen: dict[str, Any] = {}
    for key, value in data.items():
        if key not in allowed:
            raise ConfigError(f"system: '{str(key)[:40]}' cannot be chosen here; choose {', '.join(allowed)}")
        if value in (None, ""):
            continue
        if value not in allowed[key]:
            raise ConfigError(f"system: unknown {key} '{str(value)[:80]}'; known: {', '.join(allowed[key])}")
        chosen[key] = value
    return chosen
