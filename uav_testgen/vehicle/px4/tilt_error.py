"""The tilt error of PX4's estimator after take-off, as an acceleration that pushes the vehicle aside.

Standing on the ground the estimator cannot tell a tilt from a bias of its accelerometer. The simulated
sensors draw the same noise in every run, so the error is much the same every time: some tenths of a degree,
growing until the vehicle moves and the bias becomes visible. It displaces the vehicle by one or two
centimetres from its set-point, which is little, but the speed lock hangs on it (docs/lab/fidelity.md).
"""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle.px4.config import Px4Constants
from uav_testgen.vehicle.px4.state import (
    FADING,
    GROWING,
    ON_PAD,
    PAD_Z,
    POS,
    TILT_EAST,
    TILT_ERROR,
    TILT_NORTH,
    TILT_PHASE,
    VEL,
    YAW,
)

_LIFTED_M = 0.05
_MOVING_MPS = 0.6


@kernel
def step_tilt_error(state: FloatArray, dt_s: float, k: Px4Constants) -> None:
    """Let the error appear at lift-off, grow until the vehicle moves, and fade."""
    if state[TILT_PHASE] == ON_PAD:
        if state[POS + 2] > state[PAD_Z] + _LIFTED_M:
            state[TILT_PHASE] = GROWING
            state[TILT_ERROR] = k.tilt_error
            course = state[YAW] + k.tilt_error_course
            state[TILT_EAST], state[TILT_NORTH] = math.cos(course), math.sin(course)
    elif state[TILT_PHASE] == GROWING:
        state[TILT_ERROR] += k.tilt_error_growth * dt_s
        if math.hypot(state[VEL], state[VEL + 1]) > _MOVING_MPS:
            state[TILT_PHASE] = FADING
    else:
        state[TILT_ERROR] *= math.exp(-dt_s / k.tilt_error_decay)
