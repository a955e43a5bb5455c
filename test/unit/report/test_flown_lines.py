"""What is said of predictions that were not flown depends on whether such predictions were ever compared."""

from __future__ import annotations

from typing import Any

import pytest

from uav_testgen.view.flights import flights_lines


@pytest.mark.parametrize(
    ("expected", "words"),
    [(0.61, "0.6 failures are to be expected among them"), (None, "how many do is not known (uncalibrated)")],
)
def test_failures_to_be_expected_are_counted_where_they_can_be(expected: float | None, words: str) -> None:
    found: dict[str, Any] = {
        "backend": "command", "tests": 2, "flights": 3, "budget": 3, "failed": 1, "not_flown": 5,
        "ended_because": "the budget of flights is spent", "expected_failures_not_flown": expected,
        "systematic_error": {"mean_m": 0.1, "interval_80_m": [-0.1, 0.3], "tests": 2},
    }  # fmt: skip
    assert flights_lines(found)[-1] == f"not flown: 5 predictions that may fail; {words}"
