"""The waypoint generator's state machine, compiled: a path in, one smooth setpoint out.

The readable form is `vfh3d.reference.guide`: read that first. The state is one record, so that a whole flight can
run it inside compiled code. Yaw is rad here, pitch deg, as in the original.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from uav_testgen.core.kernel import kernel
from uav_testgen.planner.vfh3d.compiled.grid import (
    DEG_PER_RAD,
    F32,
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

GENERATOR = np.dtype(
    [
        ("now_s", np.float64),
        ("before_s", np.float64),
        ("mode", np.int64),  # TRY_PATH, ALTITUDE_CHANGE, LOITER or DIRECT
        ("has_changed", np.int64),
        ("auto_land", np.int64),
        ("has_reached_altitude", np.int64),
        ("stays", np.int64),
        ("is_airborne", np.int64),
        ("nav", np.int64),
        ("is_land_waypoint", np.int64),
        ("is_takeoff_waypoint", np.int64),
        ("smooth", np.float32, 3),  # filtered position, and its velocity
        ("smooth_velocity", np.float32, 3),
        ("yaw_setpoint", np.float32),
        ("yaw_velocity", np.float32),
        ("speed", np.float32),
        ("goal_heading", np.float32),  # heading on arrival; NaN before
        ("hover", np.float32, 3),  # where it loiters
        ("altitude_position", np.float32, 3),  # where a change of altitude began, and with which heading
        ("altitude_yaw", np.float32),
        ("position", np.float32, 3),  # newest state of the vehicle and goal
        ("velocity", np.float32, 3),
        ("yaw", np.float32),
        ("pitch_deg", np.float32),
        ("goal", np.float32, 3),
        ("desired_velocity", np.float32, 3),
        ("goto", np.float32, 3),  # where to go, at which speed, smoothed
        ("adapted", np.float32, 3),
        ("smoothed", np.float32, 3),
        ("out_position", np.float32, 3),  # the answer
        ("out_orientation", np.float32, 4),
        ("out_velocity", np.float32, 3),
        ("setpoint", np.float32, 3),  # the point on the path
        ("gap", np.float32),  # fills the record: bytes between fields would not be copied with them
    ],
    align=True,
)
"""State, inputs and last output of one generator."""

_START_CLOCK_S = 99999.0
_LEAST_DT_S = F32(0.0001)
_NEAR_GOAL_M = ONE
_CLIMB_RTL_M = F32(0.8)
_SLOW_MPS = F32(0.5)
_SMALL = F32(0.1)
_NO_SMOOTHING = F32(0.01)
_SPEED_TIME_S = F32(0.9)
_FALLBACK_SPEED = TWO


def make_generator_state() -> npt.NDArray[np.void]:
    """A fresh state: an array of one record."""
    state = np.zeros(1, GENERATOR)
    reset_generator(state)
    return state


@kernel
def reset_generator(state):
    """Back to the state after construction."""
    g = state[0]
    for k in range(3):
        g.smooth[k] = g.hover[k] = g.altitude_position[k] = g.out_velocity[k] = NAN
        g.smooth_velocity[k] = g.position[k] = g.velocity[k] = g.goal[k] = g.desired_velocity[k] = ZERO
        g.goto[k] = g.adapted[k] = g.smoothed[k] = g.out_position[k] = g.setpoint[k] = ZERO
        g.out_orientation[k + 1] = ZERO
    g.out_orientation[0] = ONE
    g.gap = ZERO
    g.yaw_setpoint = g.yaw_velocity = g.speed = g.yaw = g.pitch_deg = ZERO
    g.goal_heading = g.altitude_yaw = NAN
    g.now_s = g.before_s = _START_CLOCK_S
    g.mode = LOITER
    g.has_changed = g.auto_land = g.has_reached_altitude = g.stays = g.is_airborne = 0
    g.nav = g.is_land_waypoint = g.is_takeoff_waypoint = 0


@kernel
def _copy(to, source):
    for k in range(3):
        to[k] = source[k]


@kernel
def _finite3(vector):
    return math.isfinite(vector[0]) and math.isfinite(vector[1]) and math.isfinite(vector[2])


@kernel
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
    g = state[0]
    for k in range(3):
        g.position[k] = position[k]
        g.velocity[k] = velocity[k]
        g.goal[k] = goal[k]
        g.desired_velocity[k] = desired_velocity[k]
    yaw_deg, pitch_deg = attitude_deg(qw, qx, qy, qz)
    g.yaw = yaw_deg * RAD_PER_DEG
    g.pitch_deg = pitch_deg
    g.stays = stay
    g.is_airborne = airborne
    g.nav = nav
    g.is_land_waypoint = land_waypoint
    g.is_takeoff_waypoint = takeoff_waypoint
    if airborne == 0 or not _finite3(g.smooth) or not _finite3(g.smooth_velocity):
        _copy(g.smooth, g.position)
        g.smooth_velocity[0] = g.smooth_velocity[1] = g.smooth_velocity[2] = ZERO
        g.yaw_setpoint = g.yaw
        g.yaw_velocity = ZERO
        g.has_reached_altitude = 0
    if g.auto_land:
        _copy(g.smooth, g.position)
        g.smooth_velocity[0] = g.smooth_velocity[1] = g.smooth_velocity[2] = ZERO


@kernel
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


@kernel
def _towards(g, target):
    """goto = one metre from the position towards a target; the position itself if there is no direction."""
    dx, dy, dz = target[0] - g.position[0], target[1] - g.position[1], target[2] - g.position[2]
    length = norm3(dx, dy, dz)
    if length > ZERO and length < F32(np.inf):
        g.goto[0] = g.position[0] + dx / length
        g.goto[1] = g.position[1] + dy / length
        g.goto[2] = g.position[2] + dz / length
    else:
        _copy(g.goto, g.position)


@kernel
def _needs_altitude_change(state):
    """Take-off, landing or reaching the height first? Also decides on automatic landing."""
    g = state[0]
    nav = g.nav
    z, goal_z = g.position[2], g.goal[2]
    climb = z <= goal_z - _CLIMB_RTL_M
    unknown_height = math.isnan(z) or math.isnan(goal_z)  # the only way to "descend" in this version
    takeoff = (
        nav == NAV_TAKEOFF
        or (nav == NAV_MISSION and g.is_takeoff_waypoint != 0)
        or (nav == NAV_RTL and climb)
    )
    land = (
        nav == NAV_LAND
        or (nav == NAV_MISSION and g.is_land_waypoint != 0)
        or (nav == NAV_RTL and unknown_height)
    )
    g.auto_land = 1 if land else 0
    offboard = nav == NAV_OFFBOARD and g.has_reached_altitude == 0
    if not (takeoff or land or offboard):
        return False
    if nav == NAV_OFFBOARD and z >= goal_z:
        g.has_reached_altitude = 1
        return False
    return True


@kernel
def _smooth_yaw(state, dt, gain):
    g = state[0]
    dx, dy = g.goto[0] - g.position[0], g.goto[1] - g.position[1]
    desired = g.yaw
    if g.mode == ALTITUDE_CHANGE:
        desired = g.altitude_yaw
    elif math.sqrt(dx * dx + dy * dy) > _SMALL:
        desired = np.float32(math.atan2(dy, dx))
    if gain <= _NO_SMOOTHING:
        g.yaw_setpoint = desired
        return
    damping = TWO * math.sqrt(gain)
    error = wrap_pi(desired - g.yaw_setpoint)
    if not math.isfinite(desired):
        error = ZERO
    g.yaw_velocity = g.yaw_velocity + (gain * error - damping * g.yaw_velocity) * dt
    g.yaw_setpoint = wrap_pi(g.yaw_setpoint + g.yaw_velocity * dt)


@kernel
def _adapt_speed(state, dt, cruise, fovs):
    g = state[0]
    alpha = dt / (_SPEED_TIME_S + dt)
    target = cruise if math.isfinite(cruise) else _FALLBACK_SPEED
    to_goal = norm3(g.goal[0] - g.position[0], g.goal[1] - g.position[1], g.goal[2] - g.position[2])
    if to_goal < _NEAR_GOAL_M:
        _copy(g.goto, g.goal)
        target = to_goal
        if math.isnan(g.goal_heading):
            g.goal_heading = g.yaw
        g.yaw_setpoint = g.goal_heading
    else:
        if g.mode != ALTITUDE_CHANGE:
            e, z = direction_angles(
                g.goto[0] - g.position[0], g.goto[1] - g.position[1], g.goto[2] - g.position[2]
            )
            e, z = body_angles(e, z)
            e, z = wrap_polar(e - g.pitch_deg, z - g.yaw * DEG_PER_RAD)
            target *= scale_to_fov(fovs, z)
        g.goal_heading = NAN
    speed = alpha * target + (ONE - alpha) * g.speed
    speed = to_goal if to_goal < speed else speed
    g.speed = speed
    wx, wy, wz = g.goto[0] - g.position[0], g.goto[1] - g.position[1], g.goto[2] - g.position[2]
    length = norm3(wx, wy, wz)
    if length > _SMALL:
        wx, wy, wz = wx / length, wy / length, wz / length
    g.adapted[0] = g.position[0] + wx * speed
    g.adapted[1] = g.position[1] + wy * speed
    g.adapted[2] = g.position[2] + wz * speed


@kernel
def _smooth_position(state, dt, gain_xy, gain_z):
    g = state[0]
    if gain_xy < _NO_SMOOTHING or gain_z < _NO_SMOOTHING:
        _copy(g.smoothed, g.adapted)
        return
    at_goal = norm3(g.adapted[0] - g.goal[0], g.adapted[1] - g.goal[1], g.adapted[2] - g.goal[2]) < _SMALL
    finite_location = True
    finite_velocity = True
    for k in range(3):
        wanted = ZERO if at_goal else g.velocity[k]
        finite_location = finite_location and math.isfinite(g.adapted[k] - g.smooth[k])
        finite_velocity = finite_velocity and math.isfinite(wanted - g.smooth_velocity[k])
    for k in range(3):
        gain = gain_z if k == 2 else gain_xy
        wanted = ZERO if at_goal else g.velocity[k]
        location_error = g.adapted[k] - g.smooth[k] if finite_location else ZERO
        velocity_error = wanted - g.smooth_velocity[k] if finite_velocity else ZERO
        push = gain * location_error + TWO * math.sqrt(gain) * velocity_error
        g.smooth_velocity[k] = g.smooth_velocity[k] + push * dt
        g.smooth[k] = g.smooth[k] + g.smooth_velocity[k] * dt
    _copy(g.smoothed, g.smooth)


@kernel
def _build_message(state, cruise, gain_xy, gain_z, fovs, keep_adapted):
    """Turn `goto` into the setpoint: yaw, speed, smoothing."""
    g = state[0]
    if not keep_adapted:
        _copy(g.adapted, g.goto)
    dt = np.float32(g.now_s - g.before_s)
    if not dt > ZERO:
        dt = _LEAST_DT_S
    _smooth_yaw(state, dt, gain_xy)
    if not g.auto_land:
        _adapt_speed(state, dt, cruise, fovs)
        _smooth_position(state, dt, gain_xy, gain_z)
    _copy(g.out_position, g.smoothed)
    half = g.yaw_setpoint / TWO
    g.out_orientation[0] = math.cos(half)
    g.out_orientation[1] = g.out_orientation[2] = ZERO
    g.out_orientation[3] = math.sin(half)


@kernel
def _run_altitude_change(state):
    """goto of the altitude change; True if the adapted position was set here."""
    g = state[0]
    if g.has_changed:
        g.altitude_yaw = g.yaw
        _copy(g.altitude_position, g.position)
    if g.nav == NAV_OFFBOARD:
        _copy(g.goto, g.position)
        g.goal[0], g.goal[1] = g.position[0], g.position[1]
        if g.is_airborne:
            g.goto[2] += ONE if g.position[2] <= g.goal[2] else -ONE
        return
    vx, vy = g.velocity[0], g.velocity[1]
    if math.sqrt(vx * vx + vy * vy) > _SLOW_MPS:
        g.out_velocity[0], g.out_velocity[1], g.out_velocity[2] = ZERO, ZERO, NAN
        _copy(g.goto, g.position)
        _copy(g.adapted, g.position)
        _copy(g.smoothed, g.position)
        _copy(g.altitude_position, g.position)
        return
    g.goto[0], g.goto[1], g.goto[2] = g.altitude_position[0], g.altitude_position[1], g.goal[2]
    if g.auto_land:
        _copy(g.adapted, g.goto)
        _copy(g.smoothed, g.goto)
    _copy(g.out_velocity, g.desired_velocity)


@kernel
def run_generator(state, path, path_length, last_path_time, cruise, now, gain_xy, gain_z, fovs):
    """One cycle: run the current state, then its transition. The output is in the fields `out_*`."""
    g = state[0]
    for k in range(3):
        g.out_velocity[k] = NAN
    g.before_s = g.now_s
    g.now_s = now
    _copy(g.setpoint, g.position)
    setpoint = g.setpoint
    current = g.mode
    following = LOITER
    if current == TRY_PATH:
        valid = setpoint_from_path(path, path_length, last_path_time, now, cruise, setpoint)
        _towards(g, setpoint)
        _build_message(state, cruise, gain_xy, gain_z, fovs, False)
        if g.stays:
            following = LOITER
        elif _needs_altitude_change(state):
            following = ALTITUDE_CHANGE
        else:
            following = TRY_PATH if valid else DIRECT
    elif current == DIRECT:
        valid = setpoint_from_path(path, path_length, last_path_time, now, cruise, setpoint)
        _towards(g, g.goal)
        _build_message(state, cruise, gain_xy, gain_z, fovs, False)
        if valid:
            following = TRY_PATH
        elif _needs_altitude_change(state):
            following = ALTITUDE_CHANGE
        else:
            following = LOITER if g.stays else DIRECT
    elif current == ALTITUDE_CHANGE:
        _run_altitude_change(state)
        _build_message(state, cruise, gain_xy, gain_z, fovs, False)
        if g.stays:
            following = LOITER
        else:
            following = ALTITUDE_CHANGE if _needs_altitude_change(state) else TRY_PATH
    else:
        if g.has_changed or not _finite3(g.hover):
            _copy(g.hover, g.position)
        _copy(g.goto, g.hover)
        _build_message(state, cruise, gain_xy, gain_z, fovs, False)
        following = LOITER if g.stays else TRY_PATH
    g.has_changed = 1 if following != current else 0
    g.mode = following
