"""The mission as the vehicle's navigator sees it: phases, goals, waypoint switching, endings.

Compiled flights and the stepwise loop (and the ROS vehicle node) call the same two functions: `set_goal`
before a step, `after_step` after it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import LAND, LEG, POSITION, TAKEOFF
from uav_testgen.core.copying import copy_numbers
from uav_testgen.core.kernel import kernel
from uav_testgen.scenario.model import Mission
from uav_testgen.vehicle.config import MissionRules

Progress = NDArray[np.void]
"""One record of PROGRESS."""

FLYING, REACHED, STUCK, TIME_UP, HIT_OBSTACLE, HIT_GROUND, STARTS_INSIDE, BROKEN, STOPPED = range(9)
PLANNER_FAILED, PLANNER_LATE = 9, 10
"""Codes of `after_step` and of the flight kernel; FLYING means go on."""

PROGRESS = np.dtype(
    [
        ("phase", np.int64),
        ("goal_index", np.int64),  # corner of the route flown to
        ("near_enu_m", np.float64, 3),  # the place the vehicle has been near ...
        ("near_since_s", np.float64),  # ... since then
    ]
)


class PackedMission(NamedTuple):
    """A mission in kernel types."""

    home: FloatArray
    route: FloatArray
    """(n, 3) corner points: over home, then every waypoint."""
    takeoff: bool
    land: bool
    landing_z: float
    acceptance_m: float
    altitude_acceptance_m: float
    height_tolerance_m: float
    time_limit_s: float
    stuck_time_s: float
    stuck_radius_m: float


def pack_mission(mission: Mission, rules: MissionRules, ground_z_m: float = math.nan) -> PackedMission:
    """A mission for the kernels; `ground_z_m` is the ground below the last waypoint (NaN: home's height)."""
    return PackedMission(
        home=np.array(mission.home_enu_m, dtype=np.float64),
        route=np.array(mission.route_enu_m, dtype=np.float64).reshape(-1, 3),
        takeoff=mission.takeoff,
        land=mission.land,
        landing_z=ground_z_m if math.isfinite(ground_z_m) else float(mission.home_enu_m[2]),
        acceptance_m=rules.acceptance_radius_m,
        altitude_acceptance_m=rules.altitude_acceptance_m,
        height_tolerance_m=rules.height_tolerance_m,
        time_limit_s=rules.time_limit_s,
        stuck_time_s=rules.stuck_time_s,
        stuck_radius_m=rules.stuck_radius_m,
    )


def new_progress(mission: PackedMission) -> Progress:
    """At home, nothing flown yet."""
    progress = np.zeros(1, PROGRESS)
    begin(mission, progress)
    return progress


@kernel
def begin(mission: PackedMission, progress: Progress) -> None:
    """Reset the progress."""
    now = progress[0]
    now.phase = TAKEOFF if mission.takeoff else LEG
    now.goal_index = 0 if mission.takeoff else 1
    for axis in range(3):
        now.near_enu_m[axis] = mission.home[axis]
    now.near_since_s = 0.0


@kernel
def set_goal(mission: PackedMission, progress: Progress, goal: FloatArray, previous: FloatArray) -> None:
    """Goal and previous goal of the phase, written into the two vectors."""
    phase, k = progress[0].phase, progress[0].goal_index
    last = mission.route.shape[0] - 1
    if phase == TAKEOFF:
        copy_numbers(mission.route[0], goal)
        copy_numbers(mission.home, previous)
    elif phase == LEG:
        k = min(k, last)
        copy_numbers(mission.route[k], goal)
        copy_numbers(mission.route[k - 1] if k > 0 else mission.home, previous)
    else:
        copy_numbers(mission.route[last], goal)
        goal[2] = mission.landing_z
        copy_numbers(mission.route[last], previous)


@kernel
def after_step(mission: PackedMission, progress: Progress, body: FloatArray, t_s: float) -> int:
    """Switch waypoints and phases after a step that ended at time t; tells whether the flight goes on."""
    x, y, z = body[POSITION], body[POSITION + 1], body[POSITION + 2]
    if not (abs(x) < math.inf and abs(y) < math.inf and abs(z) < math.inf):
        return BROKEN
    now = progress[0]
    phase = now.phase
    last = mission.route.shape[0] - 1
    if phase == TAKEOFF:
        if z >= mission.route[0, 2] - mission.height_tolerance_m:
            phase = LEG
            now.phase, now.goal_index = LEG, 1
            if last < 1:
                now.phase = LAND
                if not mission.land:
                    return REACHED
    elif phase == LEG:
        k = min(now.goal_index, last)
        dx, dy, dz = mission.route[k, 0] - x, mission.route[k, 1] - y, mission.route[k, 2] - z
        if mission.altitude_acceptance_m > 0.0:
            arrived = math.hypot(dx, dy) <= mission.acceptance_m and abs(dz) <= mission.altitude_acceptance_m
        else:
            arrived = math.sqrt(dx * dx + dy * dy + dz * dz) < mission.acceptance_m
        if arrived:
            if k < last:
                now.goal_index = k + 1
            elif mission.land:
                now.phase = LAND
            else:
                return REACHED
    elif z <= mission.landing_z + mission.height_tolerance_m:
        return REACHED
    dx, dy, dz = x - now.near_enu_m[0], y - now.near_enu_m[1], z - now.near_enu_m[2]
    if math.sqrt(dx * dx + dy * dy + dz * dz) > mission.stuck_radius_m:
        now.near_enu_m[0], now.near_enu_m[1], now.near_enu_m[2] = x, y, z
        now.near_since_s = t_s
    elif mission.stuck_time_s > 0.0 and t_s - now.near_since_s >= mission.stuck_time_s:
        return STUCK
    return FLYING
