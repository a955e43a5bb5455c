"""Settings of a study: generators x cases x seeds x budgets, and how what they found is measured."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.defaults import DEFAULT_BACKEND, SAFE_DISTANCE_M
from uav_testgen.core.errors import InputFileError
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.missions import named_arena

# Results are kept in folders of these names; a file system ends at 255 bytes.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,59}")
_NAME_RULE = "1 to 60 letters, digits, dots, dashes, underscores or plus signs, the first a letter or digit"
_MOST_SEEDS = 1000


class StudiedGenerator(RoomConfig):
    """A generator of this package or of the user's, or a program that uses Aerialist."""

    generator: str | None = Field(
        default=None,
        max_length=1000,
        description="Shipped name or file.py:Class; empty: the name of the entry",
    )
    settings: dict[str, Any] = Field(default_factory=dict, description="Settings of that generator")
    command: tuple[str, ...] = Field(
        default=(),
        max_length=200,
        description="Instead: the words of a program that uses Aerialist, answered with predictions; "
        "{case}, {budget}, {seed} and {out} are filled in",
    )
    folder: str | None = Field(
        default=None,
        max_length=1000,
        description="The program's folder, relative to this file; every run gets a copy of its own to work in",
    )
    environment: dict[str, str] = Field(
        default_factory=dict, description="Further environment variables of the program, filled in likewise"
    )
    timeout_s: float = Field(
        default=3600.0, gt=0, le=1e6, description="A program that runs longer than this is ended [s]"
    )

    @model_validator(mode="after")
    def _one_kind(self) -> StudiedGenerator:
        if self.command and (self.generator is not None or self.settings):
            raise ValueError("a command has no generator or settings; put its options among its words")
        if not self.command and (self.folder is not None or self.environment):
            raise ValueError("folder and environment belong to a command; add command: [...]")
        if self.command and not self.command[0]:
            raise ValueError("command: its first word names the program to start")
        return self


class HeldOutConfig(RoomConfig):
    """How the tests of a run are judged: by flights its search never saw."""

    tests: int = Field(
        default=20, ge=1, le=1000, description="Tests of each suite that are flown, best first"
    )
    runs: int = Field(
        default=10, ge=5, le=1000, description="Flights of each; the first 5 (2025: 3) give its points"
    )
    seed: int = Field(
        default=0, ge=0, lt=2**63, description="Seed of these flights, the same for every generator"
    )


class StudyConfig(RoomConfig):
    """What is studied."""

    name: str = Field(default="study", min_length=1, max_length=100, description="Name in reports")
    generators: dict[str, StudiedGenerator] = Field(
        min_length=1, max_length=100, description="By the names they have in tables; a list of shipped names"
    )
    cases: tuple[str, ...] = Field(
        min_length=1,
        max_length=1000,
        description="Missions, logical scenarios (shipped names) or files, relative to this file",
    )
    seeds: tuple[int, ...] = Field(
        default=tuple(range(1, 11)),
        min_length=1,
        max_length=_MOST_SEEDS,
        description="One run for each; a single number N means 1 to N",
    )
    budgets: tuple[int, ...] = Field(
        default=(100,),
        min_length=1,
        max_length=100,
        description="Simulations of a run; each is a run of its own",
    )
    repeats: int = Field(
        default=0,
        ge=0,
        le=1000,
        description="Further flights of a promising scenario while searching; 0: a simulation is one flight for all",
    )
    suite_size: int = Field(default=20, ge=1, le=10_000, description="Most tests a run hands in")
    held_out: HeldOutConfig = HeldOutConfig()
    arena: Arena = Field(default=Arena(), description="Rules for obstacles")
    accept_below_m: float = Field(
        default=SAFE_DISTANCE_M, gt=0, le=100, description="A distance below this is a failure [m]"
    )
    backend: str = Field(
        default=DEFAULT_BACKEND, max_length=1000, description="Simulator used for prediction"
    )
    backend_settings: dict[str, Any] = Field(default_factory=dict, description="Settings of that backend")
    keep_evaluations: bool = Field(default=True, description="Keep every evaluation of a finished run")

    @field_validator("generators", mode="before")
    @classmethod
    def _names_alone(cls, value: Any) -> Any:
        if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
            if len(set(value)) != len(value):
                raise ValueError("each may appear only once")
            return {name: {} for name in value}
        if isinstance(value, dict):
            return {name: {} if entry is None else entry for name, entry in value.items()}
        return value

    @field_validator("seeds", mode="before")
    @classmethod
    def _count_of_seeds(cls, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            if not 1 <= value <= _MOST_SEEDS:
                raise ValueError(f"1 to {_MOST_SEEDS} seeds are expected")
            return tuple(range(1, value + 1))
        return value

    @field_validator("arena", mode="before")
    @classmethod
    def _arena_by_name(cls, value: Any) -> Any:
        try:
            return named_arena(value) if isinstance(value, str) else value
        except InputFileError as error:
            raise ValueError(str(error)) from None

    @model_validator(mode="after")
    def _all_different(self) -> StudyConfig:
        for name in self.generators:
            if not _NAME.fullmatch(name):
                raise ValueError(f"generators: '{name[:60]}' is no name for results; use {_NAME_RULE}")
        stems = [case_name(given) for given in self.cases]
        for given, name in zip(self.cases, stems, strict=True):
            if not _NAME.fullmatch(name):
                raise ValueError(f"cases: results are named after '{given[:60]}'; use {_NAME_RULE}")
        for field, values in (("cases", stems), ("seeds", self.seeds), ("budgets", self.budgets)):
            if len(set(values)) != len(values):
                raise ValueError(f"{field}: each may appear only once")
        for field, numbers, least in (("seeds", self.seeds, 0), ("budgets", self.budgets, 1)):
            if not all(least <= number < 2**63 for number in numbers):
                raise ValueError(f"{field}: whole numbers of at least {least} are expected")
        if max(self.budgets) > 10_000_000:
            raise ValueError("budgets: at most 10000000 simulations are allowed")
        return self


def case_name(given: str) -> str:
    """The name of a case in tables: that of its file, without ending."""
    return Path(given).stem
