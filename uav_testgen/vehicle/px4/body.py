"""PX4's position, velocity and yaw controllers and how the airframe answers them."""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle.px4.air import GRAVITY_MPS2, wind_acceleration
from uav_testgen.vehicle.px4.config import Px4Constants
from uav_testgen.vehicle.px4.profile import ACCELERATION, POSITION, PROFILE_WIDTH, VELOCITY
from uav_testgen.vehicle.px4.state import (
    INTEGRAL,
    PITCH,
    POS,
    PROFILES,
    ROLL,
    THRUST,
    TILT_EAST,
    TILT_ERROR,
    VEL,
    YAW,
    YAW_RATE,
    YAW_SETPOINT,
)
from uav_testgen.vehicle.px4.tilt_error import step_tilt_error

_YAW_RATE_LIMIT_RADPS = math.radians(200.0)


@kernel
def step_body(state: FloatArray, wind: FloatArray, dt_s: float, k: Px4Constants) -> None:
    """Controllers, rotors, air and motion for one short step."""
    profiles = state[PROFILES : PROFILES + 3 * PROFILE_WIDTH].reshape(3, PROFILE_WIDTH)
    tilt_share = 1.0 - math.exp(-dt_s / k.attitude_lag)
    thrust_share = 1.0 - math.exp(-dt_s / k.thrust_lag)
    step_tilt_error(state, dt_s, k)
    windy = wind[0] != 0.0 or wind[1] != 0.0 or wind[2] != 0.0
    blown = wind_acceleration(state, wind) if windy else (0.0, 0.0, 0.0)
    for axis in range(3):
        level = axis < 2
        error = profiles[axis, POSITION] - state[POS + axis]
        wanted = profiles[axis, VELOCITY] + (k.xy_p if level else k.z_p) * error
        if not level:
            wanted = max(-k.vel_down, min(k.vel_up, wanted))
        gap = wanted - state[VEL + axis]
        gain = k.xy_vel_p if level else k.z_vel_p
        command = profiles[axis, ACCELERATION] + gain * gap + state[INTEGRAL + axis]
        # Rotor drag acts across the rotor axis only.
        drag = -k.drag * state[VEL + axis] if level else 0.0
        if windy:
            drag += blown[axis]
        if level:
            command -= k.xy_vel_d * (state[THRUST + axis] + drag)
            command = max(-GRAVITY_MPS2, min(GRAVITY_MPS2, command))
            state[INTEGRAL + axis] += k.xy_vel_i * gap * dt_s
        state[THRUST + axis] += (tilt_share if level else thrust_share) * (command - state[THRUST + axis])
        acceleration = state[THRUST + axis] + drag
        if level:
            acceleration += state[TILT_ERROR] * state[TILT_EAST + axis]
        state[POS + axis] += state[VEL + axis] * dt_s + 0.5 * acceleration * dt_s * dt_s
        state[VEL + axis] += acceleration * dt_s
    _step_yaw(state, dt_s, k)
    if k.tilt > 0.0:
        _tilt(state)


@kernel
def _step_yaw(state: FloatArray, dt_s: float, k: Px4Constants) -> None:
    error = state[YAW_SETPOINT] - state[YAW]
    error -= 2.0 * math.pi * math.floor(error / (2.0 * math.pi) + 0.5)
    feed_forward = max(-k.yaw_rate_max, min(k.yaw_rate_max, k.yaw_feed_forward))
    rate = k.yaw_p * error + feed_forward
    rate = max(-_YAW_RATE_LIMIT_RADPS, min(_YAW_RATE_LIMIT_RADPS, rate))
    state[YAW_RATE] += (1.0 - math.exp(-dt_s / k.yaw_lag)) * (rate - state[YAW_RATE])
    yaw = state[YAW] + state[YAW_RATE] * dt_s
    state[YAW] = yaw - 2.0 * math.pi * math.floor(yaw / (2.0 * math.pi) + 0.5)


@kernel
def _tilt(state: FloatArray) -> None:
    """Roll and pitch (nose down positive) that point the thrust where it accelerates."""
    cosine, sine = math.cos(state[YAW]), math.sin(state[YAW])
    forward = cosine * state[THRUST] + sine * state[THRUST + 1]
    left = -sine * state[THRUST] + cosine * state[THRUST + 1]
    up = GRAVITY_MPS2 + state[THRUST + 2]
    state[PITCH] = math.atan2(forward, up)
    state[ROLL] = -math.atan2(left, math.hypot(forward, up))
