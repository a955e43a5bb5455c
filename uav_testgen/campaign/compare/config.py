"""Settings of a comparison, and the cells of its matrix: scenario x algorithm x repetition."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator, model_validator

from uav_testgen.campaign.config import BudgetConfig, CampaignConfig, ScreeningConfig, requirement_texts
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.rng import derive_seed
from uav_testgen.generator.algorithm.combination import sequences
from uav_testgen.generator.algorithm.registry import ALGORITHMS, COMBINED
from uav_testgen.oracle.requirement import MOST_REQUIREMENTS
from uav_testgen.scenario.logical.declaration import find_logical

# A search is told its results in batches of this size; all algorithms the same.
_BATCH = 10
# Tables need distances, not paths: only the ends of each trajectory are kept.
_STORED_PERIOD_S = 60.0
# Files of results are named after scenario and algorithm together; file systems end at 255 bytes.
_MAX_NAME_BYTES = 100
_MAX_CAMPAIGN_NAME = 100


class CompareConfig(RoomConfig):
    """What is compared with what, and how often."""

    name: str = Field(default="comparison", min_length=1, max_length=100, description="Name in reports")
    scenarios: tuple[str, ...] = Field(
        min_length=1, max_length=1000, description="Logical scenarios: shipped names or JSON files"
    )
    algorithms: tuple[str, ...] = Field(
        default=("nsga2",),
        min_length=1,
        max_length=100,
        description="Names, sequences such as pso+nsga2+pso; 'published' means those of the publication",
    )
    baseline: str = Field(
        default="nsga2", max_length=200, description="The others are compared with this one"
    )
    repetitions: int = Field(default=3, ge=1, le=1000, description="Independent runs of each cell")
    evaluations: int = Field(default=500, ge=1, le=10_000_000, description="Flights per run")
    size: int = Field(default=50, ge=4, le=100_000, description="Population, swarm and first design")
    algorithm_settings: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="Further settings of single algorithms, by name"
    )
    safety_distance_m: float = Field(default=1.0, gt=0, le=100, description="Distance to be kept, 3-D [m]")
    requirements: tuple[str, ...] = Field(
        default=(),
        max_length=MOST_REQUIREMENTS,
        description="What is searched for instead: requirements, e.g. max_tilt(limit_deg=30)",
    )
    seed: int = Field(default=1, ge=0, lt=2**63, description="All randomness comes from this")
    backend: str = Field(default="lfs", max_length=100, description="Backend that predicts the flights")
    backend_settings: dict[str, Any] = Field(default_factory=dict, description="Settings of that backend")
    keep_evaluations: bool = Field(
        default=True, description="Keep every evaluation of a finished run; the worst is always kept"
    )

    @field_validator("algorithms", mode="before")
    @classmethod
    def _published(cls, value: Any) -> Any:
        """The word 'published' stands for three algorithms and their twelve sequences."""
        if not isinstance(value, list | tuple):
            return value
        every = [*COMBINED, *("+".join(names) for names in sequences(COMBINED))]
        return [name for given in value for name in (every if given == "published" else [given])]

    @field_validator("requirements", mode="before")
    @classmethod
    def _requirements_as_text(cls, value: Any) -> Any:
        return requirement_texts(value)

    @model_validator(mode="after")
    def _known(self) -> CompareConfig:
        for name in (*self.algorithms, *self.algorithm_settings):
            for member in name.split("+"):
                if member not in ALGORITHMS.names():
                    known = ", ".join(ALGORITHMS.names())
                    raise ValueError(f"algorithms: '{name}' is unknown; known are {known} and a+b+c of these")
        for field, values in (("algorithms", self.algorithms), ("scenarios", self.scenarios)):
            if len(set(values)) != len(values):
                raise ValueError(f"{field}: each may appear only once")
        if self.baseline not in self.algorithms:
            raise ValueError(f"baseline: '{self.baseline}' is not one of the algorithms")
        return self

    @model_validator(mode="after")
    def _short_enough_to_name_files(self) -> CompareConfig:
        stems = tuple(Path(given).stem for given in self.scenarios)
        for field, names, way_out in (
            ("algorithms", self.algorithms, "use a shorter sequence"),
            ("scenarios", stems, "rename the file"),
        ):
            name = max(names, key=lambda one: len(one.encode()))
            size = len(name.encode())
            if size > _MAX_NAME_BYTES:
                raise ValueError(
                    f"{field}: '{name[:40]}...' is {size} bytes long; results are named after it, at most "
                    f"{_MAX_NAME_BYTES} are allowed: {way_out}"
                )
        return self


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of one algorithm on one logical scenario."""

    number: int
    scenario: str
    algorithm: str
    repetition: int

    @property
    def folder(self) -> str:
        """Where its evaluations are, below the output folder."""
        return f"cells/{self.scenario}/{self.algorithm}/run-{self.repetition:02d}"


def cells(config: CompareConfig) -> list[Cell]:
    """The matrix, repetitions outermost, so that an interrupted comparison has whole repetitions."""
    axes = product(range(1, config.repetitions + 1), config.scenarios, config.algorithms)
    return [
        Cell(number, Path(scenario).stem, algorithm, repetition)
        for number, (repetition, scenario, algorithm) in enumerate(axes)
    ]


def scenario_files(config: CompareConfig, folder: Path) -> dict[str, Path]:
    """Every logical scenario's file by the name it has in tables."""
    files = {Path(given).stem: find_logical(given, folder) for given in config.scenarios}
    if len(files) != len(config.scenarios):
        raise ConfigError("scenarios: two files have the same name; tables could not tell them apart")
    return files


def cell_campaign(config: CompareConfig, cell: Cell, case: str) -> CampaignConfig:
    """The search of one cell, as a campaign without a suite."""
    settings: dict[str, Any] = {"size": config.size}
    if "+" in cell.algorithm:
        settings["evaluations"] = config.evaluations
    settings |= config.algorithm_settings.get(cell.algorithm, {})
    return CampaignConfig(
        name=_campaign_name(f"{cell.scenario} {cell.algorithm} {cell.repetition}"),
        case=case,
        generator="stella",
        generator_settings={
            "algorithm": cell.algorithm,
            "settings": settings,
            "safety_distance_m": config.safety_distance_m,
        },
        seed=derive_seed(config.seed, cell.scenario, cell.algorithm, cell.repetition),
        batch_size=_BATCH,
        requirements=config.requirements,
        budget=BudgetConfig(simulations=config.evaluations),
        screening=ScreeningConfig(
            backend=config.backend,
            settings=config.backend_settings,
            repeats=0,
        ),
        stored_period_s=_STORED_PERIOD_S,
    )


def _campaign_name(full: str) -> str:
    """The name itself, or its beginning and a hash of all of it, so that long names stay different."""
    if len(full) <= _MAX_CAMPAIGN_NAME:
        return full
    digest = hashlib.blake2b(full.encode(), digest_size=8).hexdigest()
    return f"{full[: _MAX_CAMPAIGN_NAME - len(digest) - 1]} {digest}"
