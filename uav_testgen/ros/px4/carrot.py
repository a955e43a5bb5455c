"""The position PX4 is told: the planner's waypoint, drawn near enough that it is flown at the right speed.

In OFFBOARD a position setpoint is flown at (gain x distance) up to a limit of 12 m/s. PX4's own mission task
would fly to the same waypoint at the cruise speed and brake for it; the setpoint is moved so that the
position controller demands just that speed.
"""

from __future__ import annotations

import math

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.frames import Vector3, wrap_pi
from uav_testgen.vehicle.px4.setpoint import braking_speed


class CarrotConfig(RoomConfig):
    """PX4's parameters behind the demanded speed."""

    mpc_xy_p: float = Field(0.95, gt=0, le=10, description="Horizontal position gain [1/s]")
    mpc_z_p: float = Field(1.0, gt=0, le=10, description="Vertical position gain [1/s]")
    acc_hor_mps2: float = Field(3.0, gt=0, le=50, description="Horizontal acceleration when braking [m/s^2]")
    jerk_mps3: float = Field(4.0, gt=0, le=100, description="Jerk when braking [m/s^3]")
    climb_mps: float = Field(1.5, gt=0, le=20, description="Fastest climb [m/s]")
    sink_mps: float = Field(1.0, gt=0, le=20, description="Fastest descent [m/s]")
    cruise_mps: float = Field(
        3.0, gt=0, le=20, description="Fastest flight where the mission says nothing [m/s]"
    )
    yaw_rate_degps: float = Field(
        45.0, gt=0, le=360, description="Fastest turn of the heading setpoint [deg/s]"
    )


def draw_near(
    position_enu_m: Vector3, waypoint_enu_m: Vector3, cruise_mps: float, config: CarrotConfig
) -> Vector3:
    """A point on the way to the waypoint (or the waypoint itself if it is near)."""
    dx, dy, dz = (waypoint_enu_m[axis] - position_enu_m[axis] for axis in range(3))
    distance_m = math.hypot(dx, dy)
    speed_mps = min(cruise_mps, float(braking_speed(config.jerk_mps3, config.acc_hor_mps2, distance_m)))
    share = min(1.0, speed_mps / config.mpc_xy_p / distance_m) if distance_m > 1e-9 else 1.0
    rise_m = max(-config.sink_mps / config.mpc_z_p, min(config.climb_mps / config.mpc_z_p, dz))
    return (
        position_enu_m[0] + share * dx,
        position_enu_m[1] + share * dy,
        position_enu_m[2] + rise_m,
    )


def turn_towards(yaw_rad: float, wanted_rad: float, dt_s: float, config: CarrotConfig) -> float:
    """The heading setpoint after a time step; a demand that is not finite keeps it."""
    if not math.isfinite(wanted_rad):
        return yaw_rad
    step = math.radians(config.yaw_rate_degps) * dt_s
    return wrap_pi(yaw_rad + max(-step, min(step, wrap_pi(wanted_rad - yaw_rad))))
