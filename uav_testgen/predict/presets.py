"""Presets redrawn from what the calibration cannot decide.

Real flights leave some values of a system open: lags, ages, drag. A test that fails with one choice of them and not
with another has found a property of the model, not of the vehicle.
"""

from __future__ import annotations

from uav_testgen.core.rng import stream
from uav_testgen.loop.system import System

SHIPPED = 0
"""Number of the preset as it is; redrawn ones count from 1."""


def redrawn(system: System, seed: int, number: int) -> System:
    """Preset number `number` of a seed; it depends on nothing else, so any worker may fly it.

    Bias and spread stay those of the calibration: how far this preset is off was not measured.
    """
    if number == SHIPPED or not system.undecided:
        return system
    rng = stream(seed, "preset", number)
    return system.changed(
        {path: float(rng.uniform(low, high)) for path, (low, high) in sorted(system.undecided.items())}
    )
