"""Shares and probabilities in words."""

from __future__ import annotations

import pytest

from uav_testgen.statistics.percent import percent, percent_range, probability_words


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0.0, "less than 1 %"),
        (0.0004, "less than 1 %"),
        (0.0099, "less than 1 %"),
        (0.01, "1 %"),
        (0.5936, "59 %"),
        (0.95, "95 %"),
        (0.9501, "more than 95 %"),
        (0.99994, "more than 95 %"),
        (1.0, "more than 95 %"),
    ],
)
def test_a_probability_is_never_said_to_be_certain(probability: float, words: str) -> None:
    assert probability_words(probability) == words


def test_shares_may_be_certain() -> None:
    assert (percent(0.0), percent(0.566), percent(1.0)) == ("0 %", "57 %", "100 %")
    assert percent_range(0.5655, 1.0) == "57–100 %"
