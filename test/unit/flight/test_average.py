"""The average of several flights is a flight: as long and as smooth as those it is made of."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.average import average_path, length_m, medoid


def flown(beside_m: float, seed: int, hover_at: float = 0.5) -> FloatArray:
    """A bow of about 24 m round an obstacle, `beside_m` to the side, at uneven speed with a halt on the way."""
    rng = np.random.default_rng(seed)
    speeds = rng.uniform(0.2, 1.8, 220)
    speeds[int(hover_at * 220) : int(hover_at * 220) + 40] = 0.01
    progress = np.concatenate([[0.0], np.cumsum(speeds) / speeds.sum()])
    north = (3.0 + beside_m) * np.sin(np.pi * progress) + 0.05 * np.sin(40.0 * progress)
    return np.column_stack([22.0 * progress, north, 4.0 + 0.3 * beside_m * progress])


def turned_rad(path: FloatArray) -> float:
    """How much a path turns in all, looked at every half metre."""
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    at = np.arange(0.0, walked[-1], 0.5)
    steps = np.diff(np.column_stack([np.interp(at, walked, path[:, axis]) for axis in range(3)]), axis=0)
    steps /= np.linalg.norm(steps, axis=1)[:, np.newaxis]
    return float(np.sum(np.arccos(np.clip(np.sum(steps[1:] * steps[:-1], axis=1), -1.0, 1.0))))


@pytest.mark.parametrize("seed", range(5))
def test_the_average_is_as_long_and_as_smooth_as_the_flights(seed: int) -> None:
    sides_m = np.random.default_rng(seed).uniform(-1.5, 1.5, 5)
    runs = [flown(side, 10 * seed + place, 0.2 + 0.15 * place) for place, side in enumerate(sides_m)]
    average = average_path(runs)
    typical_m = float(np.median([length_m(run) for run in runs]))
    assert length_m(average) == pytest.approx(typical_m, rel=0.05)
    assert turned_rad(average) < 1.2 * np.median([turned_rad(run) for run in runs])


def test_the_average_lies_between_and_keeps_the_pace_of_the_central_flight() -> None:
    runs = [flown(-0.5, 1), flown(0.0, 2), flown(0.5, 3)]
    average, central = average_path(runs), runs[medoid(runs)]
    assert len(average) == len(central)
    assert np.allclose(average[[0, -1]], np.mean([run[[0, -1]] for run in runs], axis=0), atol=0.2)
    assert np.max(np.abs(average - central)) < 1.0
    halted = np.linalg.norm(np.diff(central, axis=0), axis=1) < 0.01
    assert np.all(np.linalg.norm(np.diff(average, axis=0), axis=1)[halted] < 0.02)


def test_flights_on_different_sides_of_an_obstacle_are_not_averaged_through_it() -> None:
    left, right = flown(7.0, 1), flown(7.0, 2)
    right = right * np.array([1.0, -1.0, 1.0])
    runs = [left, right, flown(7.2, 3)]
    average = average_path(runs)
    assert np.array_equal(average, runs[medoid(runs)])


def test_a_vehicle_that_stays_where_it_is_has_an_average() -> None:
    still = np.full((30, 3), 2.0)
    assert np.array_equal(average_path([still, still.copy()]), still)
