"""Generators by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uav_testgen.core.config import RoomConfig, parse_config
from uav_testgen.core.registry import Registry
from uav_testgen.generator.base import Generator
from uav_testgen.scenario.model import Scenario

GENERATORS = Registry(
    "generator",
    {
        "random": "uav_testgen.generator.random_baseline:RandomGenerator",
        "prgen": "uav_testgen.generator.prgen:PrgenGenerator",
        "nsga2": "uav_testgen.generator.nsga2:Nsga2Generator",
        "surrealist": "uav_testgen.generator.surrealist.generator:SurrealistGenerator",
        "stella": "uav_testgen.generator.stella:StellaGenerator",
    },
)
"""A registered class has `config_type` and is built from (base scenario, config, seed).

One with `starts_from_a_test = True` gets the obstacles of the case study in its base scenario.
"""


def starts_from_a_test(name: str) -> bool:
    """Does this generator change the test it is given, rather than place obstacles of its own?"""
    return bool(getattr(GENERATORS.load(name), "starts_from_a_test", False))


def build_generator(
    name: str, base: Scenario, config: RoomConfig | Mapping[str, Any] | None = None, seed: int = 0
) -> Generator:
    """A generator ready to ask; `config` may be its configuration object, plain data or nothing."""
    kind = GENERATORS.load(name)
    if config is None or isinstance(config, Mapping):
        config = parse_config(kind.config_type, config or {}, source=f"settings of generator '{name}'")
    generator: Generator = kind(base, config, seed)
    return generator
