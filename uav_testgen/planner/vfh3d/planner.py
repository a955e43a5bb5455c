"""3DVFH* as a planner like any other: `reset`, `plan`, `guide`. Either implementation, either guide."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from uav_testgen.core.arrays import Float32Array, FloatArray
from uav_testgen.core.body import (
    BODY_SIZE,
    LAND,
    LEG,
    POSITION,
    ROLL,
    SETPOINT_SIZE,
    VELOCITY,
    quaternion_of,
)
from uav_testgen.planner.base import FieldOfView, Observation, Plan, PlannerSetup, Pose
from uav_testgen.planner.vfh3d.base import NOMINAL_FOV, PlannerResult, WaypointState, make_planner
from uav_testgen.planner.vfh3d.compiled.first_node import FirstNodeGuide, to_first_node
from uav_testgen.planner.vfh3d.compiled.planner import fov_array
from uav_testgen.planner.vfh3d.compiled.waypoint_guide import (
    WaypointGuide,
    new_waypoint_memory,
    start_waypoints,
    to_waypoint,
)
from uav_testgen.planner.vfh3d.compiled.workspace import make_parameters
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters

GUIDE_PERIOD_S = 0.1
"""Period of the waypoint generator, in which the delay of goals is counted."""
_NO_PATH: Float32Array = np.zeros((0, 3), np.float32)


@dataclass(frozen=True)
class GuideSettings:
    """How paths become set-points."""

    kind: Literal["waypoint", "first_node"] = "waypoint"
    goal_delay_s: float = 0.0
    planning_s: float = 0.0


def make_waypoint_guide(
    settings: GuideSettings,
    parameters: PlannerConfig,
    autopilot: Px4Parameters,
    views: tuple[FieldOfView, ...],
    speed_mps: float | None,
) -> WaypointGuide:
    """The waypoint generator in kernel types; a speed of the mission replaces the cruise speed."""
    cruise = make_parameters(parameters, autopilot).cruise
    return WaypointGuide(
        goal_delay=round(settings.goal_delay_s / GUIDE_PERIOD_S),
        planning_s=settings.planning_s,
        cruise=cruise if speed_mps is None else np.float32(speed_mps),
        gain_xy=np.float32(parameters.smoothing_speed_xy),
        gain_z=np.float32(parameters.smoothing_speed_z),
        views=fov_array(views),
    )


@dataclass
class Vfh3dPlanner:
    """The planner under test that ships with this package."""

    parameters: PlannerConfig = field(default_factory=PlannerConfig)
    autopilot: Px4Parameters = field(default_factory=Px4Parameters)
    views: tuple[FieldOfView, ...] = (NOMINAL_FOV,)
    implementation: str = "compiled"
    guide_settings: GuideSettings = field(default_factory=GuideSettings)
    speed_mps: float | None = None
    """Demanded by the mission."""
    trace: bool = False
    """Keep tree and costs in the details of a plan."""

    name = "vfh3d"

    def __post_init__(self) -> None:
        self._planner = make_planner(self.implementation, self.parameters, self.autopilot, self.views)
        self._guide = make_waypoint_guide(
            self.guide_settings, self.parameters, self.autopilot, self.views, self.speed_mps
        )
        self._memory = new_waypoint_memory()
        self._seen: Observation | None = None
        self._path, self._path_time_s = _NO_PATH, 0.0
        self._body: FloatArray = np.zeros(BODY_SIZE)
        self._setpoint: FloatArray = np.zeros(SETPOINT_SIZE)

    def reset(self, setup: PlannerSetup | None = None) -> None:
        """Forget cloud, path and what the guide has smoothed."""
        self._planner.reset()
        start_waypoints(self._memory)
        self._seen = None
        self._path, self._path_time_s = _NO_PATH, 0.0

    def plan(self, observation: Observation) -> Plan:
        """One cycle of 3DVFH*."""
        self._seen = observation
        self._planner.set_goal(observation.goal_enu_m, observation.previous_enu_m)
        result: PlannerResult = self._planner.plan(
            observation.t_s,
            observation.position_enu_m,
            observation.velocity_enu_mps,
            quaternion_of(*observation.attitude_rad),
            observation.clouds_enu_m,
            trace=self.trace,
        )
        if self.used_in(observation.phase):
            self._path, self._path_time_s = result.path_enu_m, result.last_path_time_s
        else:
            # As in compiled flights, which keep up the memory of points but plan only where it is looked at.
            result = replace(
                result, planned_now=False, path_enu_m=self._path, last_path_time_s=self._path_time_s
            )
        return Plan(path_enu_m=result.path_enu_m[::-1], details=result)

    def used_in(self, phase: int) -> bool:
        """Does the guide look at plans in this phase of the mission?"""
        return phase == LEG if self.guide_settings.kind == "first_node" else phase != LAND

    @property
    def waypoint_state(self) -> WaypointState | None:
        """What the waypoint generator did last; None where another guide makes the set-points."""
        if self.guide_settings.kind != "waypoint":
            return None
        return tuple(WaypointState)[int(self._memory.generator["mode"][0])]

    def guide(self, plan: Plan | None, pose: Pose, t_s: float) -> FloatArray:
        """The set-point for the newest pose; `plan` is None where the guide is earlier than any plan."""
        assert self._seen is not None, "plan comes first"
        result: PlannerResult | None = plan.details if plan is not None else None
        path = _NO_PATH if result is None else np.ascontiguousarray(result.path_enu_m, dtype=np.float32)
        goal = np.asarray(self._seen.goal_enu_m, dtype=np.float64)
        if self.guide_settings.kind == "first_node":
            planned = result is not None and result.planned_now
            to_first_node(FirstNodeGuide(), goal, planned, path, len(path), self._setpoint)
            return np.array(self._setpoint)
        self._body[POSITION : POSITION + 3] = pose.position_enu_m
        self._body[VELOCITY : VELOCITY + 3] = pose.velocity_enu_mps
        self._body[ROLL : ROLL + 3] = pose.attitude_rad
        time_s = 0.0 if result is None else result.last_path_time_s
        to_waypoint(
            self._guide, self._memory, self._body, self._seen.phase, goal, path, len(path), time_s, t_s,
            self._setpoint,
        )  # fmt: skip
        return np.array(self._setpoint)


def details_of(plan: Plan | None) -> PlannerResult | None:
    """What 3DVFH* did for a plan; None for plans of other planners."""
    details: Any = plan.details if plan is not None else None
    return details if isinstance(details, PlannerResult) else None
