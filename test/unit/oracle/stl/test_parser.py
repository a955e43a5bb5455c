"""Formulas are read as written; wrong ones are refused in one line that names the place and the way out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from uav_testgen.oracle.stl.parser import FormulaError, parse

WORDS = ("always", "eventually[0,5]", "until[1,2]", "and", "or", "not", "implies", "(", ")", "distance", "speed",
         ">", "<=", "1.5", "m", "m/s", "[", "]", ",", "-", "/", "abs", "inf",
         "distance_1", "=", "é", "\x00")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("always (distance > 1.5)", "(always (distance > 1.5))"),
        (
            "not distance > 1 and speed < 2 or leg == 1",
            "(((not (distance > 1)) and (speed < 2)) or (leg == 1))",
        ),
        (
            "distance > 1 implies speed < 1 implies leg == 2",
            "((distance > 1) implies ((speed < 1) implies (leg == 2)))",
        ),
        (
            "always distance > 1 and eventually[0:5] speed < 1",
            "((always (distance > 1)) and (eventually[0,5] (speed < 1)))",
        ),
        ("leg == 1 until[0, 2 min] leg == 2", "((leg == 1) until[0,120] (leg == 2))"),
        ("always !(speed > 18 km/h) && tilt < 30 deg", "((always (not (speed > 5))) and (tilt < 30))"),
        ("distance - 1 - 2 > -0.5", "(((distance - 1) - 2) > -0.5)"),
        ("2*distance > distance_2/3 + 1 m", "((2 * distance) > ((distance_2 / 3) + 1))"),
        ("distance / time < 2 m/s", "((distance / time) < 2)"),
        ("always[2,inf] altitude > 3", "(always[2,inf] (altitude > 3))"),
    ],
)
def test_means(text: str, meaning: str) -> None:
    assert str(parse(text)) == meaning


@pytest.mark.parametrize(
    ("text", "character", "words"),
    [
        ("always (distnce > 1.5)", 9, "unknown signal 'distnce', did you mean 'distance'?"),
        ("always (distance > 1.5 s)", 18, "'>' needs equal units, but distance is in m and 1.5 is in s"),
        ("ALWAYS (distance > 1)", 1, "unknown signal 'ALWAYS', did you mean 'always'?"),
        ("always (Distance > 1)", 9, "unknown signal 'Distance', did you mean 'distance'?"),
        ("distance + speed > 1", 10, "distance is in m and speed is in m/s"),
        ("distance > 1.5 ft", 16, "unknown unit 'ft'; known: m"),
        ("always distance", 1, "a condition such as distance > 1.5"),
        ("always (distance > 1.5", 23, "')' is missing here, for the '(' at character 8"),
        ("distance / 0 > 1", 10, "a division by 0 has no value"),
        ("1 < distance < 3", 14, "1 < distance and distance < 3"),
        ("always[5,1] distance > 1", 7, "must ascend"),
        ("always[0,3 m] distance > 1", 10, "a time is in s, not in m"),
        ("always[-1,3] distance > 1", 8, "'once' and 'historically' look back"),
        ("distance = 1", 10, "write == to compare"),
        ("distance > 1 distance < 2", 14, "an operator is missing before 'distance'"),
        ("distance > 1e999", 12, "too large"),
        ("leg == 1 until leg == 2 until leg == 3", 25, "put brackets"),
        ("abs(distance > 1) < 2", 1, "a value is expected, not the condition"),
        ("distance > 1 and", 17, "found the end"),
        ("", 1, "found the end"),
    ],
)
def test_wrong(text: str, character: int, words: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert caught.value.position == character - 1
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "distance > 1" + ")" * 4000,
        "not " * 2400 + "distance > 1",
        "distance > " + "1+" * 4000 + "1",
        "distance > " + "-" * 5000 + "1",
        "leg == 1 implies " * 500 + "leg == 1",
        "distance > 1 and " * 1000,
        "x" * 20_000,
    ],
)
def test_hostile(text: str) -> None:
    with pytest.raises(FormulaError):
        parse(text)


def test_a_long_list_of_conditions_is_not_deep() -> None:
    assert len(parse(" and ".join(["distance > 1"] * 500)).parts) == 500  # type: ignore[union-attr]


@settings(max_examples=150, deadline=None)
@given(some.lists(some.sampled_from(WORDS), max_size=25))
def test_never_crashes(words: list[str]) -> None:
    try:
        parse(" ".join(words))
    except FormulaError as error:
        assert 0 <= error.position <= len(" ".join(words))
