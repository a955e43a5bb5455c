"""Requirements a page may name, and what it is told about them."""

from __future__ import annotations

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.oracle.requirement import make_requirement
from uav_testgen.oracle.stl.words import FormulaError
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.testing.still_backend import StillBackend
from uav_testgen.view.studio.requirements import (
    MOST_AT_ONCE,
    findings_json,
    read_requirements,
    requirement_menu,
)


def test_everything_in_the_menu_can_be_chosen() -> None:
    menu = requirement_menu()
    texts = [one["text"] for one in menu]
    assert "max_altitude(limit_m=120.0)" in texts and "always (distance > 1.5)" in texts
    assert read_requirements(texts) == tuple(texts)
    assert all(one["about"] and make_requirement(one["text"]) for one in menu)


@pytest.mark.parametrize(
    "given",
    ["separation", ["no_such"], ["evil.py:Evil"], ["package.module:Class(x=1)"], [7], [""], ["max_tilt(limit_deg=-1)"],
     ["separation"] * (MOST_AT_ONCE + 1), ["x" * 2000]],
)  # fmt: skip
def test_code_and_nonsense_are_refused(given: object) -> None:
    with pytest.raises(ConfigError):
        read_requirements(given)


def test_a_broken_formula_says_where() -> None:
    with pytest.raises((ConfigError, FormulaError), match="distance"):
        read_requirements(["always (distance >"])


def test_findings_say_met_violated_and_by_how_much() -> None:
    scenario = load_scene("two_walls")
    flight = StillBackend().fly(scenario, 0)
    kept, broken = findings_json(scenario, flight, ("max_altitude(limit_m=50)", "max_duration(limit_s=0.1)"))
    assert kept["met"] is True and kept["value"].endswith(" m") and kept["value"].startswith("+")
    assert broken["met"] is False and broken["value"].startswith("-") and broken["sentence"]
