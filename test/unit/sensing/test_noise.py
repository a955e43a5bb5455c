"""Noise: off by default, reproducible from counters, of the right size."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.scenario.model import Visibility
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import CameraConfig, CameraRig
from uav_testgen.sensing.cloud import DepthSensor
from uav_testgen.sensing.noise import DelayLine, NoiseConfig, add_noise, latency_steps, noise_parameters
from uav_testgen.world.hashing import hash_normal, hash_uniform
from uav_testgen.world.packed import PackedWorld
from uav_testgen.world.terrain import flat_ground

pytestmark = pytest.mark.unit


def noisy(config: NoiseConfig, *, depth: float = 10.0, seed: int = 1, step: int = 0) -> np.ndarray:
    image = np.full((200, 200), depth)
    add_noise(image, noise_parameters(config), 0.5, 18.0, seed, step, 0)
    return image


def test_off_by_default() -> None:
    assert np.all(noisy(NoiseConfig()) == 10.0)


def test_range_noise_has_the_stated_size() -> None:
    image = noisy(NoiseConfig(range_std_m=0.05, range_std_per_m=0.001))
    assert image.mean() == pytest.approx(10.0, abs=0.005)
    assert image.std() == pytest.approx(0.15, rel=0.03)


def test_dropout_has_the_stated_share_and_marks_nan() -> None:
    image = noisy(NoiseConfig(dropout=0.2))
    assert np.isnan(image).mean() == pytest.approx(0.2, abs=0.01)
    assert np.all(image[~np.isnan(image)] == 10.0)
    assert np.all(np.isnan(noisy(NoiseConfig(dropout=1.0))))


def test_same_counters_same_noise_other_counters_other_noise() -> None:
    config = NoiseConfig(range_std_m=0.1, dropout=0.1)
    assert np.array_equal(noisy(config), noisy(config), equal_nan=True)
    assert not np.array_equal(noisy(config), noisy(config, step=1), equal_nan=True)
    assert not np.array_equal(noisy(config), noisy(config, seed=2), equal_nan=True)


def test_noise_never_leaves_the_range_and_never_invents_returns() -> None:
    far = noisy(NoiseConfig(range_std_m=5.0), depth=17.0)
    kept = far[~np.isnan(far)]
    assert kept.min() >= 0.5
    assert kept.max() <= 18.0
    image = np.full((20, 20), math.inf)
    add_noise(image, noise_parameters(NoiseConfig(range_std_m=5.0, dropout=0.5)), 0.5, 18.0, 1, 0, 0)
    assert np.all(np.isposinf(image))


def test_hashes_are_uniform_and_normal() -> None:
    uniform = np.array([hash_uniform(9, a, b, 0) for a in range(100) for b in range(100)])
    assert 0.0 < uniform.min() < uniform.max() < 1.0
    assert np.histogram(uniform, 10, (0.0, 1.0))[0] == pytest.approx(1000, abs=130)
    normal = np.array([hash_normal(9, a, b, 0) for a in range(100) for b in range(100)])
    assert (normal.mean(), normal.std()) == (pytest.approx(0.0, abs=0.04), pytest.approx(1.0, abs=0.03))
    assert abs(np.corrcoef(normal[:-1], normal[1:])[0, 1]) < 0.04


def test_a_seed_of_full_width_is_accepted() -> None:
    assert 0.0 < hash_uniform(2**63 - 1, 0, 0, 0) < 1.0


def wall_world() -> PackedWorld:
    wall = np.zeros((1, 16))
    wall[0, :9] = (0.0, 11.0, 0.0, 50.0, 1.0, 90.0, 90.0, 1.0, 0.0)
    return PackedWorld(wall, flat_ground())


@pytest.mark.parametrize(("visibility_m", "points"), [(1000.0, 3072), (10.1, 3072), (9.9, 0)])
def test_fog_ends_the_view(visibility_m: float, points: int) -> None:
    sensor = DepthSensor(wall_world(), CameraRig(), visibility=Visibility(range_m=visibility_m))
    (frame,) = sensor.frames(0.0, Pose((0.0, 0.0, 50.0)), 0)
    assert len(frame.points_enu_m) == points


def test_fog_takes_more_pixels_the_farther_they_are() -> None:
    fog = Visibility(range_m=20.0, contrast_loss=0.8)
    sensor = DepthSensor(wall_world(), CameraRig(), visibility=fog, seed=3)
    far = sensor.frames(0.0, Pose((0.0, 0.0, 50.0)), 0)[0]
    near = sensor.frames(0.0, Pose((7.0, 0.0, 50.0)), 0)[0]
    assert len(far.points_enu_m) / 3072 == pytest.approx(1 - 0.8 * 10 / 20, abs=0.04)
    assert len(near.points_enu_m) / 3072 == pytest.approx(1 - 0.8 * 3 / 20, abs=0.04)


def test_cameras_of_a_rig_have_independent_noise() -> None:
    noise = NoiseConfig(dropout=0.5)
    rig = CameraRig(cameras=(CameraConfig(name="a", noise=noise), CameraConfig(name="b", noise=noise)))
    a, b = DepthSensor(wall_world(), rig).frames(0.0, Pose((0.0, 0.0, 50.0)), 0)
    assert not np.array_equal(a.depth_m, b.depth_m, equal_nan=True)


def test_delay_line_hands_over_what_was_seen_a_delay_ago() -> None:
    line: DelayLine[int] = DelayLine(0.2)
    times = [round(0.1 * k, 1) for k in range(6)]
    assert [line.push(t, k) for k, t in enumerate(times)] == [None, None, 0, 1, 2, 3]
    direct: DelayLine[int] = DelayLine(0.0)
    assert [direct.push(0.1 * k, k) for k in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize(("latency_s", "steps"), [(0.0, 0), (0.05, 1), (0.1, 1), (0.3, 3), (0.31, 4)])
def test_latency_in_steps(latency_s: float, steps: int) -> None:
    assert latency_steps(latency_s, 0.1) == steps
