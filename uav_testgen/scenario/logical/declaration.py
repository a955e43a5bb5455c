"""Logical scenarios: situations described by categories, in the JSON form of the publication on StellaUAV.

Keys are those of the published example ("flight area", "surface nature", "wind force", ...). Which numbers
a category stands for is system-specific and said by a range table (`scenario.range_table`). Categories of
two words may be written with a space or an underscore.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field, model_validator

from uav_testgen.core.config import RoomConfig, parse_config, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.kinds import Landform, Shape, Surface

SCHEMA_FILE = "logical-scenario.schema.json"
_SHAPES = {"cuboid": Shape.BOX, "sphere": Shape.SPHERE, "cylinder": Shape.CYLINDER}
_LONGEST_WORD = 100

Size = Literal["small", "medium", "large"]
WindForce = Literal["none", "light", "moderate", "strong"]
ReducedVisibility = Literal["none", "fog", "heavy_fog", "thick_fog"]


class _Described(RoomConfig):
    """Keys as the JSON has them; our own field names are not accepted in files."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, title=None)


class Uav(_Described):
    """The vehicle under test."""

    maneuvers: tuple[Literal["move to waypoint"], ...] = Field(
        min_length=1, max_length=1, description="What it does; the mission itself belongs to the landform"
    )


class System(_Described):
    """What is tested."""

    uavs: tuple[Uav, ...] = Field(alias="UAVs", min_length=1, max_length=1, description="One vehicle")


class FlightArea(_Described):
    """The ground."""

    landform: Literal["flat", "depression", "elevation", "steep transition", "steep_transition"]
    surface_nature: Literal["land", "water", "mixture"] = Field(alias="surface nature")

    @property
    def landform_kind(self) -> Landform:
        """The landform of a concrete scenario."""
        return Landform(self.landform.replace(" ", "_"))

    @property
    def surface_kind(self) -> Surface:
        """The ground cover of a concrete scenario."""
        return Surface(self.surface_nature)


class LogicalObstacle(_Described):
    """An obstacle by its categories."""

    kind: Literal["static", "dynamic"]
    size: Size
    form: Literal["cuboid", "sphere", "cylinder"]

    @property
    def shape(self) -> Shape:
        """The form of a concrete obstacle."""
        return _SHAPES[self.form]


class Weather(_Described):
    """Wind and visibility are simulated; every further key is accepted, recorded and changes nothing."""

    model_config = ConfigDict(
        frozen=True, extra="allow", json_schema_extra={"additionalProperties": {"type": "string"}}
    )

    wind_force: WindForce = Field(default="none", alias="wind force")
    reduced_visibility: Literal["none", "fog", "heavy fog", "heavy_fog", "thick fog", "thick_fog"] = Field(
        default="none", alias="reduced visibility"
    )
    lighting: str = Field(default="normal", max_length=_LONGEST_WORD, description="Recorded only")
    temperature: str = Field(default="moderate", max_length=_LONGEST_WORD, description="Recorded only")
    precipitation: str = Field(default="none", max_length=_LONGEST_WORD, description="Recorded only")
    lightning: str = Field(default="none", max_length=_LONGEST_WORD, description="Recorded only")
    cloud_cover: str = Field(
        default="none", alias="cloud cover", max_length=_LONGEST_WORD, description="Recorded only"
    )

    @model_validator(mode="after")
    def _words(self) -> Weather:
        for key, value in (self.model_extra or {}).items():
            if not isinstance(value, str) or len(value) > _LONGEST_WORD or len(key) > _LONGEST_WORD:
                raise ValueError(
                    f"'{key[:40]}' must be a word of at most {_LONGEST_WORD} characters; further weather is "
                    "recorded as text"
                )
        return self

    @property
    def visibility_kind(self) -> ReducedVisibility:
        """The category without spaces."""
        return self.reduced_visibility.replace(" ", "_")  # type: ignore[return-value]

    @property
    def recorded(self) -> dict[str, str]:
        """All of it, as written."""
        return {key: str(value) for key, value in self.model_dump(by_alias=True).items()}


class Environment(_Described):
    """Where the flight takes place."""

    flight_area: FlightArea = Field(alias="flight area")
    obstacles: tuple[LogicalObstacle, ...] = Field(min_length=1, max_length=20)
    weather: Weather = Weather()


class LogicalScenario(_Described):
    """A typical situation: categories for everything that matters."""

    name: str = Field(default="", max_length=200)
    ranges: str = Field(
        default="px4",
        max_length=1000,
        description="Range table: a shipped name, or a YAML file beside this one",
    )
    system: System
    environment: Environment


def is_logical(data: Any) -> bool:
    """Does a parsed file describe a logical scenario?"""
    return isinstance(data, dict) and ("environment" in data or "system" in data) and "mission" not in data


def parse_logical(path: Path, data: dict[str, Any]) -> LogicalScenario:
    """The logical scenario of a parsed file; errors name the path in the document and what is allowed."""
    logical = parse_config(LogicalScenario, data, source=str(path))
    return logical if logical.name else logical.model_copy(update={"name": path.stem[:200]})


def load_logical(path: Path) -> LogicalScenario:
    """A logical scenario from its JSON file."""
    data = read_yaml(path)
    if not is_logical(data):
        raise ConfigError(f"{path}: a logical scenario has the keys 'system' and 'environment'")
    return parse_logical(path, data)


def scenario_names() -> list[str]:
    """Names of the logical scenarios that ship with the package."""
    return sorted(path.stem for path in config_folder("stella/scenarios").glob("*.json"))


def find_logical(given: str, folder: Path) -> Path:
    """The file of a shipped logical scenario, or one relative to a folder."""
    if given in scenario_names():
        return config_folder("stella/scenarios") / f"{given}.json"
    path = folder / given
    if "\x00" in given or not path.is_file():
        raise InputFileError(
            f"'{given[:80]}': neither a file in {folder} nor a shipped logical scenario"
            f"{nearest_and_known(given[:80], scenario_names())}"
        )
    return path


def schema_text() -> str:
    """The published JSON schema, made from the model."""
    schema = LogicalScenario.model_json_schema(by_alias=True)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Logical scenario",
    }
    return json.dumps({**head, **{key: schema[key] for key in schema if key != "title"}}, indent=2) + "\n"
