"""The planner's answer to a step, to a message and back."""

from __future__ import annotations

import array
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from std_msgs.msg import Header
from uav_testgen_msgs.msg import Setpoint

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.vfh3d.base import WaypointState
from uav_testgen.ros.convert.motion import finite_point
from uav_testgen.ros.convert.parts import point_to_msg, vector_to_msg

if TYPE_CHECKING:
    from uav_testgen.ros.planner_steps import StepAnswer

WAYPOINT_STATES: Final = {
    WaypointState.TRY_PATH: Setpoint.TRY_PATH,
    WaypointState.ALTITUDE_CHANGE: Setpoint.ALTITUDE_CHANGE,
    WaypointState.LOITER: Setpoint.LOITER,
    WaypointState.DIRECT: Setpoint.DIRECT,
}
MAX_PATH_POINTS: Final = 1000


def setpoint_to_msg(answer: StepAnswer, header: Header) -> Setpoint:
    """Answer to message."""
    result, waypoint = answer.result, answer.waypoint
    path = np.ascontiguousarray(result.path_enu_m, dtype=np.float32)
    return Setpoint(
        header=header,
        planned_now=result.planned_now,
        target=point_to_msg(answer.target_enu_m),
        path=array.array("f", path.tobytes()),
        last_path_time=float(result.last_path_time_s),
        cruise_velocity=float(result.cruise_velocity_mps),
        state=WAYPOINT_STATES[waypoint.state],
        position=point_to_msg(waypoint.position_enu_m),
        velocity=vector_to_msg(waypoint.linear_velocity_enu_mps),
        yaw=float(waypoint.yaw_rad),
        yaw_rate=float(waypoint.yaw_rate_radps),
        speed=float(waypoint.speed_mps),
    )


def setpoint_path(message: Setpoint) -> NDArray[np.float32]:
    """The path (n, 3) of a setpoint."""
    return np.array(message.path, dtype=np.float32).reshape(-1, 3)


def step_command(message: Setpoint) -> dict[str, Any]:
    """What a vehicle model is told of a setpoint, by the names of its step input."""
    return {
        "planned_now": message.planned_now,
        "path_enu_m": setpoint_path(message),
        "last_path_time_s": message.last_path_time,
        "cruise_mps": message.cruise_velocity,
    }


def check_setpoint(message: Setpoint) -> None:
    """PlannerInputError unless a vehicle can fly it. NaN in yaw and velocity means "no demand"."""
    finite_point(message.target, "target")
    finite_point(message.position, "position")
    count = len(message.path)
    if count % 3 or count > 3 * MAX_PATH_POINTS:
        raise PlannerInputError(f"path of {count} numbers is not a list of at most {MAX_PATH_POINTS} points")
    if count and not np.isfinite(np.array(message.path)).all():
        raise PlannerInputError("path holds numbers that are not finite")
    if message.state not in WAYPOINT_STATES.values():
        raise PlannerInputError(f"state {message.state} is unknown")
    for name in ("last_path_time", "cruise_velocity"):
        if not math.isfinite(getattr(message, name)):
            raise PlannerInputError(f"{name} is not finite")
