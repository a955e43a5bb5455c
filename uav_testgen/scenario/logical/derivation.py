"""Logical scenarios from a range table: its words are the factors of a covering array, a row is a scenario.

The defect hypothesis of the publication on StellaUAV is that pairs of words provoke all failures (strength
2); strength 3 takes triples. An obstacle that a scenario does not have has the value ABSENT for its kind,
size and form, so that the number of obstacles is a factor like the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.scenario.logical.covering import Factors, Row
from uav_testgen.scenario.logical.declaration import SHAPE_WORDS, LogicalScenario
from uav_testgen.scenario.logical.range_table import RangeTable

ABSENT = "–"
SURFACES = ("land", "water", "mixture")
KINDS = ("static", "dynamic")
FORMS = tuple(SHAPE_WORDS)

_LANDFORM, _SURFACE, _COUNT, _OF_OBSTACLES = 0, 1, 2, 3
_ASPECTS = ("kind", "size", "form")


def factors_of(table: RangeTable, obstacles: int = 4, weather: Sequence[str] = ()) -> Factors:
    """The factors of Table III for up to `obstacles` obstacles, and further parameters of the weather."""
    for name in weather:
        if name not in table.weather:
            known = nearest_and_known(name, list(table.weather))
            raise ConfigError(f"range table '{table.name}' has no parameter '{name[:40]}'{known}")
    names = ["landform", "surface nature", "obstacles"]
    values = [tuple(table.landforms), SURFACES, tuple(str(count + 1) for count in range(obstacles))]
    for index in range(obstacles):
        absent = (ABSENT,) if index else ()
        for aspect, words in zip(_ASPECTS, (KINDS, tuple(table.sizes_m), FORMS), strict=True):
            names.append(f"obstacle {index + 1} {aspect}")
            values.append((*words, *absent))
    names += ["wind force", "reduced visibility", *weather]
    values += [tuple(table.wind_kmh), tuple(table.visibility)]
    values += [tuple(table.weather[name].words) for name in weather]
    return Factors(tuple(names), tuple(values), _possible(obstacles))


def _possible(obstacles: int) -> Any:
    def is_possible(chosen: Mapping[int, str]) -> bool:
        """Is there a number of obstacles that fits what is said of each?"""
        least, most = 1, obstacles
        for factor, value in chosen.items():
            if factor == _COUNT:
                least, most = max(least, int(value)), min(most, int(value))
            elif _OF_OBSTACLES <= factor < _OF_OBSTACLES + 3 * obstacles:
                number = (factor - _OF_OBSTACLES) // 3 + 1
                if value == ABSENT:
                    most = min(most, number - 1)
                else:
                    least = max(least, number)
        return least <= most

    return is_possible


def row_to_json(factors: Factors, row: Row, name: str, ranges: str) -> dict[str, Any]:
    """A row as the file of a logical scenario."""
    said = dict(zip(factors.names, row, strict=True))
    beginnings = [f"obstacle {number + 1}" for number in range(int(said["obstacles"]))]
    fixed = {"landform", "surface nature", "obstacles"}
    return {
        "name": name,
        "ranges": ranges,
        "system": {"UAVs": [{"maneuvers": ["move to waypoint"]}]},
        "environment": {
            "flight area": {"landform": said["landform"], "surface nature": said["surface nature"]},
            "obstacles": [
                {aspect: said[f"{beginning} {aspect}"] for aspect in _ASPECTS} for beginning in beginnings
            ],
            "weather": {
                key: value
                for key, value in said.items()
                if key not in fixed and not key.startswith("obstacle ")
            },
        },
    }


def scenario_to_row(factors: Factors, scenario: LogicalScenario) -> Row | None:
    """A logical scenario as a row; None if it says something that is none of the factors' words."""
    environment = scenario.environment
    said: dict[str, Any] = {
        "landform": environment.flight_area.landform_word,
        "surface nature": environment.flight_area.surface_nature,
        "obstacles": str(len(environment.obstacles)),
        "wind force": environment.weather.wind_force,
        "reduced visibility": environment.weather.reduced_visibility,
        **environment.weather.further,
    }
    for index, obstacle in enumerate(environment.obstacles):
        for aspect in _ASPECTS:
            said[f"obstacle {index + 1} {aspect}"] = getattr(obstacle, aspect)
    row = tuple(said.get(name, ABSENT) for name in factors.names)
    fits = all(value in values for value, values in zip(row, factors.values, strict=True))
    return row if fits and int(said["obstacles"]) <= len(factors.values[_COUNT]) else None
