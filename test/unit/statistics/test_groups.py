"""Friedman, Holm and all pairs against SciPy, formulas and worked examples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from uav_testgen.statistics.groups import friedman, holm, pairwise


def test_friedman_is_that_of_scipy_and_of_the_formula() -> None:
    random = np.random.default_rng(3)
    blocks = random.normal(loc=(0.0, 0.5, 1.0, 0.0), size=(12, 4))
    found = friedman(blocks.tolist())
    expected = stats.friedmanchisquare(*blocks.T)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-12)
    n, k = blocks.shape
    sums = np.array(found.mean_ranks) * n
    assert found.statistic == pytest.approx(12.0 / (n * k * (k + 1)) * (sums**2).sum() - 3 * n * (k + 1))
    assert found.blocks == n


def test_smaller_values_have_the_better_rank_and_ties_share_theirs() -> None:
    assert friedman([[1.0, 2.0, 3.0], [1.0, 3.0, 3.0]]).mean_ranks == (1.0, 2.25, 2.75)


@pytest.mark.parametrize(
    "blocks", [[], [[1.0, 2.0, 3.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]]
)
def test_friedman_says_nothing_where_it_is_not_defined(blocks: list[list[float]]) -> None:
    found = friedman(blocks)
    assert found.p is None and found.statistic is None
    assert found.blocks == len(blocks)


def test_holm_multiplies_by_the_tests_that_are_left_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])
    assert holm([None, 0.02, None]) == [None, pytest.approx(0.02), None]
    assert holm([]) == []


def test_pairs_are_mann_whitney_and_a12_corrected_together() -> None:
    samples = {"a": [1.0, 2.0, 3.0, 4.0], "b": [2.5, 5.0, 6.0, 7.0], "none": [], "c": [9.0, 9.5, 8.0, 8.5]}
    found = {(pair.first, pair.second): pair for pair in pairwise(samples)}
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    for (first, second), pair in found.items():
        whole = stats.mannwhitneyu(samples[first], samples[second], alternative="two-sided")
        assert pair.p == pytest.approx(whole.pvalue)
        assert pair.a12 == pytest.approx(1.0 - whole.statistic / 16)
    assert [pair.p_holm for pair in found.values()] == holm([pair.p for pair in found.values()])
    assert found["a", "c"].effect == "large"


def test_equal_samples_have_no_p_value() -> None:
    (pair,) = pairwise({"a": [1.0, 1.0], "b": [1.0, 1.0]})
    assert (pair.p, pair.p_holm, pair.a12, pair.effect) == (None, None, 0.5, "negligible")
