"""What categories mean for one system: sizes, winds, fogs, landforms and the mission flown over each.

A range table and a logical scenario together give the stage: a scenario without obstacles whose mission,
arena and ranges every instance keeps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field, field_validator, model_validator

from uav_testgen.core.config import RoomConfig, load_config
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.arena import FARTHEST_M, Arena
from uav_testgen.scenario.kinds import Landform
from uav_testgen.scenario.logical.declaration import (
    LogicalObstacle,
    LogicalScenario,
    ReducedVisibility,
    Size,
    WindForce,
    is_logical,
    parse_logical,
)
from uav_testgen.scenario.logical.ranges import (
    DirectionRange,
    FloatingRange,
    HeightRange,
    LogicalRanges,
    ObstacleRanges,
    Range,
    RotationRange,
    SightRange,
    SizeRange,
    SpeedRange,
    Within,
)
from uav_testgen.scenario.model import Metres, Mission, Scenario, Terrain, Visibility, Wind

Category = TypeVar("Category", bound=str)
Meaning = TypeVar("Meaning")

_KMH_PER_MPS = 3.6
WindKmhRange = Annotated[Range, Within(0.0, 216.0, "km/h")]
"""A wind as tables give it; 216 km/h are the 60 m/s a scenario may have."""

_SUFFIXES = (".yaml", ".yml", ".json")


class VisibilityRanges(RoomConfig):
    """How far the camera sees, and how many pixels it loses there."""

    range_m: SightRange = Field(description="Range of the camera [m]")
    contrast_loss: float = Field(default=0.0, ge=0, le=1, description="Share of pixels lost at that range")


class LandformRanges(RoomConfig):
    """One landform and the mission flown over it."""

    height_m: HeightRange = Field(description="Height, depth or rise [m]")
    center_enu_m: tuple[Metres, Metres] = Field(default=(0.0, 0.0), description="Middle [m ENU]")
    radius_m: float = Field(default=20.0, gt=0, le=5000, description="Radius [m]")
    mission: Mission = Field(description="Mission over this landform")


class RangeTable(RoomConfig):
    """The meaning of every category."""

    name: str = Field(default="", max_length=100, description="System the numbers are for")
    arena: Arena = Field(description="Where obstacles may stand")
    sizes_m: dict[Size, SizeRange] = Field(description="Extent of an obstacle, 0.001 to 1000 [m]")
    speed_mps: SpeedRange = Field(
        description="Speed of a dynamic obstacle [m/s]; its limit keeps flights avoidable"
    )
    wind_kmh: dict[WindForce, WindKmhRange] = Field(description="Mean speed of the wind, 0 to 216 [km/h]")
    wind_direction_deg: DirectionRange = Field(
        default=(90.0, 90.0), description="Where the wind blows to, counter-clockwise from east [deg]"
    )
    visibility: dict[ReducedVisibility, VisibilityRanges] = Field(description="What fog does to the camera")
    landforms: dict[Landform, LandformRanges] = Field(description="Landforms with their missions")
    floating_m: FloatingRange = Field(
        default=(0.0, 0.0), description="Lowest point of a sphere above ground [m]"
    )
    rotation_deg: RotationRange = Field(default=(0.0, 0.0), description="Clockwise rotation of cuboids [deg]")
    keep_out_m: float = Field(
        default=5.0, ge=0, le=1000, description="Dynamic obstacles stay this far from start and landing [m]"
    )
    least_travel_m: float = Field(
        default=5.0, gt=0, le=1000, description="Shortest way of a dynamic obstacle [m]"
    )

    @field_validator("sizes_m", "wind_kmh", "visibility", "landforms")
    @classmethod
    def _complete(cls, value: dict[str, object]) -> dict[str, object]:
        if not value:
            raise ValueError("at least one category is needed")
        return value

    @model_validator(mode="after")
    def _fits_the_arena(self) -> RangeTable:
        largest = max(high for _, high in self.sizes_m.values())
        smallest = min(low for low, _ in self.sizes_m.values())
        arena = self.arena
        if arena.reach_m > FARTHEST_M:
            raise ValueError(
                f"arena: a border lies {arena.reach_m:g} m from the origin, at most {FARTHEST_M:g} m are "
                "allowed"
            )
        if largest > min(arena.max_side_m, arena.max_height_m) or smallest < arena.min_side_m:
            raise ValueError(
                f"sizes_m reach from {smallest:g} to {largest:g} m, the arena allows sides of "
                f"{arena.min_side_m:g} to {arena.max_side_m:g} m and heights up to {arena.max_height_m:g} m"
            )
        if smallest <= arena.min_height_m:
            raise ValueError(
                f"sizes_m begin at {smallest:g} m, the arena wants more than {arena.min_height_m:g} m"
            )
        return self


def table_names() -> list[str]:
    """Names of the range tables that ship with the package."""
    return sorted(path.stem for path in config_folder("stella").glob("*.yaml"))


def load_table(given: str, folder: Path) -> RangeTable:
    """A shipped range table by name, or a file relative to a folder."""
    if Path(given).suffix in _SUFFIXES:
        path = folder / given
    elif given in table_names():
        path = config_folder("stella") / f"{given}.yaml"
    else:
        raise InputFileError(
            f"ranges: unknown range table '{given[:80]}'{nearest_and_known(given[:80], table_names())}; "
            "a file of your own ends in .yaml"
        )
    table = load_config(RangeTable, path)
    return table if table.name else table.model_copy(update={"name": path.stem[:100]})


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
    landform = environment.flight_area.landform_kind
    if landform not in table.landforms:
        known = ", ".join(kind.value for kind in table.landforms)
        raise ConfigError(
            f"environment.flight area.landform: range table '{table.name}' has no '{landform.value}'; "
            f"it has: {known}"
        )
    ground = table.landforms[landform]
    ranges = _ranges(logical, table, ground)
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


def _ranges(logical: LogicalScenario, table: RangeTable, ground: LandformRanges) -> LogicalRanges:
    environment = logical.environment
    weather = environment.weather
    wind = _category(table.wind_kmh, weather.wind_force, "environment.weather.wind force", table)
    fog = _category(
        table.visibility, weather.visibility_kind, "environment.weather.reduced visibility", table
    )
    return LogicalRanges(
        name=logical.name,
        system=table.name,
        obstacles=tuple(
            _obstacle(obstacle, table, f"environment.obstacles.{index}")
            for index, obstacle in enumerate(environment.obstacles)
        ),
        landform=environment.flight_area.landform_kind,
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
        weather=weather.recorded,
    )


def _obstacle(obstacle: LogicalObstacle, table: RangeTable, where: str) -> ObstacleRanges:
    moving = obstacle.kind == "dynamic"
    return ObstacleRanges(
        shape=obstacle.shape,
        moving=moving,
        size_m=_category(table.sizes_m, obstacle.size, f"{where}.size", table),
        speed_mps=table.speed_mps if moving else None,
    )


def _category(
    categories: Mapping[Category, Meaning], chosen: Category, where: str, table: RangeTable
) -> Meaning:
    if chosen not in categories:
        known = ", ".join(categories)
        raise ConfigError(f"{where}: range table '{table.name}' has no '{chosen}'; it has: {known}")
    return categories[chosen]
