"""What the drone decides: the 3DVFH* local planner of PX4-Avoidance, two implementations of one contract."""

from uav_testgen.planner.vfh3d.base import (
    NOMINAL_FOV,
    FieldOfView,
    NavState,
    Planner,
    PlannerMemory,
    PlannerResult,
    Waypoint,
    WaypointGenerator,
    WaypointInput,
    WaypointState,
    make_planner,
    make_waypoint_generator,
)
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters

__all__ = [
    "NOMINAL_FOV",
    "FieldOfView",
    "NavState",
    "Planner",
    "PlannerConfig",
    "PlannerMemory",
    "PlannerResult",
    "Px4Parameters",
    "Waypoint",
    "WaypointGenerator",
    "WaypointInput",
    "WaypointState",
    "make_planner",
    "make_waypoint_generator",
]
