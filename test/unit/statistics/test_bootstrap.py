"""Bootstrap intervals."""

from __future__ import annotations

import numpy as np

from uav_testgen.statistics.bootstrap import interval

VALUES = np.random.default_rng(7).normal(2.0, 1.0, 300)


def test_an_interval_holds_the_mean_and_is_as_wide_as_the_theory_says() -> None:
    found = interval(lambda chosen: float(np.mean(VALUES[chosen])), 300, np.random.default_rng(1))
    assert found is not None
    low, high = found
    assert low < float(np.mean(VALUES)) < high
    expected = 2 * 1.96 * float(np.std(VALUES)) / np.sqrt(300)
    assert 0.8 * expected < high - low < 1.2 * expected


def test_a_statistic_that_is_hardly_ever_defined_has_none() -> None:
    assert interval(lambda chosen: None, 300, np.random.default_rng(1)) is None
    assert interval(lambda chosen: 1.0, 0, np.random.default_rng(1)) is None
