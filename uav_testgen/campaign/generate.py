"""The competition's contract as a campaign: all failing tests, best first, within a budget."""

from __future__ import annotations

from collections.abc import Mapping
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
) -> CampaignConfig:
    """A campaign that reports every diverse failure instead of a suite of fixed size."""
    settings = {
        "name": "generate",
        "case": case,
        "generator": generator,
        "generator_settings": dict(generator_settings or {}),
        "seed": seed,
        "budget": BudgetConfig.model_construct(simulations=budget).model_dump(),
        "screening": ScreeningConfig(backend=backend).model_dump(),
        "ranking": RankingConfig(suite_size=min(budget, 100_000)).model_dump(),
    }
    return parse_config(CampaignConfig, settings, source="generate")
