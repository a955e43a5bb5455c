"""Statistics against numbers computed by hand."""

from __future__ import annotations

import math

import pytest

from uav_testgen.statistics.samples import a12_better, effect_size, improvement_percent, mann_whitney_p


def test_a12_by_hand() -> None:
    # Pairs (first < second): 1<2, 1<4, 3<4 are better, 3<2 is not: 3 of 4.
    assert a12_better([1.0, 3.0], [2.0, 4.0]) == 0.75
    # 1 against 1 is a tie (half), 1<2 better, 2>1 worse, 2 against 2 a tie: (0.5 + 1 + 0 + 0.5) / 4.
    assert a12_better([1.0, 2.0], [1.0, 2.0]) == 0.5
    assert a12_better([1.0], [2.0, 3.0]) == 1.0
    assert a12_better([5.0, 6.0], [2.0, 3.0]) == 0.0


def test_exchanging_the_samples_mirrors_a12() -> None:
    first, second = [0.1, 0.4, 0.4, 2.0], [0.4, 1.0, -3.0]
    assert a12_better(first, second) == pytest.approx(1.0 - a12_better(second, first))


@pytest.mark.parametrize(
    ("a12", "word"),
    [
        (0.5, "negligible"),
        (0.55, "negligible"),
        (0.56, "small"),
        (0.57, "small"),
        (0.44, "small"),
        (0.64, "medium"),
        (0.71, "large"),
        (0.29, "large"),
        (0.26, "large"),
        (0.39, "small"),
        (1.0, "large"),
    ],
)
def test_words_for_effect_sizes(a12: float, word: str) -> None:
    assert effect_size(a12) == word


def test_mann_whitney_exact_by_hand() -> None:
    # All of the first below all of the second: 1 of the C(6, 3) = 20 arrangements, so p = 1/20 one-sided.
    first, second = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
    assert mann_whitney_p(first, second, "better") == pytest.approx(1 / 20)
    assert mann_whitney_p(first, second) == pytest.approx(2 / 20)
    assert mann_whitney_p(second, first, "better") == pytest.approx(1.0)


def test_mann_whitney_with_ties_by_hand() -> None:
    # Ranks of [1, 2, 2] and [2, 3, 3]: 1, 3, 3 | 3, 5.5, 5.5; U of the first = 7 - 6 = 1.
    # Mean 4.5; ties of 3 and 2: variance = 9/12 * (7 - (24 + 6) / 30) = 4.5; continuity correction 0.5.
    z = (abs(1.0 - 4.5) - 0.5) / math.sqrt(4.5)
    expected = math.erfc(z / math.sqrt(2.0))
    assert mann_whitney_p([1.0, 2.0, 2.0], [2.0, 3.0, 3.0]) == pytest.approx(expected)


def test_equal_values_have_no_p() -> None:
    assert mann_whitney_p([1.0, 1.0], [1.0]) is None


def test_empty_samples_are_refused() -> None:
    for call in (a12_better, mann_whitney_p):
        with pytest.raises(ValueError, match="at least one value"):
            call([], [1.0])


def test_improvement() -> None:
    assert improvement_percent(0.8, 1.0) == pytest.approx(20.0)
    assert improvement_percent(-1.0, 1.0) == pytest.approx(200.0)
    assert improvement_percent(-0.6, -0.5) == pytest.approx(20.0)
    assert improvement_percent(1.2, 1.0) == pytest.approx(-20.0)
    assert improvement_percent(1.0, 0.0) is None
