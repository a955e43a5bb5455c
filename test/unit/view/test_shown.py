"""How far a path strays from another one, which a gallery gives bounds for."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.view.shown import farthest_m


def test_the_farthest_sample_counts_and_height_does_not() -> None:
    along = np.column_stack([np.linspace(0.0, 10.0, 101), np.zeros(101), np.zeros(101)])
    strays = along + np.array([0.0, 0.0, 30.0])
    strays[40:60, 1] = 3.0
    assert farthest_m(strays, along) == pytest.approx(3.0)
    assert farthest_m(along, strays) == pytest.approx(1.0)  # from the middle of the gap to either end of it
    assert farthest_m(along, along) == 0.0


def test_flights_of_an_hour_need_no_table_of_all_pairs() -> None:
    """36 000 samples each: every one with every other one would be 10 GB."""
    hovering = np.linspace([0.0, 0.0, 5.0], [0.01, 0.0, 5.0], 36_000)
    assert farthest_m(hovering + 1.0, hovering) == pytest.approx(np.hypot(1.0, 1.0), abs=0.01)
