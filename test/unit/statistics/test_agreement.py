"""Metrics against values known by hand or from scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from uav_testgen.statistics import agreement

MEASURED = np.array([0.5, 1.2, 1.4, 2.0, 2.0, 3.5])
PREDICTED = np.array([0.7, 1.6, 1.1, 2.2, 1.9, 3.0])


def test_correlations_agree_with_scipy() -> None:
    assert agreement.spearman(PREDICTED, MEASURED) == pytest.approx(stats.spearmanr(PREDICTED, MEASURED)[0])
    assert agreement.pearson(PREDICTED, MEASURED) == pytest.approx(stats.pearsonr(PREDICTED, MEASURED)[0])


def test_equal_values_share_their_rank() -> None:
    tied, other = np.array([3.0, 1.0, 3.0, 2.0]), np.array([1.0, 2.0, 4.0, 3.0])
    assert agreement.spearman(tied, other) == pytest.approx(stats.spearmanr(tied, other)[0])


def test_constant_prediction_has_no_correlation() -> None:
    assert agreement.spearman(np.ones(4), np.arange(4.0)) is None


def test_auc_counts_ordered_pairs() -> None:
    failed = np.array([True, True, False, False])
    assert agreement.auc(np.array([0.9, 0.4, 0.5, 0.1]), failed) == pytest.approx(0.75)
    assert agreement.auc(np.array([0.5, 0.5, 0.5, 0.5]), failed) == pytest.approx(0.5)
    assert agreement.auc(np.array([0.5, 0.2]), np.array([True, True])) is None


def test_precision_recall_f1() -> None:
    precision, recall, f1 = agreement.precision_recall_f1(PREDICTED < 1.5, MEASURED < 1.5)
    assert (precision, recall, f1) == (1.0, pytest.approx(2 / 3), pytest.approx(0.8))
    assert agreement.precision_recall_f1(np.array([False]), np.array([False])) == (None, None, None)


def test_errors() -> None:
    assert agreement.median_abs_error(PREDICTED, MEASURED) == pytest.approx(0.25)
    assert agreement.rmse(np.array([1.0, 3.0]), np.array([1.0, 1.0])) == pytest.approx(np.sqrt(2.0))


def test_brier_and_reliability() -> None:
    probability, failed = np.array([0.1, 0.9, 1.0, 0.0]), np.array([False, True, False, False])
    assert agreement.brier(probability, failed) == pytest.approx((0.01 + 0.01 + 1.0 + 0.0) / 4)
    table = agreement.reliability(probability, failed, bins=2)
    assert [row["n"] for row in table] == [2, 2]
    assert table[1]["observed"] == pytest.approx(0.5)
    assert table[1]["predicted"] == pytest.approx(0.95)
