"""PX4's position controller and the airframe behind it, for one set-point as TrajectorySetpoint means it.

Position error times gain plus the demanded velocity, limited; velocity error through a PID plus the demanded
acceleration, limited by the tilt; the tilt follows through an attitude gain and the lag of the rate loop. In
offboard mode nothing smooths the set-point before that: no jerk limit, no braking law, no speed lock.
"""

from __future__ import annotations

import math
from typing import Any

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SET_ACCELERATION, SET_POSITION, SET_VELOCITY, SET_YAW, SET_YAW_RATE, wrap_pi
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle.px4.air import GRAVITY_MPS2
from uav_testgen.vehicle.px4_offboard.config import OffboardConstants
from uav_testgen.world.hashing import hash_normal

# The state: one flat float64 array, so that a kernel can own and copy it.
POS = 0  # 3: position, ENU [m]
VEL = 3  # 3: velocity [m/s]
THRUST = 6  # 3: acceleration by the rotors beyond hover [m/s^2]
THRUST_RATE = 9  # 2: its change, east and north [m/s^3]
INTEGRAL = 11  # 3: velocity integrator [m/s^2]
ACCELERATION = 14  # 3: of the last cycle, for the damping [m/s^2]
YAW, YAW_RATE = 17, 18
VELOCITY_ERROR = 19  # 3: of the estimate [m/s]
DRIFT = 22  # 3: what that error adds up to [m]
CYCLES = 25  # flown so far, which the errors are drawn by
STATE_SIZE = 26

ERROR_DAMPING = 0.35
"""Of the wandering velocity error: its recorded autocorrelation swings to -0.2 after a third of a period."""
WORK_SIZE = 8
PARTS = 2
"""Steps of the airframe in one cycle: PX4's position controller runs at 100 Hz."""


@kernel
def wanted_velocity(
    state: FloatArray, setpoint: Any, climb_max: float, k: OffboardConstants, out: Any
) -> None:
    """Velocity set-point, NaN on axes that are not controlled. Position errors give way to nothing but the limit."""
    from_x = from_y = 0.0
    for axis in range(3):
        error = setpoint[SET_POSITION + axis] - state[POS + axis]
        demanded = setpoint[SET_VELOCITY + axis]
        by_position = error * (k.xy_p if axis < 2 else k.z_p)
        if math.isnan(by_position):
            out[axis] = demanded
            by_position = 0.0
        else:
            out[axis] = by_position + (0.0 if math.isnan(demanded) else demanded)
        if axis == 0:
            from_x = by_position
        elif axis == 1:
            from_y = by_position
    speed = math.hypot(out[0], out[1])
    if speed > k.vel_xy:
        _limit_speed(from_x, from_y, k.vel_xy, out)
    if not math.isnan(out[2]):
        out[2] = max(-k.vel_down, min(climb_max, out[2]))


@kernel
def _limit_speed(from_x: float, from_y: float, limit: float, out: Any) -> None:
    """PX4 gives the correction of the position the first share of the speed, the feed-forward what is left."""
    forward_x, forward_y = out[0] - from_x, out[1] - from_y
    first = math.hypot(from_x, from_y)
    rest = math.hypot(forward_x, forward_y)
    if first >= limit or rest < 1e-9:
        scale = limit / math.hypot(out[0], out[1]) if first < 1e-9 else limit / first
        out[0], out[1] = (
            (from_x * scale, from_y * scale) if first >= limit else (out[0] * scale, out[1] * scale)
        )
        return
    ux, uy = forward_x / rest, forward_y / rest
    along = ux * from_x + uy * from_y
    share = -along + math.sqrt(max(along * along - first * first + limit * limit, 0.0))
    out[0], out[1] = from_x + share * ux, from_y + share * uy


@kernel
def step_airframe(
    state: FloatArray, work: FloatArray, setpoint: Any, climb_max: float, wind: Any, dt_s: float,
    k: OffboardConstants,
) -> None:  # fmt: skip
    """Controllers, rotors, air and motion for one cycle; `work` holds WORK_SIZE numbers without meaning."""
    wanted, command, gaps = work[:3], work[3:6], work[6:8]
    part_s = dt_s / PARTS
    tilt_share = 1.0 - math.exp(-part_s / k.tilt_lag)
    thrust_share = 1.0 - math.exp(-part_s / k.thrust_lag)
    if k.error > 0.0:
        _wander(state, dt_s, k)
    for _ in range(PARTS):
        wanted_velocity(state, setpoint, climb_max, k, wanted)
        gaps[0] = gaps[1] = 0.0
        for axis in range(3):
            level = axis < 2
            forward = setpoint[SET_ACCELERATION + axis]
            command[axis] = 0.0 if math.isnan(forward) else forward
            if math.isnan(wanted[axis]):
                continue
            gap = wanted[axis] - (state[VEL + axis] + state[VELOCITY_ERROR + axis])
            command[axis] += (k.xy_vel_p if level else k.z_vel_p) * gap + state[INTEGRAL + axis]
            if level:
                command[axis] -= k.xy_vel_d * state[ACCELERATION + axis]
                gaps[axis] = gap
            else:
                state[INTEGRAL + axis] += k.z_vel_i * gap * part_s
        command[2] = max(-0.9 * GRAVITY_MPS2, min(GRAVITY_MPS2, command[2]))
        lean, most = math.hypot(command[0], command[1]), k.tilt_max * GRAVITY_MPS2
        share = most / lean if lean > most else 1.0
        for axis in range(2):
            # What the tilt cannot give must not pile up in the integrator.
            beyond = (1.0 - share) * command[axis]
            command[axis] *= share
            state[INTEGRAL + axis] += k.xy_vel_i * (gaps[axis] - 2.0 / k.xy_vel_p * beyond) * part_s
        for axis in range(3):
            if axis < 2:
                rate = k.tilt_p * (command[axis] - state[THRUST + axis])
                rate = max(-k.tilt_rate_max, min(k.tilt_rate_max, rate))
                state[THRUST_RATE + axis] += tilt_share * (rate - state[THRUST_RATE + axis])
                state[THRUST + axis] += state[THRUST_RATE + axis] * part_s
            else:
                state[THRUST + axis] += thrust_share * (command[axis] - state[THRUST + axis])
            acceleration = state[THRUST + axis] - k.drag * (state[VEL + axis] - wind[axis])
            state[POS + axis] += state[VEL + axis] * part_s + 0.5 * acceleration * part_s * part_s
            state[VEL + axis] += acceleration * part_s
            state[ACCELERATION + axis] = acceleration
    _step_yaw(state, setpoint, dt_s, k)


@kernel
def _wander(state: FloatArray, dt_s: float, k: OffboardConstants) -> None:
    """The estimator's velocity is off by a little that comes and goes: a damped oscillator, pushed at random.

    Satellite positions bound what the error adds up to, so it is no random walk.
    """
    omega = 2.0 * math.pi / k.error_period
    damping = 2.0 * ERROR_DAMPING * omega
    push = k.error * math.sqrt(2.0 * damping * dt_s)
    number = int(state[CYCLES])
    for axis in range(3):
        error = state[VELOCITY_ERROR + axis]
        change = (-damping * error - omega * omega * state[DRIFT + axis]) * dt_s
        error += change + push * hash_normal(k.error_seed, number, axis, 0)
        state[VELOCITY_ERROR + axis] = error
        state[DRIFT + axis] += error * dt_s
    state[CYCLES] += 1.0


@kernel
def _step_yaw(state: FloatArray, setpoint: Any, dt_s: float, k: OffboardConstants) -> None:
    """Without a yaw only the demanded rate counts; without both the heading is kept."""
    error = 0.0
    if not math.isnan(setpoint[SET_YAW]):
        error = wrap_pi(setpoint[SET_YAW] - state[YAW])
    forward = 0.0 if math.isnan(setpoint[SET_YAW_RATE]) else setpoint[SET_YAW_RATE]
    rate = max(-k.yaw_rate_max, min(k.yaw_rate_max, k.yaw_p * error + forward))
    change = (1.0 - math.exp(-dt_s / k.yaw_lag)) * (rate - state[YAW_RATE])
    most = k.yaw_acc_max * dt_s
    state[YAW_RATE] += max(-most, min(most, change))
    state[YAW] = wrap_pi(state[YAW] + state[YAW_RATE] * dt_s)
