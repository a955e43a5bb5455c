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


class TestHunt(GeneratorContract):
    """With few fresh ideas, so that elites are varied."""

    name = "hunt"
    settings = {"first_ideas": 3, "first_share": 0.1}  # noqa: RUF012
    cases = tuple(f"mission{number}" for number in range(1, 8))


class TestStella(GeneratorContract):
    """The default algorithm, on a static and on a moving scene."""

    name = "stella"
    settings = {"settings": {"size": 4}}  # noqa: RUF012
    cases = ("stella/scenarios/scenario-02.json", "stella/scenarios/scenario-09.json")


class TestStellaSwarm(GeneratorContract):
    name = "stella"
    settings = {"algorithm": "pso", "settings": {"size": 5}}  # noqa: RUF012
    cases = ("stella/scenarios/scenario-16.json",)


class TestStellaBayesian(GeneratorContract):
    name = "stella"
    settings = {"algorithm": "bo", "settings": {"size": 4, "candidates": 32}}  # noqa: RUF012
    cases = ("stella/scenarios/static-5.json",)


class TestStellaCombined(GeneratorContract):
    """Twelve proposals pass through all three members."""

    name = "stella"
    settings = {"algorithm": "pso+nsga2+pso", "settings": {"size": 4, "evaluations": 12}}  # noqa: RUF012
    cases = ("stella/scenarios/scenario-22.json",)
