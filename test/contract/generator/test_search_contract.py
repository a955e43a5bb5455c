"""The searching generators keep the contract too."""

from __future__ import annotations

import pytest

from uav_testgen.testing.generator_contract import GeneratorContract

pytestmark = pytest.mark.contract


class TestNsga2(GeneratorContract):
    name = "nsga2"
    settings = {"population": 4}  # noqa: RUF012


class TestNsga2Large(GeneratorContract):
    """A batch is only a part of the first generation."""

    name = "nsga2"
    settings = {"population": 30, "obstacles": 2}  # noqa: RUF012
