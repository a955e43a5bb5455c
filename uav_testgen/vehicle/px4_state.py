"""Layout of the PX4 vehicle's state: one flat float64 array, so a kernel can own and copy it.

Set-point profiles (three rows of px4_profile) start at PROFILES.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from uav_testgen.vehicle.px4_profile import POSITION as _POSITION
from uav_testgen.vehicle.px4_profile import PROFILE_WIDTH
from uav_testgen.vehicle.px4_types import Floats

POS = 0  # 3: true position, ENU [m]
VEL = 3  # 3: velocity [m/s]
THRUST = 6  # 3: acceleration by the rotors beyond hover [m/s^2]
ROLL, PITCH, YAW, YAW_RATE = 9, 10, 11, 12
YAW_SETPOINT = 13
LOCKED_SPEED = 14  # last horizontal limit computed while not turning [m/s]
INTEGRAL = 15  # 3: velocity integrator [m/s^2]
CLIMBING = 18  # 1 while the last wanted vertical speed was upwards
ON_TRACK = 19  # 1 from the take-off until the vehicle leaves the track for the first time
PROFILES = 20
STATE_SIZE = PROFILES + 3 * PROFILE_WIDTH

POSITION_ITEM, TAKEOFF_ITEM, LAND_ITEM = 0, 1, 2  # what kind of mission item is flown


def new_state(position_enu_m: Floats, yaw_rad: float) -> Floats:
    """At rest, set-points where the vehicle is."""
    state = np.zeros(STATE_SIZE)
    reset_state(state, position_enu_m, yaw_rad)
    return state


@njit(cache=True, nogil=True, error_model="numpy")
def reset_state(state: Floats, position_enu_m: Floats, yaw_rad: float) -> None:
    """Overwrite a state with the one of `new_state`."""
    state[:] = 0.0
    state[YAW] = state[YAW_SETPOINT] = yaw_rad
    for axis in range(3):
        state[POS + axis] = position_enu_m[axis]
        state[PROFILES + axis * PROFILE_WIDTH + _POSITION] = position_enu_m[axis]
