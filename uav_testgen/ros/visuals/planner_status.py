"""What a planner did in one cycle, as far as it tells."""

from __future__ import annotations

import math
from typing import Final

from geometry_msgs.msg import Point
from std_msgs.msg import Header
from uav_testgen_msgs.msg import FlightStep, PlannerStatus

from uav_testgen.planner.vfh3d.base import WaypointState
from uav_testgen.planner.vfh3d.planner import Vfh3dPlanner, details_of
from uav_testgen.ros.convert.parts import point_to_msg
from uav_testgen.ros.planner_steps import PlannerSteps, StepAnswer

_WAYPOINT_STATES: Final = {
    WaypointState.TRY_PATH: PlannerStatus.TRY_PATH,
    WaypointState.ALTITUDE_CHANGE: PlannerStatus.ALTITUDE_CHANGE,
    WaypointState.LOITER: PlannerStatus.LOITER,
    WaypointState.DIRECT: PlannerStatus.DIRECT,
    None: PlannerStatus.NO_WAYPOINTS,
}


def status_msg(
    steps: PlannerSteps, answer: StepAnswer, step: FlightStep, header: Header, compute_s: float
) -> PlannerStatus:
    """The status of any planner; 3DVFH* tells more than others."""
    state = steps.planner.waypoint_state if isinstance(steps.planner, Vfh3dPlanner) else None
    status = PlannerStatus(
        header=header,
        planner=steps.system.planner.name,
        planned_now=True,
        waypoint_state=_WAYPOINT_STATES[state],
        closest_point=Point(x=math.nan, y=math.nan, z=math.nan),
        cruise_velocity=math.nan,
        goal_index=step.goal_index,
        compute_time=compute_s,
    )
    result = details_of(answer.plan)
    if result is not None:
        status.planned_now = result.planned_now
        status.cloud_size, status.tree_size = len(result.cloud_enu_m), result.tree_size
        status.closest_point = point_to_msg(result.closest_point_enu_m)
        status.cruise_velocity = float(result.cruise_velocity_mps)
        status.path_age = max(0.0, step.time - result.last_path_time_s)
    return status
