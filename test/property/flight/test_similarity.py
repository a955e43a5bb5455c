"""DTW and Fréchet against a plain table, and their laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.flight.average import average_path, medoid
from uav_testgen.flight.similarity import dtw_m, dtw_mean_m, frechet_m, matching


def plain(one, other, combine):
    """The textbook table, in float64, cell by cell."""
    cost = np.sqrt(((one[:, None] - other[None]) ** 2).sum(axis=2))
    table = np.full((len(one) + 1, len(other) + 1), np.inf)
    table[0, 0] = 0.0
    for i in range(len(one)):
        for j in range(len(other)):
            best = min(table[i, j], table[i, j + 1], table[i + 1, j])
            table[i + 1, j + 1] = combine(best, cost[i, j])
    return table[-1, -1]


@st.composite
def paths(draw):
    seed = draw(st.integers(0, 2**32 - 1))
    lengths = draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
    origin = draw(st.floats(-5000.0, 5000.0))
    rng = np.random.default_rng(seed)
    return tuple(origin + np.cumsum(rng.normal(size=(length, 3)), axis=0) for length in lengths)


@given(paths())
@settings(max_examples=80)
def test_equal_to_the_plain_table(pair):
    one, other = pair
    assert dtw_m(one, other) == pytest.approx(
        plain(one, other, lambda best, cost: best + cost), rel=2e-5, abs=1e-4
    )
    assert frechet_m(one, other) == pytest.approx(plain(one, other, max), rel=2e-5, abs=1e-4)


@given(paths())
@settings(max_examples=30)
def test_laws(pair):
    one, other = pair
    assert dtw_m(one, one) == 0.0
    assert frechet_m(one, one) == 0.0
    assert dtw_m(one, other) == pytest.approx(dtw_m(other, one), rel=1e-5, abs=1e-4)
    # Shifting one path by a metre costs exactly a metre of Fréchet distance and a metre per point.
    shifted = one + np.array([0.0, 0.0, 1.0])
    assert frechet_m(one, shifted) <= 1.0 + 1e-5
    assert dtw_mean_m(one, shifted) <= 1.0 + 1e-5


def test_long_paths_keep_their_precision():
    rng = np.random.default_rng(3)
    one, other = (np.cumsum(rng.normal(size=(700, 3)), axis=0) for _ in range(2))
    assert dtw_m(one, other) == pytest.approx(plain(one, other, lambda best, cost: best + cost), rel=1e-4)


@pytest.mark.parametrize("wrong", [np.zeros((0, 3)), np.zeros(3), np.full((2, 3), np.nan), np.zeros((2, 4))])
def test_wrong_paths(wrong):
    with pytest.raises(ValueError, match="path"):
        dtw_m(wrong, np.zeros((2, 3)))


@given(paths())
@settings(max_examples=20)
def test_matching_is_monotone_and_complete(pair):
    one, other = pair
    pairs = matching(one, other)
    assert pairs[0].tolist() == [0, 0]
    assert pairs[-1].tolist() == [len(one) - 1, len(other) - 1]
    steps = np.diff(pairs, axis=0)
    assert np.all((steps >= 0) & (steps <= 1)) and np.all(steps.sum(axis=1) >= 1)


def test_average_of_flights_at_different_speeds_is_not_smeared():
    # The same corner flown slowly and quickly: an average sample by sample would cut it.
    def corner(slow):
        return np.array(
            [(0.0, min(k, 20), 0.0) if k <= 20 else (k - 20.0, 20.0, 0.0) for k in np.arange(0, 40.1, slow)]
        )

    middle = average_path([corner(0.25), corner(0.5), corner(1.0)])
    corner_distance = np.min(np.linalg.norm(middle - np.array([0.0, 20.0, 0.0]), axis=1))
    assert corner_distance < 0.3


def test_average_of_parallel_paths_is_in_the_middle():
    straight = np.column_stack([np.linspace(0, 20, 81), np.zeros(81), np.full(81, 10.0)])
    paths_ = [straight + np.array([0.0, offset, 0.0]) for offset in (-1.0, 0.0, 1.0)]
    assert medoid(paths_) == 1
    assert np.allclose(average_path(paths_)[:, 1], 0.0, atol=0.05)
    with pytest.raises(ValueError, match="at least one"):
        average_path([])
