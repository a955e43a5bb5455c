"""Conformal limits hold as often as they say, whatever the errors look like."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.statistics.conformal import binomial_band, conformal_limit


def test_the_next_case_stays_below_as_often_as_promised() -> None:
    """Counted exactly: every case in turn is the next one, errors with heavy tails."""
    errors = np.random.default_rng(1).standard_cauchy(400)
    held = sum(
        errors[next_case] <= conformal_limit(np.delete(errors, next_case), 0.9) for next_case in range(400)
    )
    assert 0.9 <= held / 400 <= 0.9 + 1 / 400 + 1e-12


def test_too_few_cases_promise_nothing() -> None:
    assert conformal_limit(np.arange(8.0), 0.9) == math.inf
    assert conformal_limit(np.arange(9.0), 0.9) == 8.0


@pytest.mark.parametrize("trials", [1, 7, 48, 400])
def test_the_band_leaves_at_most_half_a_per_cent_on_each_side(trials: int) -> None:
    low, high = binomial_band(trials, 0.8)
    shares = [math.comb(trials, k) * 0.8**k * 0.2 ** (trials - k) for k in range(trials + 1)]
    assert sum(shares[:low]) <= 0.005 and sum(shares[high + 1 :]) <= 0.005 + 1e-12
    assert sum(shares[: low + 1]) > 0.005, "a narrower band would leave too much"
    assert high == 0 or sum(shares[high:]) > 0.005
