"""Parameters of the 3DVFH* planner and the PX4 parameters it reads.

Field names carry units; :meth:`PlannerConfig.from_reconfigure` and :meth:`Px4Parameters.from_px4_names`
translate the names used by the original planner and by PX4, so files in either vocabulary can be read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from pydantic import ConfigDict, Field

from uav_testgen.core.config import RoomConfig

RECONFIGURE_NAMES: Final[dict[str, str]] = {
    "max_sensor_range_": "max_sensor_range_m",
    "min_sensor_range_": "min_sensor_range_m",
    "pitch_cost_param_": "pitch_cost_param",
    "yaw_cost_param_": "yaw_cost_param",
    "velocity_cost_param_": "velocity_cost_param",
    "obstacle_cost_param_": "obstacle_cost_param_m",
    "tree_heuristic_weight_": "tree_heuristic_weight",
    "goal_z_param": "goal_z_m",
    "timeout_startup_": "timeout_startup_s",
    "timeout_critical_": "timeout_critical_s",
    "timeout_termination_": "timeout_termination_s",
    "max_point_age_s_": "max_point_age_s",
    "min_num_points_per_cell_": "min_num_points_per_cell",
    "smoothing_speed_xy_": "smoothing_speed_xy",
    "smoothing_speed_z_": "smoothing_speed_z",
    "smoothing_margin_degrees_": "smoothing_margin_deg",
    "children_per_node_": "children_per_node",
    "n_expanded_nodes_": "n_expanded_nodes",
    "tree_node_distance_": "tree_node_distance_m",
}
"""Original dynamic-reconfigure name -> field of :class:`PlannerConfig`."""

PX4_NAMES: Final[dict[str, str]] = {
    "MPC_AUTO_MODE": "mpc_auto_mode",
    "MPC_JERK_MIN": "mpc_jerk_min_mps3",
    "MPC_JERK_MAX": "mpc_jerk_max_mps3",
    "MPC_ACC_UP_MAX": "mpc_acc_up_max_mps2",
    "MPC_Z_VEL_MAX_UP": "mpc_z_vel_max_up_mps",
    "MPC_ACC_DOWN_MAX": "mpc_acc_down_max_mps2",
    "MPC_Z_VEL_MAX_DN": "mpc_z_vel_max_dn_mps",
    "MPC_ACC_HOR": "mpc_acc_hor_mps2",
    "MPC_XY_CRUISE": "mpc_xy_cruise_mps",
    "MPC_TKO_SPEED": "mpc_tko_speed_mps",
    "MPC_LAND_SPEED": "mpc_land_speed_mps",
    "CP_DIST": "cp_dist_m",
    "MPC_YAWRAUTO_MAX": "mpc_yawrauto_max_degps",
    "NAV_ACC_RAD": "nav_acc_rad_m",
}
"""PX4 parameter name -> field of :class:`Px4Parameters`."""


class PlannerConfig(RoomConfig):
    """The dynamic-reconfigure parameters of the planner; defaults are the ones acting in PX4 SITL."""

    max_sensor_range_m: float = Field(
        15.0, ge=0, le=40, description="points farther are discarded; also the largest tree radius [m]"
    )
    min_sensor_range_m: float = Field(0.2, ge=0, le=10, description="new points closer are discarded [m]")
    pitch_cost_param: float = Field(
        25.0, ge=0, le=30, description="weight of the elevation deviation from the goal [1/deg^2]"
    )
    yaw_cost_param: float = Field(
        3.0, ge=0, le=20, description="weight of the azimuth deviation from the goal [1/deg^2]"
    )
    velocity_cost_param: float = Field(
        6000.0, ge=0, le=50000, description="weight of the deviation from the current velocity [s/m]"
    )
    obstacle_cost_param_m: float = Field(
        8.5, ge=0, le=30, description="distance at which the obstacle cost is at half height [m]"
    )
    tree_heuristic_weight: float = Field(
        35.0, ge=0, le=50, description="weight of the goal distance in the tree [1/m]"
    )
    goal_z_m: float = Field(3.5, ge=-20, le=20, description="goal height until a goal arrives [m]")
    timeout_startup_s: float = Field(
        5.0, ge=0, le=60, description="no failsafe hover before this time since start [s]"
    )
    timeout_critical_s: float = Field(
        0.5, ge=0, le=10, description="hover when the planner is silent longer [s]"
    )
    timeout_termination_s: float = Field(
        15.0, ge=0, le=1000, description="terminate the flight when the planner is silent longer [s]"
    )
    max_point_age_s: float = Field(
        20.0, ge=0, le=500, description="how long points outside the field of view are remembered [s]"
    )
    min_num_points_per_cell: int = Field(
        1, ge=1, le=500, description="points a 2 deg cell needs before one of them is believed [1]"
    )
    smoothing_speed_xy: float = Field(
        10.0, ge=0, le=30, description="P gain of horizontal and yaw smoothing, 0 = off [1/s^2]"
    )
    smoothing_speed_z: float = Field(
        3.0, ge=0, le=30, description="P gain of vertical smoothing, 0 = off [1/s^2]"
    )
    smoothing_margin_deg: float = Field(
        40.0, ge=0, le=90, description="radius over which obstacle costs are spread [deg]"
    )
    children_per_node: int = Field(8, ge=0, le=100, description="candidate directions per tree node [1]")
    n_expanded_nodes: int = Field(40, ge=0, le=200, description="expansions of the look-ahead tree [1]")
    tree_node_distance_m: float = Field(2.0, ge=0, le=20, description="length of a tree edge [m]")

    @classmethod
    def from_reconfigure(cls, values: Mapping[str, Any]) -> PlannerConfig:
        """Build from the original parameter names (``max_sensor_range_`` …); unknown names are refused."""
        return cls(**_translate(values, RECONFIGURE_NAMES, "planner"))


def _px4(default: float, description: str) -> Any:
    """A parameter that PX4 may not have sent yet."""
    return Field(
        default,
        description=description,
        json_schema_extra={"allowed": "any number; nan means: not received yet"},
    )


class Px4Parameters(RoomConfig):
    """PX4 parameters mirrored by the planner; defaults are those of the firmware v1.12 in SITL.

    Only ``mpc_xy_cruise_mps``, ``mpc_acc_hor_mps2``, ``mpc_jerk_max_mps3`` and the sign of ``cp_dist_m``
    change what the planner does; the others are stored as the original stores them. A value of NaN means
    "not received yet".
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=True)

    mpc_auto_mode: int = Field(1, ge=-1, le=1, description="trajectory mode of PX4 missions [-]")
    mpc_jerk_min_mps3: float = _px4(8.0, description="smallest jerk [m/s^3]")
    mpc_jerk_max_mps3: float = _px4(8.0, description="largest jerk, limits the cruise speed [m/s^3]")
    mpc_acc_up_max_mps2: float = _px4(4.0, description="largest upward acceleration [m/s^2]")
    mpc_z_vel_max_up_mps: float = _px4(3.0, description="largest climb speed [m/s]")
    mpc_acc_down_max_mps2: float = _px4(3.0, description="largest downward acceleration [m/s^2]")
    mpc_z_vel_max_dn_mps: float = _px4(1.0, description="largest sink speed [m/s]")
    mpc_acc_hor_mps2: float = _px4(
        3.0, description="horizontal acceleration, limits the cruise speed [m/s^2]"
    )
    mpc_xy_cruise_mps: float = _px4(
        5.0, description="cruise speed [m/s]; also, read as metres, the off-track threshold"
    )
    mpc_tko_speed_mps: float = _px4(1.5, description="take-off speed [m/s]")
    mpc_land_speed_mps: float = _px4(0.7, description="landing speed [m/s]")
    cp_dist_m: float = _px4(-1.0, description="collision prevention distance; > 0 asks for distances [m]")
    mpc_yawrauto_max_degps: float = _px4(45.0, description="largest yaw rate in automatic modes [deg/s]")
    nav_acc_rad_m: float = _px4(10.0, description="waypoint acceptance radius [m]")

    @classmethod
    def from_px4_names(cls, values: Mapping[str, Any]) -> Px4Parameters:
        """Build from PX4's parameter names (``MPC_XY_CRUISE`` …); unknown names are refused."""
        named = {name: math.nan if value is None else value for name, value in values.items()}
        return cls(**_translate(named, PX4_NAMES, "PX4"))


def _translate(values: Mapping[str, Any], names: Mapping[str, str], kind: str) -> dict[str, Any]:
    """Rename ``values`` by ``names``; an unknown name is an error that lists the known ones."""
    unknown = sorted(set(values) - set(names))
    if unknown:
        raise ValueError(f"unknown {kind} parameter {unknown[0]!r}; known: {', '.join(sorted(names))}")
    return {names[name]: value for name, value in values.items()}
