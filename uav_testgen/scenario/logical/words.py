"""The words of a range table: a parameter of the weather, and how an undeclared word is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import Field, field_validator, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest
from uav_testgen.scenario.logical.declaration import plain
from uav_testgen.scenario.logical.ranges import Range

Meaning = TypeVar("Meaning")


class WeatherParameter(RoomConfig):
    """A parameter that the simulator does not use: it is checked and recorded with every instance."""

    unit: str = Field(default="", max_length=20, description="Unit of its numbers")
    usual: str | None = Field(default=None, description="Word where the scenario says nothing")
    words: dict[str, Range | None] = Field(default={}, description="Words, with numbers if they have any")
    bounds: Range | None = Field(default=None, description="Numbers allowed in place of a word")

    @field_validator("words")
    @classmethod
    def _plain(cls, words: dict[str, Range | None]) -> dict[str, Range | None]:
        return plain_keys(words)

    @model_validator(mode="after")
    def _usual_is_a_word(self) -> WeatherParameter:
        if self.usual is not None and plain(self.usual) not in self.words:
            raise ValueError(f"usual '{self.usual}' is none of its words: {', '.join(self.words)}")
        return self


def plain_keys(words: Mapping[str, Meaning]) -> dict[str, Meaning]:
    """The words as they are looked up; two that are equal then are refused."""
    found: dict[str, Meaning] = {}
    for word, meaning in words.items():
        if not 0 < len(word) <= 100:
            raise ValueError(f"a word has 1 to 100 characters, '{word[:40]}' has {len(word)}")
        if plain(word) in found:
            raise ValueError(f"duplicate word '{word}' (a space and an underscore are the same)")
        found[plain(word)] = meaning
    return found


def meaning_of(words: Mapping[str, Meaning], chosen: str, where: str, table: str) -> Meaning:
    """What a word stands for; ConfigError names the nearest word and all that are declared."""
    if chosen in words:
        return words[chosen]
    known = ", ".join(words) or "none"
    near = nearest(chosen, list(words))
    raise ConfigError(f"{where}: range table '{table}' has no '{chosen}'{near or ';'} it has: {known}")


def within(given: Range, bounds: Range | None, unit: str, where: str, table: str) -> Range:
    """Numbers in place of a word, if the table allows them."""
    if bounds is None:
        raise ConfigError(f"{where}: range table '{table}' has words for this, no numbers; add bounds to it")
    if given[0] < bounds[0] or given[1] > bounds[1]:
        raise ConfigError(
            f"{where}: {given[0]:g} to {given[1]:g} leaves the bounds of range table '{table}', "
            f"{bounds[0]:g} to {bounds[1]:g} {unit}".rstrip()
        )
    return given
