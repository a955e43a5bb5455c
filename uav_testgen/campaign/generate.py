"""The competition's contract as a campaign: all failing tests, best first, within a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from uav_testgen.campaign.config import BudgetConfig, CampaignConfig, RankingConfig, ScreeningConfig
from uav_testgen.core.config import parse_config


def generate_config(
    case: str,
    budget: int,
    generator: str,
    seed: int,
    backend: str = "lfs",
    generator_settings: Mapping[str, Any] | None = None,
    *,
    parts: Mapping[str, str] | None = None,
    requirements: Sequence[str] = (),
) -> CampaignConfig:
    """A campaign that reports every diverse failure instead of a suite of fixed size.

    `parts` replace parts of the system under test: planner, vehicle, camera, or all of it.
    """
    settings = {
        "name": "generate",
        "case": case,
        "generator": generator,
        "generator_settings": dict(generator_settings or {}),
        "seed": seed,
        "budget": BudgetConfig.model_construct(simulations=budget).model_dump(),
        "screening": ScreeningConfig(backend=backend, settings=dict(parts or {})).model_dump(),
        "requirements": list(requirements),
        "ranking": RankingConfig(suite_size=min(budget, 100_000)).model_dump(),
    }
    return parse_config(CampaignConfig, settings, source="generate")
