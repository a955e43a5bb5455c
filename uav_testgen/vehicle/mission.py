"""The mission as the vehicle's navigator sees it: phases, goals, waypoint switching, endings.

Compiled flights and the stepwise loop (and the ROS vehicle node) call the same two functions: `set_goal`
before a step, `after_step` after it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from uav_testgen.scenario.model import Mission
from uav_testgen.vehicle.base import LAND, LEG, POSITION, TAKEOFF
from uav_testgen.vehicle.config import MissionRules

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FLYING, REACHED, STUCK, TIME_UP, HIT_OBSTACLE, HIT_GROUND, STARTS_INSIDE, BROKEN = range(8)
"""Codes of `after_step` and of the flight kernel; FLYING means go on."""

# Slots of the integer state.
PHASE, NEXT = 0, 1
# Slots of the float state: where and since when the vehicle has been near one place.
ANCHOR, ANCHOR_S = 0, 3


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


class MissionState(NamedTuple):
    """Progress of a mission."""

    counters: IntArray
    anchor: FloatArray


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


def new_mission_state(mission: PackedMission) -> MissionState:
    """At home, nothing flown yet."""
    state = MissionState(np.zeros(2, np.int64), np.zeros(4))
    begin(mission, state)
    return state


@njit(cache=True, nogil=True, error_model="numpy")
def begin(mission: PackedMission, state: MissionState) -> None:
    """Reset the progress."""
    state.counters[PHASE] = TAKEOFF if mission.takeoff else LEG
    state.counters[NEXT] = 0 if mission.takeoff else 1
    state.anchor[ANCHOR : ANCHOR + 3] = mission.home
    state.anchor[ANCHOR_S] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def set_goal(mission: PackedMission, state: MissionState, goal: FloatArray, previous: FloatArray) -> None:
    """Goal and previous goal of the phase, written into the two vectors."""
    phase, k = state.counters[PHASE], state.counters[NEXT]
    last = mission.route.shape[0] - 1
    if phase == TAKEOFF:
        goal[:] = mission.route[0]
        previous[:] = mission.home
    elif phase == LEG:
        k = min(k, last)
        goal[:] = mission.route[k]
        previous[:] = mission.route[k - 1] if k > 0 else mission.home
    else:
        goal[:] = mission.route[last]
        goal[2] = mission.landing_z
        previous[:] = mission.route[last]


@njit(cache=True, nogil=True, error_model="numpy")
def after_step(mission: PackedMission, state: MissionState, body: FloatArray, t_s: float) -> int:
    """Switch waypoints and phases after a step that ended at time t; tells whether the flight goes on."""
    x, y, z = body[POSITION], body[POSITION + 1], body[POSITION + 2]
    if not (abs(x) < math.inf and abs(y) < math.inf and abs(z) < math.inf):
        return BROKEN
    phase = state.counters[PHASE]
    last = mission.route.shape[0] - 1
    if phase == TAKEOFF:
        if z >= mission.route[0, 2] - mission.height_tolerance_m:
            phase = LEG
            state.counters[PHASE], state.counters[NEXT] = LEG, 1
            if last < 1:
                state.counters[PHASE] = LAND
                if not mission.land:
                    return REACHED
    elif phase == LEG:
        k = min(state.counters[NEXT], last)
        dx, dy, dz = mission.route[k, 0] - x, mission.route[k, 1] - y, mission.route[k, 2] - z
        if mission.altitude_acceptance_m > 0.0:
            arrived = math.hypot(dx, dy) <= mission.acceptance_m and abs(dz) <= mission.altitude_acceptance_m
        else:
            arrived = math.sqrt(dx * dx + dy * dy + dz * dz) < mission.acceptance_m
        if arrived:
            if k < last:
                state.counters[NEXT] = k + 1
            elif mission.land:
                state.counters[PHASE] = LAND
            else:
                return REACHED
    elif z <= mission.landing_z + mission.height_tolerance_m:
        return REACHED
    dx, dy, dz = x - state.anchor[ANCHOR], y - state.anchor[ANCHOR + 1], z - state.anchor[ANCHOR + 2]
    if math.sqrt(dx * dx + dy * dy + dz * dz) > mission.stuck_radius_m:
        state.anchor[ANCHOR], state.anchor[ANCHOR + 1], state.anchor[ANCHOR + 2] = x, y, z
        state.anchor[ANCHOR_S] = t_s
    elif mission.stuck_time_s > 0.0 and t_s - state.anchor[ANCHOR_S] >= mission.stuck_time_s:
        return STUCK
    return FLYING
