"""What categories mean for one system: sizes, winds, fogs, landforms and the mission flown over each.

It also declares which words there are; a table may add words and parameters of its own. A range table and a
logical scenario together give the stage (`scenario.logical.stage`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from uav_testgen.core.config import RoomConfig, parse_config, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.arena import FARTHEST_M, Arena
from uav_testgen.scenario.kinds import Landform
from uav_testgen.scenario.logical.ranges import (
    DirectionRange,
    FloatingRange,
    HeightRange,
    Range,
    RotationRange,
    SightRange,
    SizeRange,
    SpeedRange,
    Within,
)
from uav_testgen.scenario.logical.words import WeatherParameter, plain_keys
from uav_testgen.scenario.model import Metres, Mission

WIND_BOUNDS_KMH = (0.0, 216.0)
WindKmhRange = Annotated[Range, Within(*WIND_BOUNDS_KMH, "km/h")]
"""A wind as tables give it; 216 km/h are the 60 m/s a scenario may have."""

_SUFFIXES = (".yaml", ".yml", ".json")
_EXTENDS = "extends"
"""The key by which a table adds to a shipped one instead of standing alone."""
_WORD_LISTS = ("sizes_m", "wind_kmh", "visibility", "landforms", "weather")


class VisibilityRanges(RoomConfig):
    """How far the camera sees, and how many pixels it loses there."""

    range_m: SightRange = Field(description="Range of the camera [m]")
    contrast_loss: float = Field(default=0.0, ge=0, le=1, description="Share of pixels lost at that range")


class LandformRanges(RoomConfig):
    """One landform and the mission flown over it."""

    form: Landform | None = Field(
        default=None, description="What it is; needed only if its word is none of the four"
    )
    height_m: HeightRange = Field(description="Height, depth or rise [m]")
    center_enu_m: tuple[Metres, Metres] = Field(default=(0.0, 0.0), description="Middle [m ENU]")
    radius_m: float = Field(default=20.0, gt=0, le=5000, description="Radius [m]")
    mission: Mission = Field(description="Mission over this landform")


class RangeTable(RoomConfig):
    """The meaning of every category."""

    name: str = Field(default="", max_length=100, description="System the numbers are for")
    arena: Arena = Field(description="Where obstacles may stand")
    sizes_m: dict[str, SizeRange] = Field(description="Extent of an obstacle, 0.001 to 1000 [m]")
    speed_mps: SpeedRange = Field(
        description="Speed of a dynamic obstacle [m/s]; its limit keeps flights avoidable"
    )
    wind_kmh: dict[str, WindKmhRange] = Field(description="Mean speed of the wind, 0 to 216 [km/h]")
    wind_direction_deg: DirectionRange = Field(
        default=(90.0, 90.0), description="Where the wind blows to, counter-clockwise from east [deg]"
    )
    visibility: dict[str, VisibilityRanges] = Field(description="What fog does to the camera")
    landforms: dict[str, LandformRanges] = Field(description="Landforms with their missions")
    weather: dict[str, WeatherParameter] = Field(
        default={}, description="Further parameters of the weather, recorded and not simulated"
    )
    floating_m: FloatingRange = Field(
        default=(0.0, 0.0), description="Lowest point of a sphere above ground [m]"
    )
    rotation_deg: RotationRange = Field(
        default=(0.0, 0.0), description="Clockwise rotation of what can be turned [deg]"
    )
    keep_out_m: float = Field(
        default=5.0, ge=0, le=1000, description="Dynamic obstacles stay this far from start and landing [m]"
    )
    least_travel_m: float = Field(
        default=5.0, gt=0, le=1000, description="Shortest way of a dynamic obstacle [m]"
    )
    safety_distance_m: float = Field(
        default=1.0, gt=0, le=100, description="Distance the system has to keep to every obstacle, 3-D [m]"
    )

    @field_validator("sizes_m", "wind_kmh", "visibility", "landforms")
    @classmethod
    def _complete(cls, value: dict[str, object]) -> dict[str, object]:
        if not value:
            raise ValueError("at least one word is needed")
        return plain_keys(value)

    @field_validator("landforms")
    @classmethod
    def _known_forms(cls, value: dict[str, LandformRanges]) -> dict[str, LandformRanges]:
        forms = [form.value for form in Landform]
        for word, ground in value.items():
            if ground.form is None and word not in forms:
                raise ValueError(f"'{word[:40]}' needs a form, one of {', '.join(forms)}")
        return value

    @field_validator("weather")
    @classmethod
    def _not_simulated(cls, value: dict[str, WeatherParameter]) -> dict[str, WeatherParameter]:
        for key in ("wind force", "reduced visibility"):
            if key in value:
                raise ValueError(f"'{key}' is simulated; its words stand in wind_kmh and visibility")
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
    path = _table_file(given, folder)
    table = parse_config(RangeTable, _whole_table(path), source=str(path))
    return table if table.name else table.model_copy(update={"name": path.stem[:100]})


def _table_file(given: str, folder: Path) -> Path:
    if Path(given).suffix in _SUFFIXES:
        return folder / given
    if given in table_names():
        return config_folder("stella") / f"{given}.yaml"
    raise InputFileError(
        f"ranges: unknown range table '{given[:80]}'{nearest_and_known(given[:80], table_names())}; "
        "a file of your own ends in .yaml"
    )


def _whole_table(path: Path) -> dict[str, Any]:
    """What a file says, added to the shipped table that it extends, if it extends one."""
    own = read_yaml(path)
    if not isinstance(own, dict):
        raise ConfigError(f"{path}: a mapping of settings is expected, got {type(own).__name__}")
    base_name = own.pop(_EXTENDS, None)
    if base_name is None:
        return own
    if base_name not in table_names():
        raise ConfigError(
            f"{path}: {_EXTENDS}: unknown range table '{str(base_name)[:80]}'"
            f"{nearest_and_known(str(base_name)[:80], table_names())}"
        )
    base = read_yaml(config_folder("stella") / f"{base_name}.yaml")
    base.pop("name", None)
    added = {
        key: {**base[key], **own[key]}
        for key in _WORD_LISTS
        if isinstance(base.get(key), dict) and isinstance(own.get(key), dict)
    }
    return {**base, **own, **added}
