"""Logical scenarios: situations described by words, in the JSON form of the publication on StellaUAV.

Keys are those of the published example ("flight area", "surface nature", "wind force", ...). Which words
there are and which numbers they stand for is system-specific and said by a range table
(`scenario.logical.range_table`); a range [lowest, highest] may stand in place of a word. Words of two parts
may be written with a space or an underscore.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, PlainValidator, model_validator

from uav_testgen.core.config import RoomConfig, parse_config, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.kinds import Surface
from uav_testgen.scenario.logical.ranges import Range
from uav_testgen.shape.kinds import Shape

SHAPE_WORDS = {"cuboid": Shape.BOX, "sphere": Shape.SPHERE, "cylinder": Shape.CYLINDER}
_LONGEST_WORD = 100


def _stated(given: Any) -> str | Range:
    """A word as it is looked up, or a range; a single number is a range of its own."""
    if isinstance(given, str):
        if not 0 < len(given) <= _LONGEST_WORD:
            raise ValueError(f"a word has 1 to {_LONGEST_WORD} characters")
        return plain(given)
    numbers = [given, given] if isinstance(given, int | float) else given
    if not isinstance(numbers, list | tuple) or len(numbers) != 2:
        raise ValueError("a word or a range [lowest, highest] is expected")
    if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in numbers):
        raise ValueError("a word or a range [lowest, highest] is expected")
    low, high = float(numbers[0]), float(numbers[1])
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError("a range has two finite numbers")
    if low > high:
        raise ValueError(f"the range is reversed: {low:g} is above {high:g}; exchange the two")
    return (low, high)


Stated = Annotated[str | Range, PlainValidator(_stated)]
"""What a logical scenario says of a parameter: a word of the range table, or numbers."""


def plain(word: str) -> str:
    """A word as tables and scenarios compare it."""
    return word.replace(" ", "_")


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

    landform: str = Field(min_length=1, max_length=_LONGEST_WORD)
    surface_nature: Literal["land", "water", "mixture"] = Field(alias="surface nature")

    @property
    def landform_word(self) -> str:
        """The landform as the range table has it."""
        return plain(self.landform)

    @property
    def surface_kind(self) -> Surface:
        """The ground cover of a concrete scenario."""
        return Surface(self.surface_nature)


class LogicalObstacle(_Described):
    """An obstacle by its categories."""

    kind: Literal["static", "dynamic"]
    size: Stated
    form: str = Field(
        min_length=1,
        max_length=_LONGEST_WORD,
        description="cuboid, sphere, cylinder, or the name of a form of triangles that was made known",
    )
    parameters: dict[str, float | str | bool] = Field(
        default={}, max_length=_LONGEST_WORD, description="What the function of a form of triangles is given"
    )

    @model_validator(mode="after")
    def _parameters_have_a_function(self) -> LogicalObstacle:
        if self.parameters and self.shape is not Shape.MESH:
            raise ValueError(f"a {self.form} has no parameters")
        return self

    @property
    def shape(self) -> Shape:
        """The shape of a concrete obstacle; forms of triangles have names of their own."""
        return SHAPE_WORDS.get(self.form, Shape.MESH)


class Weather(_Described):
    """Wind and visibility are simulated; which further parameters there are is said by the range table."""

    model_config = ConfigDict(frozen=True, extra="allow")

    wind_force: Stated = Field(default="none", alias="wind force")
    reduced_visibility: Stated = Field(default="none", alias="reduced visibility")

    @model_validator(mode="after")
    def _further(self) -> Weather:
        for key, given in (self.model_extra or {}).items():
            try:
                _stated(given)
            except ValueError as error:
                raise ValueError(f"{key[:_LONGEST_WORD]}: {error}") from None
        return self

    @property
    def further(self) -> dict[str, str | Range]:
        """Parameters beside wind and visibility."""
        return {key: _stated(given) for key, given in (self.model_extra or {}).items()}


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
