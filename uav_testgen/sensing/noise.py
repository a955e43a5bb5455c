"""What a real depth camera adds: range noise, lost pixels, fog, delay. All off unless asked for.

The random numbers are a hash of (seed, step, camera, pixel), not a stream: the noise of a frame does
not depend on what was rendered before it, in which thread or in which process.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Generic, NamedTuple, TypeVar

from pydantic import Field

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.kernel import kernel
from uav_testgen.scenario.model import Visibility
from uav_testgen.world.hashing import hash_normal, hash_uniform

Item = TypeVar("Item")


class NoiseConfig(RoomConfig):
    """Imperfections of one depth camera."""

    range_std_m: float = Field(0.0, ge=0.0, le=10.0, description="range noise, constant part [m]")
    range_std_per_m: float = Field(
        0.0, ge=0.0, le=1.0, description="range noise growing with the square of the depth z: this·z² [1/m]"
    )
    dropout: float = Field(0.0, ge=0.0, le=1.0, description="share of pixels that give no point [1]")
    latency_s: float = Field(0.0, ge=0.0, le=5.0, description="age of a frame when it is handed over [s]")


class NoiseParameters(NamedTuple):
    """The numbers the compiled noise takes; `active` False leaves the image alone."""

    active: bool
    std_m: float
    std_per_m: float
    dropout: float
    fade: float
    fade_range_m: float


def noise_parameters(config: NoiseConfig, visibility: Visibility | None = None) -> NoiseParameters:
    """Camera noise and fog together."""
    fade = visibility.contrast_loss if visibility else 0.0
    fade_range_m = visibility.range_m if visibility else 1.0
    active = max(config.range_std_m, config.range_std_per_m, config.dropout, fade) > 0.0
    return NoiseParameters(
        active, config.range_std_m, config.range_std_per_m, config.dropout, fade, fade_range_m
    )


def visible_range_m(far_m: float, visibility: Visibility | None) -> float:
    """How far a camera sees through the fog, along its optical axis."""
    return far_m if visibility is None else min(far_m, visibility.range_m)


@kernel
def add_noise(
    depth: FloatArray,
    parameters: NoiseParameters,
    near_m: float,
    far_m: float,
    seed: int,
    step: int,
    camera: int,
) -> None:
    """Disturb a depth image in place. A lost pixel becomes NaN (REP 118: erroneous), as does one that
    noise moves out of [near, far]; pixels without return stay +inf."""
    if not parameters.active:
        return
    rows, columns = depth.shape
    for j in range(rows):
        for i in range(columns):
            z = depth[j, i]
            if not (z < math.inf):
                continue
            pixel = j * columns + i
            lost = parameters.dropout
            if parameters.fade > 0.0:
                fog = parameters.fade * min(z / parameters.fade_range_m, 1.0)
                lost = 1.0 - (1.0 - lost) * (1.0 - fog)
            if lost > 0.0 and hash_uniform(seed, step, 2 * camera, pixel) < lost:
                depth[j, i] = math.nan
                continue
            std = parameters.std_m + parameters.std_per_m * z * z
            if std > 0.0:
                z += std * hash_normal(seed, step, 2 * camera + 1, pixel)
                depth[j, i] = z if near_m <= z <= far_m else math.nan


class DelayLine(Generic[Item]):
    """Holds frames back for a fixed time: what comes out at t is the newest that was seen by t − delay."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._waiting: deque[tuple[float, Item]] = deque()
        self._ready: Item | None = None

    def push(self, t_s: float, item: Item) -> Item | None:
        """Put in what is seen at t; get what is available at t, None while nothing has arrived yet."""
        self._waiting.append((t_s, item))
        # Times are sums of steps: a delay of exactly n steps must not depend on their last bit.
        while self._waiting and self._waiting[0][0] <= t_s - self._delay_s + 1e-9:
            self._ready = self._waiting.popleft()[1]
        return self._ready


def latency_steps(latency_s: float, step_s: float) -> int:
    """Whole steps a frame is late when the loop runs at a fixed step: the delay line in one number."""
    return max(math.ceil(latency_s / step_s - 1e-9), 0)
