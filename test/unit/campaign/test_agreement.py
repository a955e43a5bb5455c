"""Confusion table and distance errors, by hand."""

from __future__ import annotations

import pytest

from uav_testgen.campaign.agreement import Agreement, Pair

pytestmark = pytest.mark.unit


def pair(predicted: float, *confirmed: float, not_flown: int = 0) -> Pair:
    return Pair(
        1, predicted, confirmed, predicted < 1.5, tuple(distance < 1.5 for distance in confirmed), not_flown
    )


def test_by_hand() -> None:
    found = Agreement("px4", 1.5, (pair(0.5, 0.7, 1.9), pair(1.0, 1.0), pair(2.0, 1.0), pair(3.0, 3.5)))
    assert found.confusion == {"both_fail": 2, "only_predicted": 1, "only_confirmed": 1, "both_pass": 1}
    assert found.agreement == pytest.approx(3 / 5)
    data = found.to_json()
    assert data["mean_error_m"] == pytest.approx((0.8 + 0.0 - 1.0 + 0.5) / 4)
    assert data["mean_absolute_error_m"] == pytest.approx((0.8 + 0.0 + 1.0 + 0.5) / 4)
    assert "60 % as predicted" in found.sentences()[0]


def test_nothing_flown() -> None:
    found = Agreement("px4", 1.5, (pair(0.5, not_flown=2),))
    assert found.agreement is None
    assert found.to_json()["not_flown"] == 2
    assert "could fly none of the 1 tests" in found.sentences()[0]
