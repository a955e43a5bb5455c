"""One cycle of the simulated autopilot: flight task, controllers, airframe."""

from __future__ import annotations

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import PITCH as BODY_PITCH
from uav_testgen.core.body import POSITION, VELOCITY
from uav_testgen.core.body import ROLL as BODY_ROLL
from uav_testgen.core.body import YAW as BODY_YAW
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle.px4.body import step_body
from uav_testgen.vehicle.px4.config import Px4Constants
from uav_testgen.vehicle.px4.setpoint import step_setpoint
from uav_testgen.vehicle.px4.state import PITCH, POS, ROLL, VEL, YAW

CYCLE_S = 0.02
"""Period of PX4's flight task."""


@kernel
def step_cycle(
    state: FloatArray,
    waypoint_enu_m: FloatArray,
    yaw_waypoint_rad: float,
    previous_enu_m: FloatArray,
    goal_enu_m: FloatArray,
    item: int,
    wind_enu_mps: FloatArray,
    dt_s: float,
    k: Px4Constants,
) -> None:
    """Fly towards the generated waypoint; previous and goal are the ends of the mission's leg."""
    step_setpoint(state, waypoint_enu_m, yaw_waypoint_rad, previous_enu_m, goal_enu_m, item, dt_s, k)
    step_body(state, wind_enu_mps, dt_s, k)


@kernel
def copy_to_body(state: FloatArray, body: FloatArray) -> None:
    """What the rest of the simulator sees of the vehicle."""
    for axis in range(3):
        body[POSITION + axis] = state[POS + axis]
        body[VELOCITY + axis] = state[VEL + axis]
    body[BODY_ROLL], body[BODY_PITCH], body[BODY_YAW] = state[ROLL], state[PITCH], state[YAW]
