"""Layout of the PX4 vehicle's state: one flat float64 array, so a kernel can own and copy it.

Set-point profiles (three rows of px4_profile) start at PROFILES.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle.px4.profile import POSITION as _POSITION
from uav_testgen.vehicle.px4.profile import PROFILE_WIDTH

POS = 0  # 3: true position, ENU [m]
VEL = 3  # 3: velocity [m/s]
THRUST = 6  # 3: acceleration by the rotors beyond hover [m/s^2]
ROLL, PITCH, YAW, YAW_RATE = 9, 10, 11, 12
YAW_SETPOINT = 13
LOCKED_SPEED = 14  # last horizontal limit computed while not turning [m/s]
INTEGRAL = 15  # 3: velocity integrator [m/s^2]
CLIMBING = 18  # 1 while the last wanted vertical speed was upwards
TILT_ERROR = 19  # acceleration by the estimator's tilt error [m/s^2]
TILT_EAST, TILT_NORTH = 20, 21  # direction of that acceleration
TILT_PHASE = 22  # of that error: ON_PAD, GROWING, FADING
PAD_Z = 23  # height of the ground at the start [m]
PROFILES = 24
STATE_SIZE = PROFILES + 3 * PROFILE_WIDTH

ON_PAD, GROWING, FADING = 0.0, 1.0, 2.0

POSITION_ITEM, TAKEOFF_ITEM, LAND_ITEM = 0, 1, 2  # what kind of mission item is flown


def new_state(position_enu_m: FloatArray, yaw_rad: float) -> FloatArray:
    """At rest, set-points where the vehicle is."""
    state = np.zeros(STATE_SIZE)
    reset_state(state, position_enu_m, yaw_rad)
    return state


@kernel
def reset_state(state: FloatArray, position_enu_m: FloatArray, yaw_rad: float) -> None:
    """Overwrite a state with the one of `new_state`."""
    state[:] = 0.0
    state[YAW] = state[YAW_SETPOINT] = yaw_rad
    state[PAD_Z] = position_enu_m[2]
    for axis in range(3):
        state[POS + axis] = position_enu_m[axis]
        state[PROFILES + axis * PROFILE_WIDTH + _POSITION] = position_enu_m[axis]
