"""A formula is a requirement like any other: by itself, as `formula(text=...)`, and told apart from names."""

from __future__ import annotations

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.oracle.requirement import find, make_requirement, split_text
from uav_testgen.oracle.stl.requirement import Formula, is_formula
from uav_testgen.oracle.stl.words import FormulaError
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("always (distance > 1.5)", True),
        ("always distance", True),
        ("distnce>1", True),
        ("abs(distance - 2) < 1", True),
        ("(leg == 1) until[0:5] leg == 2", True),
        ("separation", False),
        ("max_altitude(limit_m=12)", False),
        ("mine.py:Quick(limit_s=45)", False),
        ("formula(text='always (distance > 1.5)')", False),
        ("always.py:Mine", False),
    ],
)
def test_formulas_and_names(text: str, expected: bool) -> None:
    assert is_formula(text) is expected


def test_judges_flights() -> None:
    scenario = make_scenario(make_box(), mission=make_mission())
    flight = make_flight(scenario, [(0.25 * step, 4.0, 10.0) for step in range(200)])
    found = find(make_requirement("always (distance > 1.5)"), scenario, flight)
    assert found.violated and found.margin == pytest.approx(-0.5) and found.unit == "m"
    assert found.name == "always (distance > 1.5)" and "Violated by 0.50 m" in found.sentence
    same = find(make_requirement("formula(text='always (distance > 1.5)')"), scenario, flight)
    assert same == found
    assert find(make_requirement("formula"), scenario, flight) == found
    nothing = find(make_requirement("always (distance > 1.5)"), scenario.with_obstacles(()), flight)
    assert nothing.margin is None and not nothing.violated


def test_wrong_formulas_say_where() -> None:
    assert split_text("always (distance > 1)") == ("formula", {"text": "always (distance > 1)"})
    with pytest.raises(FormulaError, match="character 9: unknown signal 'distnce'"):
        make_requirement("always (distnce > 1.5)")
    with pytest.raises(ConfigError):
        make_requirement("formula(text=3)")
    assert Formula("always (" + " and ".join(["distance > 1"] * 20) + ")").name.endswith("…")
