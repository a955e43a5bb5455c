"""Algorithms by name; "nsga2+pso+bo" is a sequential combination.

A new algorithm is one class (dimension, settings, seed, initial vectors; `settings_type`) and one
line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from uav_testgen.core.config import parse_config
from uav_testgen.core.registry import Registry
from uav_testgen.generator.algorithm.base import Vector, VectorSearch
from uav_testgen.generator.algorithm.combination import Combination, CombinationSettings, Factory, sequences

ALGORITHMS = Registry(
    "algorithm",
    {
        "random": "uav_testgen.generator.algorithm.random_search:RandomSearch",
        "nsga2": "uav_testgen.generator.algorithm.pymoo_bridge:Nsga2Search",
        "pso": "uav_testgen.generator.algorithm.pso:ParticleSwarm",
        "bo": "uav_testgen.generator.algorithm.bayesian:BayesianSearch",
    },
)
COMBINED = ("nsga2", "pso", "bo")
"""The algorithms whose three-fold sequences are compared in the literature."""


def algorithm_names() -> list[str]:
    """Single algorithms, then every three-fold combination."""
    return ALGORITHMS.names() + ["+".join(names) for names in sequences(COMBINED)]


def build_algorithm(
    name: str, dimension: int, settings: Mapping[str, Any], seed: int, initial: Sequence[Vector] = ()
) -> VectorSearch:
    """A running algorithm, or a combination of several."""
    members = name.split("+")
    if len(members) > 1:
        checked = parse_config(CombinationSettings, settings, source=f"settings of combination '{name}'")
        factories = [_factory(member, {"size": checked.size}) for member in members]
        return Combination(dimension, checked, seed, factories)
    kind = ALGORITHMS.load(name)
    options = parse_config(kind.settings_type, settings, source=f"settings of algorithm '{name}'")
    search: VectorSearch = kind(dimension, options, seed, initial)
    return search


def _factory(name: str, settings: Mapping[str, Any]) -> Factory:
    kind = ALGORITHMS.load(name)
    options = parse_config(kind.settings_type, settings, source=f"settings of algorithm '{name}'")

    def start(dimension: int, seed: int, initial: Sequence[Vector]) -> VectorSearch:
        search: VectorSearch = kind(dimension, options, seed, initial)
        return search

    return start
