"""The waypoint generator's state machine, compiled: a path in, one smooth setpoint out.

The state is three flat arrays (float32, float64, int64) with named slots, so that a whole flight can run
it inside compiled code. Yaw is rad here, pitch deg, as in the original.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from uav_testgen.planner.vfh3d.base import Float32Array
from uav_testgen.planner.vfh3d.compiled.grid import (
    DEG_PER_RAD,
    F32,
    FAST_MATH_FREE,
    NAN,
    ONE,
    RAD_PER_DEG,
    TWO,
    ZERO,
)
from uav_testgen.planner.vfh3d.compiled.polar import (
    attitude_deg,
    body_angles,
    direction_angles,
    norm3,
    wrap_pi,
    wrap_polar,
)
from uav_testgen.planner.vfh3d.compiled.view import scale_to_fov

TRY_PATH, ALTITUDE_CHANGE, LOITER, DIRECT = range(4)
NAV_MISSION, NAV_TAKEOFF, NAV_LAND, NAV_RTL, NAV_RTGS, NAV_LOITER, NAV_OFFBOARD, NAV_NONE = range(8)

# Slots of the float32 array; a vector takes three.
SMOOTH, SMOOTH_VEL, YAW_SP, YAW_VEL, SPEED = 0, 3, 6, 7, 8
GOAL_HEADING, HOVER, ALT_POS, ALT_YAW = 9, 10, 13, 16
POSITION, VELOCITY, YAW, PITCH_DEG, GOAL, DESIRED_VEL = 17, 20, 23, 24, 25, 28
GOTO, ADAPTED, SMOOTHED, OUT_POSITION, OUT_ORIENTATION, OUT_VELOCITY = 31, 34, 37, 40, 43, 47
SETPOINT = 50
FLOAT_SLOTS = 53
# Slots of the float64 array.
NOW, BEFORE = 0, 1
# Slots of the int64 array.
STATE, CHANGED, AUTO_LAND, REACHED_ALTITUDE, STAY, AIRBORNE, NAV, LAND_WP, TAKEOFF_WP = range(9)
FLAG_SLOTS = 9

_START_CLOCK_S = 99999.0
_LEAST_DT_S = F32(0.0001)
_NEAR_GOAL_M = ONE
_CLIMB_RTL_M = F32(0.8)
_SLOW_MPS = F32(0.5)
_SMALL = F32(0.1)
_NO_SMOOTHING = F32(0.01)
_SPEED_TIME_S = F32(0.9)
_FALLBACK_SPEED = TWO


class GeneratorState(NamedTuple):
    """State, inputs and last output of one generator."""

    f: Float32Array
    t: npt.NDArray[np.float64]
    i: npt.NDArray[np.int64]


def make_generator_state() -> GeneratorState:
    """Fresh state arrays."""
    state = GeneratorState(np.zeros(FLOAT_SLOTS, np.float32), np.zeros(2), np.zeros(FLAG_SLOTS, np.int64))
    reset_generator(state)
    return state


@njit(**FAST_MATH_FREE)
def reset_generator(state):
    """Back to the state after construction."""
    state.f[:] = ZERO
    state.i[:] = 0
    for k in range(3):
        state.f[SMOOTH + k] = NAN
        state.f[HOVER + k] = NAN
        state.f[ALT_POS + k] = NAN
        state.f[OUT_VELOCITY + k] = NAN
    state.f[GOAL_HEADING] = NAN
    state.f[ALT_YAW] = NAN
    state.f[OUT_ORIENTATION] = ONE
    state.t[NOW] = _START_CLOCK_S
    state.t[BEFORE] = _START_CLOCK_S
    state.i[STATE] = LOITER


@njit(**FAST_MATH_FREE)
def _copy(f, to, source):
    for k in range(3):
        f[to + k] = f[source + k]


@njit(**FAST_MATH_FREE)
def _finite3(f, slot):
    return math.isfinite(f[slot]) and math.isfinite(f[slot + 1]) and math.isfinite(f[slot + 2])


@njit(**FAST_MATH_FREE)
def update_generator(
    state,
    position,
    velocity,
    qw,
    qx,
    qy,
    qz,
    goal,
    desired_velocity,
    stay,
    airborne,
    nav,
    land_waypoint,
    takeoff_waypoint,
):
    """Take the newest vehicle state and goal."""
    f = state.f
    for k in range(3):
        f[POSITION + k] = position[k]
        f[VELOCITY + k] = velocity[k]
        f[GOAL + k] = goal[k]
        f[DESIRED_VEL + k] = desired_velocity[k]
    yaw_deg, pitch_deg = attitude_deg(qw, qx, qy, qz)
    f[YAW] = yaw_deg * RAD_PER_DEG
    f[PITCH_DEG] = pitch_deg
    state.i[STAY] = stay
    state.i[AIRBORNE] = airborne
    state.i[NAV] = nav
    state.i[LAND_WP] = land_waypoint
    state.i[TAKEOFF_WP] = takeoff_waypoint
    if airborne == 0 or not _finite3(f, SMOOTH) or not _finite3(f, SMOOTH_VEL):
        _copy(f, SMOOTH, POSITION)
        f[SMOOTH_VEL] = f[SMOOTH_VEL + 1] = f[SMOOTH_VEL + 2] = ZERO
        f[YAW_SP] = f[YAW]
        f[YAW_VEL] = ZERO
        state.i[REACHED_ALTITUDE] = 0
    if state.i[AUTO_LAND]:
        _copy(f, SMOOTH, POSITION)
        f[SMOOTH_VEL] = f[SMOOTH_VEL + 1] = f[SMOOTH_VEL + 2] = ZERO


@njit(**FAST_MATH_FREE)
def setpoint_from_path(path, n, last_path_time, now, speed, out):
    """Point on a path (end first) that a drone of this speed reaches now; writes `out`, returns validity."""
    if n < 2:
        return False
    if n == 2:
        out[0], out[1], out[2] = path[0, 0], path[0, 1], path[0, 2]
        return True
    way = np.float32((now - last_path_time) * np.float64(speed))
    k = n - 2
    while True:
        sx, sy, sz = path[k, 0], path[k, 1], path[k, 2]
        dx, dy, dz = path[k - 1, 0] - sx, path[k - 1, 1] - sy, path[k - 1, 2] - sz
        length = norm3(dx, dy, dz)
        share = way / length
        out[0], out[1], out[2] = sx + share * dx, sy + share * dy, sz + share * dz
        if not (way > length and k > 1):
            return way < length
        way -= length
        k -= 1


@njit(**FAST_MATH_FREE)
def _towards(f, target):
    """goto = one metre from the position towards a target; the position itself if there is no direction."""
    dx, dy, dz = target[0] - f[POSITION], target[1] - f[POSITION + 1], target[2] - f[POSITION + 2]
    length = norm3(dx, dy, dz)
    if length > ZERO and length < F32(np.inf):
        f[GOTO] = f[POSITION] + dx / length
        f[GOTO + 1] = f[POSITION + 1] + dy / length
        f[GOTO + 2] = f[POSITION + 2] + dz / length
    else:
        _copy(f, GOTO, POSITION)


@njit(**FAST_MATH_FREE)
def _needs_altitude_change(state):
    """Take-off, landing or reaching the height first? Also decides on automatic landing."""
    f, i = state.f, state.i
    nav = i[NAV]
    z, goal_z = f[POSITION + 2], f[GOAL + 2]
    climb = z <= goal_z - _CLIMB_RTL_M
    unknown_height = math.isnan(z) or math.isnan(goal_z)  # the only way to "descend" in this version
    takeoff = nav == NAV_TAKEOFF or (nav == NAV_MISSION and i[TAKEOFF_WP] != 0) or (nav == NAV_RTL and climb)
    land = nav == NAV_LAND or (nav == NAV_MISSION and i[LAND_WP] != 0) or (nav == NAV_RTL and unknown_height)
    i[AUTO_LAND] = 1 if land else 0
    offboard = nav == NAV_OFFBOARD and i[REACHED_ALTITUDE] == 0
    if not (takeoff or land or offboard):
        return False
    if nav == NAV_OFFBOARD and z >= goal_z:
        i[REACHED_ALTITUDE] = 1
        return False
    return True


@njit(**FAST_MATH_FREE)
def _smooth_yaw(state, dt, gain):
    f = state.f
    dx, dy = f[GOTO] - f[POSITION], f[GOTO + 1] - f[POSITION + 1]
    desired = f[YAW]
    if state.i[STATE] == ALTITUDE_CHANGE:
        desired = f[ALT_YAW]
    elif math.sqrt(dx * dx + dy * dy) > _SMALL:
        desired = np.float32(math.atan2(dy, dx))
    if gain <= _NO_SMOOTHING:
        f[YAW_SP] = desired
        return
    damping = TWO * math.sqrt(gain)
    error = wrap_pi(desired - f[YAW_SP])
    if not math.isfinite(desired):
        error = ZERO
    f[YAW_VEL] = f[YAW_VEL] + (gain * error - damping * f[YAW_VEL]) * dt
    f[YAW_SP] = wrap_pi(f[YAW_SP] + f[YAW_VEL] * dt)


@njit(**FAST_MATH_FREE)
def _adapt_speed(state, dt, cruise, fovs):
    f = state.f
    alpha = dt / (_SPEED_TIME_S + dt)
    target = cruise if math.isfinite(cruise) else _FALLBACK_SPEED
    to_goal = norm3(f[GOAL] - f[POSITION], f[GOAL + 1] - f[POSITION + 1], f[GOAL + 2] - f[POSITION + 2])
    if to_goal < _NEAR_GOAL_M:
        _copy(f, GOTO, GOAL)
        target = to_goal
        if math.isnan(f[GOAL_HEADING]):
            f[GOAL_HEADING] = f[YAW]
        f[YAW_SP] = f[GOAL_HEADING]
    else:
        if state.i[STATE] != ALTITUDE_CHANGE:
            e, z = direction_angles(
                f[GOTO] - f[POSITION], f[GOTO + 1] - f[POSITION + 1], f[GOTO + 2] - f[POSITION + 2]
            )
            e, z = body_angles(e, z)
            e, z = wrap_polar(e - f[PITCH_DEG], z - f[YAW] * DEG_PER_RAD)
            target *= scale_to_fov(fovs, z)
        f[GOAL_HEADING] = NAN
    speed = alpha * target + (ONE - alpha) * f[SPEED]
    speed = to_goal if to_goal < speed else speed
    f[SPEED] = speed
    wx, wy, wz = f[GOTO] - f[POSITION], f[GOTO + 1] - f[POSITION + 1], f[GOTO + 2] - f[POSITION + 2]
    length = norm3(wx, wy, wz)
    if length > _SMALL:
        wx, wy, wz = wx / length, wy / length, wz / length
    f[ADAPTED] = f[POSITION] + wx * speed
    f[ADAPTED + 1] = f[POSITION + 1] + wy * speed
    f[ADAPTED + 2] = f[POSITION + 2] + wz * speed


@njit(**FAST_MATH_FREE)
def _smooth_position(state, dt, gain_xy, gain_z):
    f = state.f
    if gain_xy < _NO_SMOOTHING or gain_z < _NO_SMOOTHING:
        _copy(f, SMOOTHED, ADAPTED)
        return
    at_goal = norm3(f[ADAPTED] - f[GOAL], f[ADAPTED + 1] - f[GOAL + 1], f[ADAPTED + 2] - f[GOAL + 2]) < _SMALL
    finite_location = True
    finite_velocity = True
    for k in range(3):
        wanted = ZERO if at_goal else f[VELOCITY + k]
        finite_location = finite_location and math.isfinite(f[ADAPTED + k] - f[SMOOTH + k])
        finite_velocity = finite_velocity and math.isfinite(wanted - f[SMOOTH_VEL + k])
    for k in range(3):
        gain = gain_z if k == 2 else gain_xy
        wanted = ZERO if at_goal else f[VELOCITY + k]
        location_error = f[ADAPTED + k] - f[SMOOTH + k] if finite_location else ZERO
        velocity_error = wanted - f[SMOOTH_VEL + k] if finite_velocity else ZERO
        push = gain * location_error + TWO * math.sqrt(gain) * velocity_error
        f[SMOOTH_VEL + k] = f[SMOOTH_VEL + k] + push * dt
        f[SMOOTH + k] = f[SMOOTH + k] + f[SMOOTH_VEL + k] * dt
    _copy(f, SMOOTHED, SMOOTH)


@njit(**FAST_MATH_FREE)
def _build_message(state, cruise, gain_xy, gain_z, fovs, keep_adapted):
    """Turn `goto` into the setpoint: yaw, speed, smoothing."""
    f = state.f
    if not keep_adapted:
        _copy(f, ADAPTED, GOTO)
    dt = np.float32(state.t[NOW] - state.t[BEFORE])
    if not dt > ZERO:
        dt = _LEAST_DT_S
    _smooth_yaw(state, dt, gain_xy)
    if not state.i[AUTO_LAND]:
        _adapt_speed(state, dt, cruise, fovs)
        _smooth_position(state, dt, gain_xy, gain_z)
    _copy(f, OUT_POSITION, SMOOTHED)
    half = f[YAW_SP] / TWO
    f[OUT_ORIENTATION] = math.cos(half)
    f[OUT_ORIENTATION + 1] = f[OUT_ORIENTATION + 2] = ZERO
    f[OUT_ORIENTATION + 3] = math.sin(half)


@njit(**FAST_MATH_FREE)
def _run_altitude_change(state):
    """goto of the altitude change; True if the adapted position was set here."""
    f, i = state.f, state.i
    if i[CHANGED]:
        f[ALT_YAW] = f[YAW]
        _copy(f, ALT_POS, POSITION)
    if i[NAV] == NAV_OFFBOARD:
        _copy(f, GOTO, POSITION)
        f[GOAL], f[GOAL + 1] = f[POSITION], f[POSITION + 1]
        if i[AIRBORNE]:
            f[GOTO + 2] += ONE if f[POSITION + 2] <= f[GOAL + 2] else -ONE
        return
    vx, vy = f[VELOCITY], f[VELOCITY + 1]
    if math.sqrt(vx * vx + vy * vy) > _SLOW_MPS:
        f[OUT_VELOCITY], f[OUT_VELOCITY + 1], f[OUT_VELOCITY + 2] = ZERO, ZERO, NAN
        _copy(f, GOTO, POSITION)
        _copy(f, ADAPTED, POSITION)
        _copy(f, SMOOTHED, POSITION)
        _copy(f, ALT_POS, POSITION)
        return
    f[GOTO], f[GOTO + 1], f[GOTO + 2] = f[ALT_POS], f[ALT_POS + 1], f[GOAL + 2]
    if i[AUTO_LAND]:
        _copy(f, ADAPTED, GOTO)
        _copy(f, SMOOTHED, GOTO)
    _copy(f, OUT_VELOCITY, DESIRED_VEL)


@njit(**FAST_MATH_FREE)
def run_generator(state, path, path_length, last_path_time, cruise, now, gain_xy, gain_z, fovs):
    """One cycle: run the current state, then its transition. The output is in the OUT slots."""
    f, t, i = state.f, state.t, state.i
    for k in range(3):
        f[OUT_VELOCITY + k] = NAN
    t[BEFORE] = t[NOW]
    t[NOW] = now
    _copy(f, SETPOINT, POSITION)
    setpoint = f[SETPOINT : SETPOINT + 3]
    current = i[STATE]
    following = LOITER
    if current == TRY_PATH:
        valid = setpoint_from_path(path, path_length, last_path_time, now, cruise, setpoint)
        _towards(f, setpoint)
        _build_message(state, cruise, gain_xy, gain_z, fovs, False)
        if i[STAY]:
            following = LOITER
        elif _needs_altitude_change(state):
            following = ALTITUDE_CHANGE
        else:
            following = TRY_PATH if valid else DIRECT
    elif current == DIRECT:
        valid = setpoint_from_path(path, path_length, last_path_time, now, cruise, setpoint)
        _towards(f, f[GOAL : GOAL + 3])
        _build_message(state, cruise, gain_xy, gain_z, fovs, False)
        if valid:
            following = TRY_PATH
        elif _needs_altitude_change(state):
            following = ALTITUDE_CHANGE
        else:
            following = LOITER if i[STAY] else DIRECT
    elif current == ALTITUDE_CHANGE:
        _run_altitude_change(state)
        _build_message(state, cruise, gain_xy, gain_z, fovs, False)
        if i[STAY]:
            following = LOITER
        else:
            following = ALTITUDE_CHANGE if _needs_altitude_change(state) else TRY_PATH
    else:
        if i[CHANGED] or not _finite3(f, HOVER):
            _copy(f, HOVER, POSITION)
        _copy(f, GOTO, HOVER)
        _build_message(state, cruise, gain_xy, gain_z, fovs, False)
        following = LOITER if i[STAY] else TRY_PATH
    i[CHANGED] = 1 if following != current else 0
    i[STATE] = following
