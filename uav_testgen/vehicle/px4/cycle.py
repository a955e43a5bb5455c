"""One cycle of the simulated autopilot: flight task, controllers, airframe."""

from __future__ import annotations

from numba import njit

from uav_testgen.vehicle.base import PITCH as BODY_PITCH
from uav_testgen.vehicle.base import POSITION, VELOCITY
from uav_testgen.vehicle.base import ROLL as BODY_ROLL
from uav_testgen.vehicle.base import YAW as BODY_YAW
from uav_testgen.vehicle.px4.body import step_body
from uav_testgen.vehicle.px4.config import Px4Constants
from uav_testgen.vehicle.px4.setpoint import step_setpoint
from uav_testgen.vehicle.px4.state import PITCH, POS, ROLL, VEL, YAW
from uav_testgen.vehicle.px4_types import Floats

CYCLE_S = 0.02
"""Period of PX4's flight task."""


@njit(cache=True, nogil=True, error_model="numpy")
def step_cycle(
    state: Floats,
    waypoint_enu_m: Floats,
    yaw_waypoint_rad: float,
    previous_enu_m: Floats,
    goal_enu_m: Floats,
    item: int,
    wind_enu_mps: Floats,
    dt_s: float,
    k: Px4Constants,
) -> None:
    """Fly towards the generated waypoint; previous and goal are the ends of the mission's leg."""
    step_setpoint(state, waypoint_enu_m, yaw_waypoint_rad, previous_enu_m, goal_enu_m, item, dt_s, k)
    step_body(state, wind_enu_mps, dt_s, k)


@njit(cache=True, nogil=True, error_model="numpy")
def copy_to_body(state: Floats, body: Floats) -> None:
    """What the rest of the simulator sees of the vehicle."""
    for axis in range(3):
        body[POSITION + axis] = state[POS + axis]
        body[VELOCITY + axis] = state[VEL + axis]
    body[BODY_ROLL], body[BODY_PITCH], body[BODY_YAW] = state[ROLL], state[PITCH], state[YAW]
