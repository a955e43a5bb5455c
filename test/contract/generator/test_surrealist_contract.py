"""The greedy search keeps the contract, with both fitnesses."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from uav_testgen.testing.generator_contract import GeneratorContract

pytestmark = pytest.mark.contract


class TestGeneration(GeneratorContract):
    name = "surrealist"


class TestReplication(GeneratorContract):
    """Replication in the competition's arena: obstacles tall enough for its rules."""

    name = "surrealist"
    settings: ClassVar[dict[str, Any]] = {
        "fitness": "replication",
        "target": [[float(step), 0.0, 10.0] for step in range(20)],
        "obstacles": 2,
        "seed_size_m": [3.0, 3.0, 15.0],
    }


class TestShortSearches(GeneratorContract):
    """Searches that end after a few flights and start again from another seed."""

    name = "surrealist"
    settings: ClassVar[dict[str, Any]] = {"budget": 3, "mutators": ["move"]}
    rounds = 8
