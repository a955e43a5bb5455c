"""Settings of a campaign: what is searched, how long, who flies, what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from uav_testgen.core.config import RoomConfig, load_config, read_yaml
from uav_testgen.core.defaults import DEFAULT_BACKEND, SAFE_DISTANCE_M
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.requirement import MOST_REQUIREMENTS, as_text
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.oracle.stl.requirement import is_formula
from uav_testgen.predict.stages import Stage, Stages, stages_of
from uav_testgen.predict.unseen import UnseenFlights
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.missions import named_arena

SYSTEM_PARTS = ("system", "vehicle", "planner", "camera")
"""Settings of simulating backends that may stand at the top of a campaign file."""
_SECOND_BUDGET = ("predictions", "flights")


class BudgetConfig(RoomConfig):
    """How much may be spent; the first limit that is reached ends the search."""

    simulations: int = Field(
        default=300,
        ge=1,
        le=10_000_000,
        description="Scenarios flown; repeats of one scenario belong to the same evaluation",
    )
    wall_s: float | None = Field(
        default=None,
        gt=0,
        le=1e7,
        description="Running time over all sessions [s]; results then depend on the machine's speed",
    )
    predictions: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,
        description="Scenarios predicted; instead of `simulations`, where `flights` are flown after the search",
    )
    flights: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="Flights by the confirming backend, spent on the most promising and diverse predictions",
    )

    @property
    def evaluations(self) -> int:
        """Scenarios the search may evaluate."""
        return self.simulations if self.predictions is None else self.predictions

    @model_serializer(mode="wrap")
    def _without_what_is_not_asked_for(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Campaigns with one budget are written as they are."""
        data: dict[str, Any] = plain(self)
        return {key: value for key, value in data.items() if value is not None or key not in _SECOND_BUDGET}


class ScreeningConfig(RoomConfig):
    """Which predictions are worth repeating and reporting."""

    backend: str = Field(
        default=DEFAULT_BACKEND, max_length=1000, description="Simulator used for prediction"
    )
    settings: dict[str, Any] = Field(default_factory=dict, description="Settings of that backend")
    accept_below_m: float = Field(
        default=SAFE_DISTANCE_M,
        gt=0,
        le=100,
        description="A predicted distance below this makes a test promising [m]",
    )
    repeats: int = Field(
        default=5,
        ge=0,
        le=1000,
        description="Runs drawn from the calibrated scatter for a promising test, besides the nominal one",
    )
    stages: tuple[Stage, ...] = Field(
        default=(),
        max_length=20,
        description="Instead of `repeats`: runs in stages, each for the tests that were promising enough before it",
    )
    scatter: ScatterConfig | None = Field(
        default=None,
        description="How runs differ and how far predictions are off; empty: the system's own",
    )
    flight_timeout_s: float = Field(
        default=300.0, gt=0, le=1e5, description="A flight that computes longer than this is given up [s]"
    )
    tries: int = Field(
        default=3, ge=1, le=10, description="Workers a scenario may kill before it is put in quarantine"
    )

    @property
    def all_stages(self) -> Stages:
        """How many runs a test gets, by what it shows."""
        return self.stages or stages_of(self.repeats, self.accept_below_m)


class ConfirmationConfig(RoomConfig):
    """Which backend flies the best tests again."""

    backend: str = Field(
        default="none", max_length=100, description="none, graph, px4, aerialist or any other backend"
    )
    settings: dict[str, Any] = Field(default_factory=dict, description="Settings of that backend")
    tests: int = Field(default=5, ge=0, le=1000, description="How many of the best tests are flown again")
    repeats: int = Field(default=1, ge=1, le=100, description="Flights of each")
    flight_timeout_s: float = Field(
        default=1800.0, gt=0, le=1e6, description="A flight that takes longer than this is given up [s]"
    )
    record: int = Field(
        default=1, ge=0, le=1000, description="How many of the best leave a recording, where the backend can"
    )


class RankingConfig(RoomConfig):
    """How the suite is chosen from the failures."""

    suite_size: int = Field(default=20, ge=1, le=100_000, description="Tests written, best first")
    max_obstacle_iou: float = Field(
        default=0.7, gt=0, le=1, description="Two tests whose obstacles overlap more than this are alike"
    )
    min_path_distance_m: float = Field(
        default=0.5,
        ge=0,
        le=100,
        description="Two tests whose paths differ less than this are alike [m, DTW mean]",
    )
    requirement: str = Field(
        default="",
        max_length=1000,
        description="Search and rank by this one of the requirements; empty: by the worst margin of all",
    )
    diversity_weight: float = Field(
        default=0.5, ge=0, le=10, description="Exponent of (1 - similarity to what was chosen already)"
    )
    hard_places: int | None = Field(
        default=None,
        ge=0,
        le=100_000,
        description="Places kept for the tests likeliest to come below the collision distance (in one flight of "
        "three at least), whatever they score; empty: as many as the generator asks for, usually none",
    )


class CampaignConfig(RoomConfig):
    """Everything that decides the result of a campaign, apart from the code itself."""

    name: str = Field(default="campaign", min_length=1, max_length=100, description="Name in reports")
    case: str = Field(
        max_length=1000, description="Case study: .plan or Aerialist YAML, relative to this file"
    )
    generator: str = Field(default="prgen", max_length=1000, description="Test generator")
    generator_settings: dict[str, Any] = Field(default_factory=dict, description="Its settings")
    arena: Arena = Field(default=Arena(), description="Rules for obstacles")
    seed: int = Field(default=1, ge=0, lt=2**63, description="All randomness comes from this")
    batch_size: int = Field(
        default=32,
        ge=1,
        le=10_000,
        description="Scenarios asked at once; never depends on the number of jobs",
    )
    budget: BudgetConfig = BudgetConfig()
    screening: ScreeningConfig = ScreeningConfig()
    requirements: tuple[str, ...] = Field(
        default=(),
        max_length=MOST_REQUIREMENTS,
        description="What must hold, e.g. max_altitude(limit_m=12); empty: the safe distance",
    )
    confirmation: ConfirmationConfig = ConfirmationConfig()
    ranking: RankingConfig = RankingConfig()
    held_out: UnseenFlights | None = Field(
        default=None,
        description="Fly the suite again by seeds and presets the search never saw and rank it by them; empty: only "
        "where the generator asks for it",
    )
    stored_period_s: float = Field(
        default=0.5, ge=0, le=60, description="Time between stored trajectory samples, 0 keeps all [s]"
    )

    @model_validator(mode="before")
    @classmethod
    def _parts_by_name(cls, data: Any) -> Any:
        """`backend`, `system`, `vehicle`, `planner` and `camera` may stand at the top of the file."""
        return with_parts(data) if isinstance(data, dict) else data

    @field_validator("requirements", mode="before")
    @classmethod
    def _requirements_as_text(cls, value: Any) -> Any:
        return requirement_texts(value)

    @field_validator("arena", mode="before")
    @classmethod
    def _arena_by_name(cls, value: Any) -> Any:
        """A shipped rule set may be named."""
        try:
            return named_arena(value) if isinstance(value, str) else value
        except InputFileError as error:
            raise ValueError(str(error)) from None

    @model_validator(mode="after")
    def _consistent(self) -> CampaignConfig:
        if self.confirmation.backend == self.screening.backend:
            raise ValueError(
                f"confirmation.backend is '{self.confirmation.backend}', the screening backend itself: "
                "a prediction cannot confirm itself; use none or another backend"
            )
        ranked_by = self.ranking.requirement
        if ranked_by and ranked_by not in self.requirements:
            listed = ", ".join(self.requirements) or "none"
            raise ValueError(f"ranking.requirement '{ranked_by}' is not one of the requirements ({listed})")
        return self


def load_campaign(
    path: Path, *, seed: int | None = None, replaced: Mapping[str, Any] | None = None
) -> CampaignConfig:
    """Read a campaign file; `seed` and the parts in `replaced` count instead of those in the file."""
    overrides = {**({} if seed is None else {"seed": seed}), **(replaced or {})}
    if "backend" in overrides:
        stated = read_yaml(path)
        screening = stated.get("screening") if isinstance(stated, dict) else None
        if isinstance(screening, dict):
            overrides["screening"] = {key: value for key, value in screening.items() if key != "backend"}
    return load_config(CampaignConfig, path, overrides=overrides or None)


def requirement_texts(value: Any) -> Any:
    """A list of requirements as text, whichever way a file writes them; ValueError names the wrong one.

    Formulas are read here, so that the message says in which file they are wrong. Nothing named is loaded.
    """
    given = [value] if isinstance(value, str | dict) else value
    if not isinstance(given, list | tuple):
        return given
    try:
        texts = tuple(as_text(one) for one in given)
        for text in filter(is_formula, texts):
            parse(text)
    except ConfigError as error:
        raise ValueError(str(error)) from None
    return texts


def with_parts(data: dict[str, Any]) -> dict[str, Any]:
    """Plain settings of a campaign with the parts named at the top moved to where they belong."""
    named = [key for key in ("backend", *SYSTEM_PARTS) if key in data]
    if not named:
        return data
    moved = {key: value for key, value in data.items() if key not in named}
    screening = moved.get("screening") or {}
    screening = screening.model_dump() if isinstance(screening, ScreeningConfig) else dict(screening)
    settings = dict(screening.get("settings") or {})
    for key in named:
        place = screening if key == "backend" else settings
        if key in place and place[key] != data[key] and key in (data.get("screening") or {}):
            raise ValueError(f"{key}: given at the top and in screening; leave one out")
        if data[key] is not None:
            place[key] = data[key]
    return {**moved, "screening": {**screening, "settings": settings}}


def changed_fields(stored: dict[str, Any], current: dict[str, Any], prefix: str = "") -> list[str]:
    """Where two plain configurations differ, as "field: stored -> current"."""
    changes = []
    for key in sorted({*stored, *current}):
        old, new = stored.get(key), current.get(key)
        if key not in stored and not new:  # an older version had no such setting, and it is not used
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            changes += changed_fields(old, new, f"{prefix}{key}.")
        elif old != new:
            changes.append(f"{prefix}{key}: {old!r} -> {new!r}")
    return changes
