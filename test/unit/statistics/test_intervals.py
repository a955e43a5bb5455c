"""Intervals of shares, against textbook values."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from uav_testgen.statistics.intervals import exact_interval, share_interval


def test_share_interval_is_wilsons() -> None:
    assert share_interval(3, 5) == pytest.approx((0.2307, 0.8824), abs=1e-4)
    assert share_interval(0, 5)[0] == 0.0
    assert share_interval(5, 5)[1] == pytest.approx(1.0)


def test_no_trial_has_no_interval() -> None:
    with pytest.raises(ValueError, match="at least one"):
        share_interval(0, 0)


@pytest.mark.parametrize("trials", [1, 2, 5, 20, 1000])
def test_it_is_the_interval_of_scipy(trials: int) -> None:
    from scipy.stats import binomtest

    for successes in {0, 1, trials // 2, trials}:
        for confidence in (0.8, 0.95, 0.99):
            expected = binomtest(successes, trials).proportion_ci(confidence, method="wilson")
            found = share_interval(successes, trials, confidence)
            assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_exact_interval_is_that_of_the_binomial_distribution() -> None:
    for successes, trials in ((0, 10), (1, 10), (3, 20), (500, 1000), (10, 10)):
        expected = binomtest(successes, trials).proportion_ci(0.95, method="exact")
        assert exact_interval(successes, trials) == pytest.approx((expected.low, expected.high))
    with pytest.raises(ValueError, match="at least one"):
        exact_interval(0, 0)
    with pytest.raises(ValueError, match="more successes"):
        exact_interval(3, 2)
