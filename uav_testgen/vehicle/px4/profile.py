"""Velocity profiles with limited acceleration and jerk, the shape PX4 gives its set-points.

One axis goes from (velocity, acceleration) to a wanted velocity in three phases: jerk, constant
acceleration, opposite jerk. The three axes are stretched to end together, so the path bends smoothly.

A profile is a row of `PROFILE_WIDTH` numbers: position, velocity, acceleration, the three durations
and the direction (+1, -1, 0) of the first phase. Formulas follow from integrating the phases.
"""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel

POSITION, VELOCITY, ACCELERATION, FIRST_S, HOLD_S, LAST_S, DIRECTION = range(7)
PROFILE_WIDTH = 7
_TINY = 1.2e-7


@kernel
def advance(profile: FloatArray, dt_s: float, jerk_max: float) -> None:
    """Move the state along its phases by `dt_s`. PX4 plans anew every cycle, so durations are not kept up."""
    remaining = dt_s
    for phase in range(4):
        if phase == 0:
            span, jerk = profile[FIRST_S], profile[DIRECTION] * jerk_max
        elif phase == 1:
            span, jerk = profile[HOLD_S], 0.0
        elif phase == 2:
            span, jerk = profile[LAST_S], -profile[DIRECTION] * jerk_max
        else:
            # Past the end of the plan the velocity is held, whatever rounding left as acceleration.
            span, jerk = remaining, 0.0
            profile[ACCELERATION] = 0.0
        t = min(remaining, span)
        if t <= 0.0:
            continue
        velocity, acceleration = profile[VELOCITY], profile[ACCELERATION]
        profile[POSITION] += velocity * t + 0.5 * acceleration * t * t + jerk * t * t * t / 6.0
        profile[VELOCITY] = velocity + acceleration * t + 0.5 * jerk * t * t
        profile[ACCELERATION] = acceleration + jerk * t
        remaining -= t
        if remaining <= 0.0:
            break


@kernel
def plan_fastest(profile: FloatArray, wanted_mps: float, jerk_max: float, acceleration_max: float) -> None:
    """Durations that reach the wanted velocity as soon as the limits allow."""
    velocity, acceleration = profile[VELOCITY], profile[ACCELERATION]
    # The velocity at which we would end if we only let the present acceleration fade out.
    coasting = velocity + 0.5 * acceleration * abs(acceleration) / jerk_max
    gap = wanted_mps - coasting
    direction = 1.0 if gap > 0.0 else (-1.0 if gap < 0.0 else 0.0)
    if direction == 0.0 and acceleration != 0.0:
        direction = 1.0 if acceleration > 0.0 else -1.0
    profile[DIRECTION] = direction
    profile[FIRST_S] = profile[HOLD_S] = profile[LAST_S] = 0.0
    if direction == 0.0:
        return
    jerk = direction * jerk_max
    change = wanted_mps - velocity
    square = jerk * change + 0.5 * acceleration * acceleration
    peak = direction * min(math.sqrt(max(square, 0.0)), acceleration_max)
    first = max((peak - acceleration) / jerk, 0.0)
    peak = acceleration + jerk * first
    last = max(peak / jerk, 0.0)
    hold = 0.0
    if abs(peak) > _TINY:
        gained = acceleration * first + 0.5 * jerk * first * first + 0.5 * jerk * last * last
        hold = max((change - gained) / peak, 0.0)
    profile[FIRST_S], profile[HOLD_S], profile[LAST_S] = first, hold, last


@kernel
def plan_in_time(
    profile: FloatArray, wanted_mps: float, total_s: float, jerk_max: float, acceleration_max: float
) -> None:
    """Durations that reach the wanted velocity after `total_s`, gentler than the fastest way."""
    direction = profile[DIRECTION]
    if direction == 0.0:
        return
    velocity, acceleration = profile[VELOCITY], profile[ACCELERATION]
    jerk = direction * jerk_max
    change = wanted_mps - velocity
    reach = jerk * total_s + acceleration
    square = reach * reach - 2.0 * acceleration * acceleration - 4.0 * jerk * change
    first = 0.0
    if square >= 0.0:
        peak = 0.5 * (reach - direction * math.sqrt(square))
        peak = max(-acceleration_max, min(acceleration_max, peak))
        first = max((peak - acceleration) / jerk, 0.0)
    last = max(acceleration / jerk + first, 0.0)
    profile[FIRST_S], profile[LAST_S] = first, last
    profile[HOLD_S] = max(total_s - first - last, 0.0)


@kernel
def plan_together(
    profiles: FloatArray,
    wanted_mps: tuple[float, float, float],
    jerk_max: float,
    accelerations_max: tuple[float, float, float],
) -> None:
    """Plan the three axes so that all reach their wanted velocity at the same moment."""
    longest, slowest = 0.0, -1
    for axis in range(3):
        plan_fastest(profiles[axis], wanted_mps[axis], jerk_max, accelerations_max[axis])
        total = profiles[axis, FIRST_S] + profiles[axis, HOLD_S] + profiles[axis, LAST_S]
        if total > longest:
            longest, slowest = total, axis
    if longest <= _TINY:
        return
    for axis in range(3):
        if axis != slowest:
            plan_in_time(profiles[axis], wanted_mps[axis], longest, jerk_max, accelerations_max[axis])
