"""Wind: still by default, Aerialist's numbers, the same for the same seed and time."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.scenario.model import Wind
from uav_testgen.world.wind import pack_wind, wind_at

pytestmark = pytest.mark.unit


def test_still_air_by_default() -> None:
    assert wind_at(pack_wind(Wind()), 7, 12.3) == (0.0, 0.0, 0.0)


def test_mean_wind_blows_along_its_direction_whatever_its_length() -> None:
    row = pack_wind(Wind(velocity_mean_mps=5.0, direction_enu=(3.0, 4.0, 0.0)))
    assert wind_at(row, 0, 9.0) == pytest.approx((3.0, 4.0, 0.0))


def test_zero_direction_is_no_wind() -> None:
    assert wind_at(pack_wind(Wind(velocity_mean_mps=5.0, direction_enu=(0.0, 0.0, 0.0))), 0, 1.0) == (0, 0, 0)


def test_gust_adds_between_its_instants_only() -> None:
    wind = Wind(
        velocity_mean_mps=2.0,
        gust_start_s=5.0,
        gust_duration_s=2.0,
        gust_velocity_mean_mps=3.0,
        gust_direction_enu=(0.0, -1.0, 0.0),
    )
    row = pack_wind(wind)
    assert wind_at(row, 0, 4.99) == pytest.approx((2.0, 0.0, 0.0))
    assert wind_at(row, 0, 5.0) == pytest.approx((2.0, -3.0, 0.0))
    assert wind_at(row, 0, 7.0) == pytest.approx((2.0, 0.0, 0.0))


def test_the_strength_has_mean_and_variance_and_is_limited() -> None:
    row = pack_wind(Wind(velocity_mean_mps=8.0, velocity_variance=4.0))
    speeds = np.array([np.linalg.norm(wind_at(row, seed, t)) for seed in range(60) for t in range(0, 300, 7)])
    assert speeds.mean() == pytest.approx(8.0, abs=0.2)
    assert speeds.std() == pytest.approx(2.0, rel=0.1)
    limited = pack_wind(Wind(velocity_mean_mps=8.0, velocity_variance=4.0, velocity_max_mps=9.0))
    assert max(np.linalg.norm(wind_at(limited, 1, t)) for t in np.linspace(0, 300, 500)) <= 9.0 + 1e-12


def test_a_negative_draw_blows_the_same_way() -> None:
    row = pack_wind(Wind(velocity_mean_mps=0.0, velocity_variance=4.0))
    drawn = np.array([wind_at(row, seed, 0.0)[0] for seed in range(400)])
    assert drawn.min() >= 0.0
    assert drawn.mean() == pytest.approx(2.0 * np.sqrt(2.0 / np.pi), rel=0.1)


def test_every_component_of_the_direction_is_drawn_and_the_length_is_left_as_it_comes() -> None:
    row = pack_wind(Wind(velocity_mean_mps=10.0, direction_enu=(1.0, 0.0, 0.0), direction_variance=0.01))
    drawn = np.array([wind_at(row, seed, 0.0) for seed in range(600)])
    assert drawn.mean(axis=0) == pytest.approx([10.0, 0.0, 0.0], abs=0.15)
    assert drawn.std(axis=0) == pytest.approx([1.0, 1.0, 1.0], rel=0.1)
    assert np.linalg.norm(drawn, axis=1).max() > 11.0


def test_the_wind_is_drawn_twice_a_second() -> None:
    row = pack_wind(Wind(velocity_mean_mps=8.0, velocity_variance=4.0))
    values = [wind_at(row, 3, 0.1 * k) for k in range(20)]
    assert [values.index(value) for value in values] == [k - k % 5 for k in range(20)]


def test_a_function_of_seed_and_time() -> None:
    row = pack_wind(Wind(velocity_mean_mps=8.0, velocity_variance=4.0, direction_variance=0.1))
    forward = [wind_at(row, 5, 0.1 * k) for k in range(50)]
    backward = [wind_at(row, 5, 0.1 * k) for k in reversed(range(50))][::-1]
    assert forward == backward
    assert forward != [wind_at(row, 6, 0.1 * k) for k in range(50)]
