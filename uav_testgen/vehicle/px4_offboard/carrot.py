"""What PX4 is told: the planner's waypoint, drawn near enough that it is flown at the right speed.

In OFFBOARD a position setpoint is flown at (gain x distance) up to a limit of 12 m/s. PX4's own mission task
would fly to the same waypoint at the cruise speed and brake for it; the setpoint is moved so that the
position controller demands just that speed. Who demands velocities or accelerations has chosen the speed: those
go on as they are. The bridge to a live PX4 and the simulated one share this file.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from pydantic import Field

from uav_testgen.core.body import SET_POSITION, SET_VELOCITY, SET_YAW, SET_YAW_RATE, wrap_pi
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle.px4.setpoint import braking_speed


class Carrot(NamedTuple):
    """`CarrotConfig` as the kernels see it: SI units."""

    xy_p: float
    z_p: float
    acc_hor: float
    jerk: float
    climb: float
    sink: float
    cruise: float
    yaw_rate: float


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

    def numbers(self, mission_speed_mps: float | None = None) -> Carrot:
        """For the kernels; a speed demanded by the mission replaces the configured one."""
        return Carrot(
            xy_p=self.mpc_xy_p,
            z_p=self.mpc_z_p,
            acc_hor=self.acc_hor_mps2,
            jerk=self.jerk_mps3,
            climb=self.climb_mps,
            sink=self.sink_mps,
            cruise=self.cruise_mps if mission_speed_mps is None else mission_speed_mps,
            yaw_rate=math.radians(self.yaw_rate_degps),
        )


@kernel
def steer(
    told: Any, x: float, y: float, z: float, yaw_rad: float, told_yaw_rad: float, dt_s: float, k: Carrot
) -> float:
    """Turn what the planner demands into what PX4 is told, in place; returns the heading that was told last."""
    place_only = not (
        math.isnan(told[SET_POSITION])
        or math.isnan(told[SET_POSITION + 1])
        or math.isnan(told[SET_POSITION + 2])
    )
    for axis in range(3):
        forward = told[SET_VELOCITY + axis]
        # Beside a place zero adds nothing: to PX4, too, it is the same as no demand.
        place_only = place_only and (math.isnan(forward) or forward == 0.0)
    if place_only:
        told[SET_POSITION], told[SET_POSITION + 1], told[SET_POSITION + 2] = draw_near(
            x, y, z, told[SET_POSITION], told[SET_POSITION + 1], told[SET_POSITION + 2], k
        )
    if math.isnan(told[SET_YAW]) and not math.isnan(told[SET_YAW_RATE]):
        return yaw_rad
    told[SET_YAW] = turn_towards(told_yaw_rad, told[SET_YAW], dt_s, k)
    turned: float = told[SET_YAW]
    return turned


@kernel
def draw_near(
    x: float, y: float, z: float, to_x: float, to_y: float, to_z: float, k: Carrot
) -> tuple[float, float, float]:
    """A point on the way from here to the waypoint (or the waypoint itself if it is near)."""
    dx, dy, dz = to_x - x, to_y - y, to_z - z
    distance_m = math.hypot(dx, dy)
    speed_mps = min(k.cruise, braking_speed(k.jerk, k.acc_hor, distance_m))
    share = min(1.0, speed_mps / k.xy_p / distance_m) if distance_m > 1e-9 else 1.0
    rise_m = max(-k.sink / k.z_p, min(k.climb / k.z_p, dz))
    return x + share * dx, y + share * dy, z + rise_m


@kernel
def turn_towards(yaw_rad: float, wanted_rad: float, dt_s: float, k: Carrot) -> float:
    """The heading setpoint after a time step; a demand that is not finite keeps it."""
    if not math.isfinite(wanted_rad):
        return yaw_rad
    step = k.yaw_rate * dt_s
    turned: float = wrap_pi(yaw_rad + max(-step, min(step, wrap_pi(wanted_rad - yaw_rad))))
    return turned
