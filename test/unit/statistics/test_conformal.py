"""Conformal limits hold as often as they say, whatever the errors look like."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.statistics.conformal import binomial_band, conformal_limit, rising_steps


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


def test_steps_rise_and_keep_every_case() -> None:
    random = np.random.default_rng(2)
    scores = random.uniform(size=500)
    happened = random.uniform(size=500) < scores**2
    steps = rising_steps(scores, happened, 40)
    assert sum(count for _, _, count in steps) == 500 and min(count for _, _, count in steps) >= 40
    assert [score for score, _, _ in steps] == sorted(score for score, _, _ in steps)
    shares = [share for _, share, _ in steps]
    assert shares == sorted(shares) and len(set(shares)) == len(shares)
    assert all(share == pytest.approx(score**2, abs=0.15) for score, share, _ in steps)


def test_scores_that_say_nothing_become_one_step() -> None:
    steps = rising_steps(np.arange(80.0), np.arange(80) < 40, 40)
    assert steps == [(pytest.approx(39.5), 0.5, 80)]
