"""Generators by name."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from inspect import signature
from typing import Any

from uav_testgen.core.config import RoomConfig, parse_config
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.own_line import making
from uav_testgen.core.plugin import is_plugin
from uav_testgen.core.registry import Registry
from uav_testgen.generator.base import Generator
from uav_testgen.scenario.model import Scenario

GENERATORS = Registry(
    "generator",
    {
        "random": "uav_testgen.generator.random_baseline:RandomGenerator",
        "prgen": "uav_testgen.generator.prgen:PrgenGenerator",
        "hunt": "uav_testgen.generator.hunt.generator:HuntGenerator",
        "nsga2": "uav_testgen.generator.nsga2:Nsga2Generator",
        "surrealist": "uav_testgen.generator.surrealist.generator:SurrealistGenerator",
        "stella": "uav_testgen.generator.stella:StellaGenerator",
    },
)
"""A shipped class has `config_type` and is built from (base scenario, config, seed); see `_own` for simpler ones.

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
    if not hasattr(kind, "config_type"):
        return _own(name, kind, base, config, seed)
    if config is None or isinstance(config, Mapping):
        config = parse_config(kind.config_type, config or {}, source=f"settings of generator '{name}'")
    with making("generator", name) if is_plugin(name) else contextlib.nullcontext():
        generator: Generator = kind(base, config, seed)
    return generator


def _own(name: str, kind: Any, base: Scenario, config: Any, seed: int) -> Generator:
    """A generator without settings: an object, or a class or function that may ask for `base` and `seed`."""
    if config:
        raise ConfigError(f"generator '{name}' declares no settings (config_type), but some are given")
    found = kind
    if isinstance(kind, type) or not hasattr(kind, "ask"):
        offered = {"base": base, "seed": seed}
        try:
            given = {word: value for word, value in offered.items() if word in signature(kind).parameters}
            signature(kind).bind(**given)
        except (TypeError, ValueError) as error:
            raise ConfigError(
                f"generator '{name}' cannot be made: {error}; it may take `base` (the scenario without "
                "obstacles) and `seed`, and nothing else without a default"
            ) from None
        with making("generator", name):
            found = kind(**given)
    missing = [word for word in ("ask", "tell") if not callable(getattr(found, word, None))]
    if missing:
        raise ConfigError(f"generator '{name}' has no method {' and no method '.join(missing)}")
    if not hasattr(found, "name"):
        found.name = name
    own: Generator = found
    return own
