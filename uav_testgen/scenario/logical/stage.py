"""A logical scenario in the numbers of its range table: the stage that all its instances start from."""

from __future__ import annotations

import math
from pathlib import Path

from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.scenario.kinds import Landform
from uav_testgen.scenario.logical.declaration import (
    SHAPE_WORDS,
    LogicalObstacle,
    LogicalScenario,
    is_logical,
    parse_logical,
    plain,
)
from uav_testgen.scenario.logical.range_table import (
    WIND_BOUNDS_KMH,
    LandformRanges,
    RangeTable,
    VisibilityRanges,
    load_table,
)
from uav_testgen.scenario.logical.ranges import SIGHT_BOUNDS_M, LogicalRanges, ObstacleRanges, Range
from uav_testgen.scenario.logical.words import meaning_of, within
from uav_testgen.scenario.model import Scenario, Terrain, Visibility, Wind
from uav_testgen.shape.base import Triangles
from uav_testgen.shape.kinds import Shape
from uav_testgen.shape.own import make_form

_KMH_PER_MPS = 3.6


def load_stage(path: Path, data: dict[str, object]) -> Scenario:
    """The stage of a parsed logical scenario file."""
    if not is_logical(data):
        raise ConfigError(f"{path}: a logical scenario has the keys 'system' and 'environment'")
    logical = parse_logical(path, data)
    try:
        return stage(logical, load_table(logical.ranges, path.parent))
    except InputFileError as error:
        raise InputFileError(f"{path}: {error}") from None
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def stage(logical: LogicalScenario, table: RangeTable) -> Scenario:
    """The scenario without obstacles that all instances start from; ConfigError where the table has a gap."""
    environment = logical.environment
    word = environment.flight_area.landform_word
    ground = meaning_of(table.landforms, word, "environment.flight area.landform", table.name)
    landform = ground.form or Landform(word)
    ranges = _ranges(logical, table, ground, landform)
    direction_rad = math.radians(ranges.wind_direction_deg[0])
    return Scenario(
        mission=ground.mission,
        arena=table.arena,
        wind=Wind(
            velocity_mean_mps=ranges.wind_mps[0],
            direction_enu=(round(math.cos(direction_rad), 6), round(math.sin(direction_rad), 6), 0.0),
        ),
        visibility=Visibility(range_m=ranges.visibility_m[1], contrast_loss=ranges.contrast_loss),
        terrain=Terrain(
            landform=landform,
            surface=environment.flight_area.surface_kind,
            height_m=ground.height_m[0],
            center_enu_m=ground.center_enu_m,
            radius_m=ground.radius_m,
        ),
        logical=ranges,
        name=logical.name,
    )


def _ranges(
    logical: LogicalScenario, table: RangeTable, ground: LandformRanges, landform: Landform
) -> LogicalRanges:
    environment = logical.environment
    wind, fog = _wind(logical, table), _visibility(logical, table)
    recorded, conditions, unused = _further(logical, table)
    return LogicalRanges(
        name=logical.name,
        system=table.name,
        obstacles=tuple(
            _obstacle(obstacle, table, f"environment.obstacles.{index}")
            for index, obstacle in enumerate(environment.obstacles)
        ),
        landform=landform,
        surface=environment.flight_area.surface_kind,
        height_m=ground.height_m,
        wind_mps=(round(wind[0] / _KMH_PER_MPS, 6), round(wind[1] / _KMH_PER_MPS, 6)),
        wind_direction_deg=table.wind_direction_deg,
        visibility_m=fog.range_m,
        contrast_loss=fog.contrast_loss,
        floating_m=table.floating_m,
        rotation_deg=table.rotation_deg,
        keep_out_m=table.keep_out_m,
        least_travel_m=table.least_travel_m,
        safety_distance_m=table.safety_distance_m,
        weather=recorded,
        conditions=conditions,
        unused=unused,
    )


def _wind(logical: LogicalScenario, table: RangeTable) -> Range:
    where, stated = "environment.weather.wind force", logical.environment.weather.wind_force
    if isinstance(stated, str):
        return meaning_of(table.wind_kmh, stated, where, table.name)
    return within(stated, WIND_BOUNDS_KMH, "km/h", where, table.name)


def _visibility(logical: LogicalScenario, table: RangeTable) -> VisibilityRanges:
    where, stated = "environment.weather.reduced visibility", logical.environment.weather.reduced_visibility
    if isinstance(stated, str):
        return meaning_of(table.visibility, stated, where, table.name)
    return VisibilityRanges(range_m=within(stated, SIGHT_BOUNDS_M, "m", where, table.name))


def _further(
    logical: LogicalScenario, table: RangeTable
) -> tuple[dict[str, str], dict[str, Range], tuple[str, ...]]:
    """Weather as it is recorded, its numbers, and what of it was asked for although nothing uses it."""
    weather = logical.environment.weather
    recorded = {
        "wind force": text_of(weather.wind_force),
        "reduced visibility": text_of(weather.reduced_visibility),
    }
    conditions: dict[str, Range] = {}
    unused = []
    given = weather.further
    for key in given:
        meaning_of(table.weather, key, f"environment.weather: unknown parameter '{key[:40]}'", table.name)
    for key, parameter in table.weather.items():
        where, stated = f"environment.weather.{key}", given.get(key, parameter.usual)
        if stated is None:
            continue
        recorded[key] = text_of(stated)
        if isinstance(stated, str):
            numbers = meaning_of(parameter.words, plain(stated), where, table.name)
        else:
            numbers = within(stated, parameter.bounds, parameter.unit, where, table.name)
        if numbers is not None:
            conditions[key] = numbers
        if parameter.usual is None or stated != plain(parameter.usual):
            unused.append(key)
    return recorded, conditions, tuple(unused)


def text_of(stated: str | Range) -> str:
    """A word or a range as text."""
    return stated if isinstance(stated, str) else f"{stated[0]:g} to {stated[1]:g}"


def _obstacle(obstacle: LogicalObstacle, table: RangeTable, where: str) -> ObstacleRanges:
    moving = obstacle.kind == "dynamic"
    if isinstance(obstacle.size, str):
        size_m = meaning_of(table.sizes_m, obstacle.size, f"{where}.size", table.name)
    else:
        arena = table.arena
        bounds = (arena.min_side_m, min(arena.max_side_m, arena.max_height_m))
        size_m = within(obstacle.size, bounds, "m", f"{where}.size", table.name)
    triangles: Triangles = ()
    if obstacle.shape is Shape.MESH:
        try:
            triangles, _ = make_form(obstacle.form, obstacle.parameters)
        except ConfigError as error:
            raise ConfigError(
                f"{where}.form: {error}; or one of {', '.join(map(repr, SHAPE_WORDS))}"
            ) from None
    return ObstacleRanges(
        shape=obstacle.shape,
        moving=moving,
        size_m=size_m,
        speed_mps=table.speed_mps if moving else None,
        triangles=triangles,
    )
