"""PX4's mission flight task with obstacle avoidance: from the generated waypoint to a smooth set-point.

The avoidance waypoint replaces the mission's position set-point, so the task brakes for it as for a
final stop; how far ahead it lies decides the speed. While the task believes to be turning it does not
raise its speed limit ("speed lock"). The turn test looks at the task's own target, which is the nearest
point of the mission track as soon as the vehicle is farther from the track than the acceptance radius:
off the track nearly every course counts as a turn.

The jump of that target hangs on the vehicle's distance from the track, the turn test on the set-point's. If
the vehicle leads by a centimetre when it leaves the track, the limit is renewed for one cycle and the lock
holds at cruising speed instead of a crawl. The estimator's tilt error (px4_tilt_error) decides that.
"""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle.px4.config import Px4Constants
from uav_testgen.vehicle.px4.profile import POSITION, PROFILE_WIDTH, VELOCITY, advance, plan_together
from uav_testgen.vehicle.px4.state import (
    CLIMBING,
    LAND_ITEM,
    LOCKED_SPEED,
    POS,
    PROFILES,
    TAKEOFF_ITEM,
    YAW_SETPOINT,
)

_TURN_SPEED_MPS = 0.2
_TURN_COSINE = 0.98
_CLAMP_ACCURACY_MPS = 0.5


@kernel
def braking_speed(jerk: float, acceleration: float, distance_m: float) -> float:
    """Largest speed from which PX4 trusts itself to stop within the distance."""
    b = 4.0 * acceleration * acceleration / jerk
    return 0.5 * (-b + math.sqrt(b * b + 8.0 * acceleration * distance_m))


@kernel
def turn_target(
    x: float, y: float, previous: FloatArray, goal: FloatArray, k: Px4Constants
) -> tuple[float, float]:
    """The point the turn test looks at (east, north)."""
    if k.lock_on_track == 0.0:
        return goal[0], goal[1]
    ux, uy = goal[0] - previous[0], goal[1] - previous[1]
    length = math.hypot(ux, uy)
    if length > 1e-6:
        ux, uy = ux / length, uy / length
    else:
        ux, uy = 0.0, 0.0
    px, py = x - previous[0], y - previous[1]
    along = ux * px + uy * py
    if ux * (goal[0] - x) + uy * (goal[1] - y) < 0.0:
        return goal[0], goal[1]
    if along < 0.0 and math.hypot(px, py) > k.acceptance:
        return previous[0], previous[1]
    cx, cy = previous[0] + ux * along, previous[1] + uy * along
    if math.hypot(x - cx, y - cy) > k.acceptance:
        return cx, cy
    return goal[0], goal[1]


@kernel
def is_turning(profiles: FloatArray, target_x: float, target_y: float, acceptance_m: float) -> bool:
    """PX4's test: fast enough, course away from the target, target not reached."""
    vx, vy = profiles[0, VELOCITY], profiles[1, VELOCITY]
    dx, dy = target_x - profiles[0, POSITION], target_y - profiles[1, POSITION]
    speed, distance = math.hypot(vx, vy), math.hypot(dx, dy)
    if speed <= _TURN_SPEED_MPS or distance <= acceptance_m:
        return False
    return bool((vx * dx + vy * dy) / (speed * distance) < _TURN_COSINE)


@kernel
def step_setpoint(
    state: FloatArray,
    waypoint: FloatArray,
    yaw_waypoint: float,
    previous: FloatArray,
    goal: FloatArray,
    item: int,
    dt_s: float,
    k: Px4Constants,
) -> None:
    """One cycle of the flight task; the profiles in `state` then hold the set-point."""
    profiles = state[PROFILES : PROFILES + 3 * PROFILE_WIDTH].reshape(3, PROFILE_WIDTH)
    acc_z = k.acc_up if state[CLIMBING] > 0.0 else k.acc_down
    vel_z = k.vel_up if state[CLIMBING] > 0.0 else k.vel_down
    low = item == TAKEOFF_ITEM and state[CLIMBING] > 0.0 and state[POS + 2] < k.land_alt1
    if low:
        vel_z, acc_z = k.takeoff_speed, min(acc_z, k.takeoff_speed / 3.0)

    dx = waypoint[0] - profiles[0, POSITION]
    dy = waypoint[1] - profiles[1, POSITION]
    dz = waypoint[2] - profiles[2, POSITION]
    horizontal = math.hypot(dx, dy)
    speed_xy = min(k.cruise, braking_speed(k.speed_jerk, k.acc_hor, horizontal))
    speed_z = min(vel_z, braking_speed(k.speed_jerk, acc_z, abs(dz)))
    if k.speed_lock > 0.0:
        tx, ty = turn_target(state[POS], state[POS + 1], previous, goal, k)
        if is_turning(profiles, tx, ty, k.acceptance):
            speed_xy = min(speed_xy, state[LOCKED_SPEED])
        else:
            state[LOCKED_SPEED] = speed_xy

    wanted = (0.0, 0.0, 0.0)
    if item == LAND_ITEM:
        share = (state[POS + 2] - k.land_alt2) / max(k.land_alt1 - k.land_alt2, 1e-6)
        share = max(0.0, min(1.0, share))
        sink = -(k.land_speed + share * (k.vel_down - k.land_speed))
        wanted = (0.0, 0.0, sink)
        if horizontal > 1e-9:
            wanted = (dx / horizontal * speed_xy, dy / horizontal * speed_xy, sink)
    else:
        length = math.sqrt(horizontal * horizontal + dz * dz)
        if length > 1e-9:
            scale = math.sqrt(speed_xy * speed_xy + speed_z * speed_z) / length
            wanted = _clamped(dx * scale, dy * scale, dz * scale, speed_xy, speed_z)
    state[CLIMBING] = 1.0 if wanted[2] > 0.0 else 0.0

    ex = profiles[0, POSITION] - state[POS]
    ey = profiles[1, POSITION] - state[POS + 1]
    stretch = 1.0 - min(math.hypot(ex, ey) / k.err_max, 1.0)
    if ex * profiles[0, VELOCITY] + ey * profiles[1, VELOCITY] < 0.0:
        stretch = 1.0
    for axis in range(3):
        advance(profiles[axis], dt_s * stretch, k.jerk)
    if low:
        profiles[2, POSITION] = state[POS + 2]
    limit_z = min(acc_z, k.takeoff_speed / 3.0) if low else (k.acc_up if wanted[2] > 0.0 else k.acc_down)
    plan_together(profiles, wanted, k.jerk, (k.acc_hor, k.acc_hor, limit_z))
    _turn_yaw_setpoint(state, yaw_waypoint, dt_s, k)


@kernel
def _clamped(x: float, y: float, z: float, speed_xy: float, speed_z: float) -> tuple[float, float, float]:
    """Respect both limits; the whole vector shrinks unless the limited part is negligible."""
    norm = math.hypot(x, y)
    if norm > speed_xy and norm > 1e-7:
        factor = speed_xy / norm
        x *= factor
        y *= factor
        if not (speed_xy < _CLAMP_ACCURACY_MPS and norm < _CLAMP_ACCURACY_MPS):
            z *= factor
    norm = abs(z)
    if norm > speed_z and norm > 1e-7:
        factor = speed_z / norm
        z *= factor
        if not (speed_z < _CLAMP_ACCURACY_MPS and norm < _CLAMP_ACCURACY_MPS):
            x *= factor
            y *= factor
    return x, y, z


@kernel
def _turn_yaw_setpoint(state: FloatArray, yaw_waypoint: float, dt_s: float, k: Px4Constants) -> None:
    if not math.isfinite(yaw_waypoint):
        return
    error = yaw_waypoint - state[YAW_SETPOINT]
    error -= 2.0 * math.pi * math.floor(error / (2.0 * math.pi) + 0.5)
    step = k.yaw_rate_max * dt_s
    state[YAW_SETPOINT] += max(-step, min(step, error))
