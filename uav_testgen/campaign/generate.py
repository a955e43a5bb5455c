"""The competition's contract as a campaign: all failing tests, best first, within a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.backend.pace import repeats_flights
from uav_testgen.campaign.config import (
    BudgetConfig,
    CampaignConfig,
    ConfirmationConfig,
    RankingConfig,
    ScreeningConfig,
)
from uav_testgen.campaign.flying_system import settings_of_what_flies
from uav_testgen.core.config import parse_config

if TYPE_CHECKING:
    from uav_testgen.campaign.case import CaseStudy

PREDICTIONS_PER_FLIGHT = 10


@dataclass(frozen=True, slots=True)
class Flying:
    """Who flies the most promising predictions, and how many predictions there are to choose from."""

    backend: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    predictions: int | None = None


def default_folder(case: CaseStudy, generator: str, seed: int) -> Path:
    """Where a search writes when nobody says where: each generator and seed in a folder of its own."""
    label = generator.rpartition(":")[2] or generator
    return Path("results") / f"{case.name}-{label}-{seed}"


def generate_config(
    case: str,
    budget: int,
    generator: str,
    seed: int,
    backend: str = "lfs",
    generator_settings: Mapping[str, Any] | None = None,
    backend_settings: Mapping[str, Any] | None = None,
    flying: Flying | None = None,
    *,
    parts: Mapping[str, str] | None = None,
    requirements: Sequence[str] = (),
) -> CampaignConfig:
    """A campaign that reports every diverse failure instead of a suite of fixed size.

    `parts` replace parts of the system under test: planner, vehicle, camera, or all of it. With `flying` the budget
    is one of real flights, after a search among predictions.
    """
    settings_of_backend = {**(backend_settings or {}), **(parts or {})}
    spent = BudgetConfig.model_construct(simulations=budget)
    confirmation: dict[str, Any] = {}
    if flying is not None:
        spent = BudgetConfig.model_construct(
            simulations=budget,
            predictions=flying.predictions or PREDICTIONS_PER_FLIGHT * budget,
            flights=budget,
        )
        confirmation = {"backend": flying.backend, "settings": dict(flying.settings)}
        if backend == "lfs" and not {"system", "vehicle"} & set(settings_of_backend):
            # Predictions are for the system that flies.
            wish = ConfirmationConfig(backend=flying.backend, settings=dict(flying.settings))
            flown = settings_of_what_flies(ScreeningConfig(settings=settings_of_backend), wish)
            settings_of_backend |= flown or {}
    # Where a flight happens once and costs minutes, the budget counts flights: one for each test.
    once = {} if repeats_flights(backend) else {"repeats": 0}
    settings = {
        "name": "generate",
        "case": case,
        "generator": generator,
        "generator_settings": dict(generator_settings or {}),
        "seed": seed,
        "budget": spent.model_dump(),
        "screening": ScreeningConfig(backend=backend, settings=settings_of_backend, **once).model_dump(),
        "requirements": list(requirements),
        "confirmation": confirmation,
        "ranking": RankingConfig(suite_size=min(budget, 100_000)).model_dump(),
    }
    return parse_config(CampaignConfig, settings, source="generate")
