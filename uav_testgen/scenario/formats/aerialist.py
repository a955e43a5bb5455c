"""Reading Aerialist test files (YAML), in both dialects."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from uav_testgen.core.config import describe_problems, parse_config, read_text, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError, InvalidScenario
from uav_testgen.core.frames import position_test_to_enu
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.aerialist_frame import obstacle_from_numbers, wind_from_section
from uav_testgen.scenario.formats.aerialist_parameters import own_parameters
from uav_testgen.scenario.formats.aerialist_schema import (
    OBSTACLE_NAMES,
    OLD_TO_NEW_KEYS,
    SECTIONS,
    AerialistDocument,
    ObstacleEntry,
)
from uav_testgen.scenario.formats.plan_file import SITL_HOME, GeoPoint, load_plan
from uav_testgen.scenario.formats.prediction_note import KEY
from uav_testgen.scenario.formats.referenced_file import find_file
from uav_testgen.scenario.model import (
    LONGEST_NAME,
    Mission,
    Obstacle,
    Scenario,
    Shape,
    Waypoint,
)

Dialect = Literal["robot", "drone"]

_MAX_INLINE_ROWS = 200


@dataclass(frozen=True, slots=True)
class AerialistTest:
    """A test file: the scenario in it, and the rest of the document to write it again."""

    path: Path
    scenario: Scenario
    document: dict[str, Any]
    dialect: Dialect
    plan_path: Path | None


def is_aerialist(data: Any) -> bool:
    """True if a parsed file has Aerialist's form rather than our own."""
    return isinstance(data, dict) and any(key in data for key in ("robot", "drone", "simulation", "test"))


def load_test(path: Path, arena: Arena | None = None) -> AerialistTest:
    """Read a test file; errors name the file, the field and the rule."""
    return parse_test(path, read_yaml(path), arena)


def parse_test(path: Path, data: Any, arena: Arena | None = None) -> AerialistTest:
    """The test in an already parsed file."""
    if not is_aerialist(data):
        raise ConfigError(f"{path}: not an Aerialist test (no key robot, drone, simulation or test)")
    dialect: Dialect = "drone" if ("drone" in data or "test" in data) else "robot"
    sections = _sections(path, data)
    document = parse_config(AerialistDocument, sections, source=str(path), called=_words(dialect))
    home: GeoPoint = document.simulation.home_position or SITL_HOME
    mission, plan_path = _mission(path, document, home, _words(dialect))
    obstacles = _named(path, _obstacles(path, document), data.get(OBSTACLE_NAMES))
    inlined = _inlined(path, sections, _words(dialect))
    try:
        scenario = Scenario(
            mission=mission,
            obstacles=obstacles,
            arena=arena or Arena(),
            wind=wind_from_section(document.simulation.wind, path),
            parameters=own_parameters((inlined.get("robot") or {}).get("params") or {}),
            name=path.stem[:200],
        )
    except ValidationError as error:
        problems = "; ".join(describe_problems(error, Scenario))
        raise InvalidScenario(f"{path}: simulation: {problems}") from None
    return AerialistTest(path, scenario, inlined, dialect, plan_path)


def load_obstacles(path: Path) -> tuple[Obstacle, ...]:
    """The obstacles of a test file whose mission is not looked at (it may be absent)."""
    data = read_yaml(path)
    if not is_aerialist(data):
        raise ConfigError(f"{path}: not an Aerialist test (no key robot, drone, simulation or test)")
    document = parse_config(AerialistDocument, _sections(path, data), source=str(path))
    return _named(path, _obstacles(path, document), data.get(OBSTACLE_NAMES))


def _obstacles(path: Path, document: AerialistDocument) -> tuple[Obstacle, ...]:
    entries = enumerate(document.simulation.obstacles)
    return tuple(_obstacle(path, number, entry) for number, entry in entries)


def _named(path: Path, obstacles: tuple[Obstacle, ...], names: Any) -> tuple[Obstacle, ...]:
    """The obstacles under the names that the file gives them, one each."""
    if names is None:
        return obstacles
    where = f"{path}: {OBSTACLE_NAMES}"
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ConfigError(f"{where}: a list of texts is expected")
    if len(names) != len(obstacles):
        raise ConfigError(
            f"{where}: {len(names)} for {len(obstacles)} obstacles; give one for each ('' for none) or no list"
        )
    if any(len(name) > LONGEST_NAME for name in names):
        raise ConfigError(f"{where}: a name has at most {LONGEST_NAME} characters")
    return tuple(one.model_copy(update={"name": name}) for one, name in zip(obstacles, names, strict=True))


def _sections(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """Aerialist's sections under Aerialist 2's names, without what is ours; empty sections left out."""
    sections: dict[str, Any] = {}
    for key, value in data.items():
        if key in (KEY, OBSTACLE_NAMES):
            continue
        name = OLD_TO_NEW_KEYS.get(key, key)
        if name in sections:
            raise ConfigError(f"{path}: both '{key}' and '{name}' are given; they mean the same, keep one")
        if value is not None or name not in SECTIONS:
            sections[name] = value
    return sections


def _words(dialect: Dialect) -> dict[str, str]:
    """What the file itself calls its sections, for errors about them."""
    if dialect == "robot":
        return {"robot": "robot", "mission": "mission"}
    return {new: old for old, new in OLD_TO_NEW_KEYS.items()}


def _mission(
    path: Path, document: AerialistDocument, home: GeoPoint, words: dict[str, str]
) -> tuple[Mission, Path | None]:
    robot, tasks = words["robot"], words["mission"]
    if document.robot.mission_file is not None:
        plan = find_file(document.robot.mission_file, path, (".plan",), f"{robot}.mission_file")
        return load_plan(plan, home), plan
    points = document.mission.waypoints
    if not points:
        raise ConfigError(
            f"{path}: neither {robot}.mission_file nor {tasks}.waypoints is given; one says where to fly"
        )
    try:
        waypoints = tuple(
            Waypoint(position_enu_m=position_test_to_enu((point.x, point.y, point.z))) for point in points
        )
        return Mission(waypoints=waypoints, takeoff_altitude_m=waypoints[0].position_enu_m[2]), None
    except ValidationError as error:
        problems = "; ".join(describe_problems(error, Mission))
        raise InvalidScenario(f"{path}: {tasks}.waypoints: {problems}") from None


def _obstacle(path: Path, number: int, entry: ObstacleEntry) -> Obstacle:
    where = f"{path}: simulation.obstacles.{number}"
    size, place = entry.size, entry.position
    turned = place.r if place.angle is None else place.angle
    l, w = size.l, size.w  # noqa: E741 (Aerialist's name)
    if entry.shape == "cylinder" and size.r is not None:
        l = w = 2.0 * size.r  # noqa: E741
    if l is None or w is None:
        needed = "its radius size.r (or l and w)" if entry.shape == "cylinder" else "size.l and size.w"
        raise ConfigError(f"{where}: a {entry.shape} needs {needed}")
    shape = Shape(entry.shape)
    try:
        return obstacle_from_numbers(l, w, size.h, place.x, place.y, place.z, turned, shape)
    except ValidationError as error:
        raise InvalidScenario(f"{where}: {'; '.join(describe_problems(error, Obstacle))}") from None


def _inlined(path: Path, sections: dict[str, Any], words: dict[str, str]) -> dict[str, Any]:
    """The document with parameter and command files written into it, so that it can stand anywhere."""
    robot = dict(sections.get("robot") or {})
    if robot.get("params") is None and robot.get("params_file") is not None:
        rows = _table(path, robot["params_file"], f"{words['robot']}.params_file")
        if rows is not None:
            robot.pop("params_file")
            robot["params"] = {row[0].strip(): _value(row[1]) for row in rows if len(row) >= 2}
    mission = dict(sections.get("mission") or {})
    if mission.get("commands") is None and mission.get("commands_file") is not None:
        rows = _table(path, mission["commands_file"], f"{words['mission']}.commands_file")
        if rows:
            header = [name.strip() for name in rows[0]]
            mission.pop("commands_file")
            mission["commands"] = [
                {name: _value(cell) for name, cell in zip(header, row, strict=False)} for row in rows[1:]
            ]
    document = {**sections, "robot": robot}
    if mission:
        document["mission"] = mission
    return document


def _table(path: Path, given: str, field: str) -> list[list[str]] | None:
    """Rows of a small CSV file; None where it cannot be found (Aerialist will look for it itself)."""
    try:
        found = find_file(given, path, (".csv",), field)
    except InputFileError:
        return None
    rows = [row for row in csv.reader(io.StringIO(read_text(found))) if row]
    return rows if len(rows) <= _MAX_INLINE_ROWS else None


def _value(cell: str) -> Any:
    """A CSV cell as a whole number, a number or text."""
    text = cell.strip()
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
