"""Half-second averages, with Aerialist's borders."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.flight.resample import period_averages, resampled, thinned
from uav_testgen.testing.factories import make_trajectory


def slow_reference(t_us, values, period_us=500_000):
    """The same rule, sample by sample."""
    found, start, i = [], t_us[0], 0
    while i < len(t_us):
        inside = []
        while i < len(t_us) and t_us[i] <= start + period_us:
            inside.append(i)
            i += 1
        if inside:
            found.append(
                (np.mean([t_us[k] for k in inside]) / 1e6, np.mean([values[k] for k in inside], axis=0))
            )
        start += period_us
    return found


@pytest.mark.parametrize("seed", range(6))
def test_equals_the_rule_applied_one_by_one(seed):
    rng = np.random.default_rng(seed)
    # Samples on borders, between them, and gaps of several periods.
    t_us = 1_000_000 + np.cumsum(rng.choice([20_000, 100_000, 250_000, 500_000, 1_700_000], size=60))
    values = rng.normal(size=(60, 3))
    t_s, mean = period_averages(t_us / 1e6, values)
    expected = slow_reference(t_us.tolist(), values)
    assert np.allclose(t_s, [t for t, _ in expected])
    assert np.allclose(mean, [v for _, v in expected])


def test_tenth_second_samples_give_first_six_then_five():
    trajectory = make_trajectory([(float(k), 0.0, 0.0) for k in range(16)], period_s=0.1)
    assert resampled(trajectory).position_enu_m[:, 0].tolist() == [2.5, 8.0, 13.0]


def test_empty_and_single():
    t_s, mean = period_averages(np.zeros(0), np.zeros((0, 3)))
    assert len(t_s) == len(mean) == 0
    assert resampled(make_trajectory([(1.0, 2.0, 3.0)])).position_enu_m.tolist() == [[1.0, 2.0, 3.0]]


def test_yaw_is_averaged_across_the_jump():
    base = make_trajectory([(0.0, 0.0, 0.0)] * 2)
    jumping = type(base)(base.t_s, base.position_enu_m, base.velocity_enu_mps, np.array([3.1, -3.1]))
    assert abs(resampled(jumping).yaw_rad[0]) == pytest.approx(np.pi, abs=1e-9)


def test_thinned_keeps_both_ends():
    points = np.arange(100.0).reshape(-1, 1)
    few = thinned(points, 7)
    assert (len(few), few[0, 0], few[-1, 0]) == (7, 0.0, 99.0)
    assert thinned(points, 200) is points
