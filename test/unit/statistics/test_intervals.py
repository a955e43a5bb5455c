"""Intervals of shares, against textbook values."""

from __future__ import annotations

import pytest

from uav_testgen.statistics.intervals import share_interval


def test_share_interval_is_wilsons() -> None:
    assert share_interval(3, 5) == pytest.approx((0.2307, 0.8824), abs=1e-4)
    assert share_interval(0, 5)[0] == 0.0
    assert share_interval(5, 5)[1] == pytest.approx(1.0)


def test_no_trial_has_no_interval() -> None:
    with pytest.raises(ValueError, match="at least one"):
        share_interval(0, 0)
