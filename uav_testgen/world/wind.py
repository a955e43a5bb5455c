"""Wind as a function of time: a mean vector, one gust, and seeded turbulence.

Aerialist's fields are followed: mean speed and direction, an upper limit, a variance of speed and of
direction, and a second set for a gust between two instants. The random part is a sum of slow sines
whose phases are hashed from the seed, so the wind at time t does not depend on when or how often
it is asked for, and varies smoothly as air does.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.scenario.model import Wind
from uav_testgen.world.hashing import hash_uniform

_HARMONICS = 8
_SLOWEST_HZ = 0.02
_RATIO = 1.6  # between neighbouring frequencies; not a simple fraction, so that the sum hardly repeats

WIND_COLUMNS = 15
(
    _SPEED, _SPEED_MAX, _SPEED_STD, _DIR_X, _DIR_Y, _DIR_Z, _DIR_STD,
    _GUST_SPEED, _GUST_MAX, _GUST_STD, _GUST_START, _GUST_END, _GUST_YAW, _GUST_Z, _GUST_DIR_STD,
) = range(WIND_COLUMNS)  # fmt: skip


def pack_wind(wind: Wind) -> FloatArray:
    """The wind as one vector for compiled code. A zero direction vector means: no wind."""
    row = np.zeros(WIND_COLUMNS)
    length = math.sqrt(sum(c * c for c in wind.direction_enu))
    if length > 0.0:
        row[_DIR_X : _DIR_Z + 1] = [c / length for c in wind.direction_enu]
        row[_SPEED], row[_SPEED_MAX] = wind.velocity_mean_mps, wind.velocity_max_mps
        row[_SPEED_STD] = math.sqrt(wind.velocity_variance)
        row[_DIR_STD] = math.sqrt(wind.direction_variance)
    gust = wind.gust_direction_enu
    gust_length = math.sqrt(sum(c * c for c in gust))
    if gust_length > 0.0 and wind.gust_duration_s > 0.0:
        row[_GUST_SPEED], row[_GUST_MAX] = wind.gust_velocity_mean_mps, wind.gust_velocity_max_mps
        row[_GUST_STD] = math.sqrt(wind.gust_velocity_variance)
        row[_GUST_START] = wind.gust_start_s
        row[_GUST_END] = wind.gust_start_s + wind.gust_duration_s
        row[_GUST_YAW] = math.atan2(gust[1], gust[0])
        row[_GUST_Z] = gust[2] / gust_length
        row[_GUST_DIR_STD] = math.sqrt(wind.gust_direction_variance)
    return row


@kernel
def smooth_noise(seed: int, channel: int, t_s: float) -> float:
    """A smooth random function of time with mean 0 and variance 1, fixed by seed and channel."""
    total = 0.0
    frequency_hz = _SLOWEST_HZ
    for k in range(_HARMONICS):
        phase = 2.0 * math.pi * hash_uniform(seed, channel, k, 0)
        total += math.sin(2.0 * math.pi * frequency_hz * t_s + phase)
        frequency_hz *= _RATIO
    return total * math.sqrt(2.0 / _HARMONICS)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _disturbed(mean: float, limit: float, std: float, noise: float) -> float:
    return min(max(mean + std * noise, 0.0), limit)


@kernel
def wind_at(row: FloatArray, seed: int, t_s: float) -> tuple[float, float, float]:
    """Velocity of the air at time t, ENU [m/s]."""
    speed = _disturbed(row[_SPEED], row[_SPEED_MAX], row[_SPEED_STD], smooth_noise(seed, 0, t_s))
    turn = row[_DIR_STD] * smooth_noise(seed, 1, t_s)
    c, s = math.cos(turn), math.sin(turn)
    x = speed * (c * row[_DIR_X] - s * row[_DIR_Y])
    y = speed * (s * row[_DIR_X] + c * row[_DIR_Y])
    z = speed * row[_DIR_Z]
    if row[_GUST_START] <= t_s < row[_GUST_END]:
        gust = _disturbed(row[_GUST_SPEED], row[_GUST_MAX], row[_GUST_STD], smooth_noise(seed, 2, t_s))
        yaw = row[_GUST_YAW] + row[_GUST_DIR_STD] * smooth_noise(seed, 3, t_s)
        level = math.sqrt(max(1.0 - row[_GUST_Z] * row[_GUST_Z], 0.0))
        x += gust * level * math.cos(yaw)
        y += gust * level * math.sin(yaw)
        z += gust * row[_GUST_Z]
    return x, y, z
