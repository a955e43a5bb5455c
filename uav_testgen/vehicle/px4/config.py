"""Settings of the PX4 vehicle model: firmware parameters, airframe response, switchable effects.

Firmware values are those of PX4 v1.12 with the obstacle-avoidance airframe; nothing here was fitted to
distances except what `uav-testgen calibrate` wrote into the preset of a system.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from pydantic import Field

from uav_testgen.core.config import RoomConfig


class Px4VehicleConfig(RoomConfig):
    """How the simulated PX4 flies a mission along set-points."""

    model: Literal["px4"] = Field("px4", description="vehicle model [-]")

    # Firmware: set-points
    mpc_acc_hor_mps2: float = Field(3.0, gt=0, le=15, description="horizontal acceleration [m/s^2]")
    mpc_jerk_auto_mps3: float = Field(4.0, gt=0, le=80, description="jerk in missions [m/s^3]")
    mpc_xy_cruise_mps: float = Field(5.0, gt=0, le=20, description="largest horizontal speed [m/s]")
    mpc_acc_up_max_mps2: float = Field(4.0, gt=0, le=15, description="upward acceleration [m/s^2]")
    mpc_acc_down_max_mps2: float = Field(3.0, gt=0, le=15, description="downward acceleration [m/s^2]")
    mpc_z_vel_max_up_mps: float = Field(3.0, gt=0, le=8, description="climb speed [m/s]")
    mpc_z_vel_max_dn_mps: float = Field(1.0, gt=0, le=4, description="sink speed [m/s]")
    mpc_tko_speed_mps: float = Field(1.5, gt=0, le=5, description="climb speed of the take-off [m/s]")
    mpc_land_speed_mps: float = Field(0.7, gt=0, le=3, description="sink speed near the ground [m/s]")
    mpc_land_alt1_m: float = Field(10.0, ge=0, le=122, description="height where landing slows down [m]")
    mpc_land_alt2_m: float = Field(5.0, ge=0, le=122, description="height of the final landing speed [m]")
    mpc_xy_err_max_m: float = Field(2.0, gt=0, le=10, description="lag that stops the set-point clock [m]")
    nav_acc_rad_m: float = Field(0.5, gt=0, le=100, description="acceptance radius of waypoints [m]")
    nav_mc_alt_rad_m: float = Field(0.5, gt=0, le=100, description="altitude acceptance [m]")
    mpc_yawrauto_max_degps: float = Field(45.0, gt=0, le=360, description="yaw rate in missions [deg/s]")
    # Firmware: controllers
    mpc_xy_p: float = Field(0.95, gt=0, le=2, description="horizontal position gain [1/s]")
    mpc_z_p: float = Field(1.0, gt=0, le=1.5, description="vertical position gain [1/s]")
    mpc_xy_vel_p: float = Field(1.8, gt=0, le=5, description="horizontal velocity gain [1/s]")
    mpc_xy_vel_i: float = Field(0.4, ge=0, le=60, description="horizontal velocity integrator [1/s^2]")
    mpc_xy_vel_d: float = Field(0.2, ge=0, le=2, description="horizontal acceleration damping [1]")
    mpc_z_vel_p: float = Field(4.0, gt=0, le=15, description="vertical velocity gain [1/s]")
    mc_yaw_p: float = Field(2.8, gt=0, le=5, description="yaw gain [1/s]")
    # Airframe
    attitude_lag_s: float = Field(0.12, gt=0, le=2, description="lag of the tilt behind its command [s]")
    thrust_lag_s: float = Field(0.05, gt=0, le=2, description="lag of the vertical thrust [s]")
    yaw_rate_lag_s: float = Field(0.15, gt=0, le=2, description="lag of the yaw rate [s]")
    drag_per_s: float = Field(
        0.30, ge=0, le=3, description="drag of the rotors per unit mass and speed, as in Gazebo's iris [1/s]"
    )
    # Effects that can be switched
    yaw_feed_forward_degps: float = Field(
        45.0,
        ge=-360,
        le=360,
        description="yaw rate the planner publishes without meaning to, left positive [deg/s]",
    )
    speed_lock: bool = Field(True, description="PX4 keeps its speed limit while it thinks it turns [-]")
    lock_target: str = Field(
        "track",
        pattern="^(track|waypoint)$",
        description="what the turn test looks at: nearest point of the track when off it, or waypoint [-]",
    )
    tilt_error_mps2: float = Field(
        0.05, ge=0, le=2, description="acceleration by the tilt error of the estimator at lift-off [m/s^2]"
    )
    tilt_error_growth_mps3: float = Field(
        0.01, ge=0, le=2, description="growth of that error until the vehicle moves [m/s^3]"
    )
    tilt_error_decay_s: float = Field(
        8.0, gt=0, le=1000, description="time in which the error vanishes once the vehicle moves [s]"
    )
    tilt_error_course_deg: float = Field(
        115.0,
        ge=-360,
        le=360,
        description="where it pushes the vehicle, from the heading on the ground to the left [deg]",
    )
    jerk_limit: bool = Field(True, description="set-points follow jerk-limited profiles [-]")
    tilt: bool = Field(True, description="the camera pitches and rolls with the vehicle [-]")

    def constants(self) -> Px4Constants:
        """The values the kernels need, as plain floats."""
        return Px4Constants(
            acc_hor=self.mpc_acc_hor_mps2,
            jerk=self.mpc_jerk_auto_mps3 if self.jerk_limit else 1e4,
            cruise=self.mpc_xy_cruise_mps,
            acc_up=self.mpc_acc_up_max_mps2,
            acc_down=self.mpc_acc_down_max_mps2,
            vel_up=self.mpc_z_vel_max_up_mps,
            vel_down=self.mpc_z_vel_max_dn_mps,
            takeoff_speed=self.mpc_tko_speed_mps,
            land_speed=self.mpc_land_speed_mps,
            land_alt1=max(self.mpc_land_alt1_m, self.mpc_land_alt2_m),
            land_alt2=self.mpc_land_alt2_m,
            err_max=self.mpc_xy_err_max_m,
            acceptance=self.nav_acc_rad_m,
            yaw_rate_max=math.radians(self.mpc_yawrauto_max_degps),
            xy_p=self.mpc_xy_p,
            z_p=self.mpc_z_p,
            xy_vel_p=self.mpc_xy_vel_p,
            xy_vel_i=self.mpc_xy_vel_i,
            xy_vel_d=self.mpc_xy_vel_d,
            z_vel_p=self.mpc_z_vel_p,
            yaw_p=self.mc_yaw_p,
            attitude_lag=self.attitude_lag_s,
            thrust_lag=self.thrust_lag_s,
            yaw_lag=self.yaw_rate_lag_s,
            drag=self.drag_per_s,
            yaw_feed_forward=math.radians(self.yaw_feed_forward_degps),
            speed_lock=float(self.speed_lock),
            lock_on_track=float(self.lock_target == "track"),
            tilt=float(self.tilt),
            speed_jerk=self.mpc_jerk_auto_mps3,
            tilt_error=self.tilt_error_mps2,
            tilt_error_growth=self.tilt_error_growth_mps3,
            tilt_error_decay=self.tilt_error_decay_s,
            tilt_error_course=math.radians(self.tilt_error_course_deg),
        )


class Px4Constants(NamedTuple):
    """`Px4VehicleConfig` as the kernels see it: SI units, switches as 0 or 1."""

    acc_hor: float
    jerk: float
    cruise: float
    acc_up: float
    acc_down: float
    vel_up: float
    vel_down: float
    takeoff_speed: float
    land_speed: float
    land_alt1: float
    land_alt2: float
    err_max: float
    acceptance: float
    yaw_rate_max: float
    xy_p: float
    z_p: float
    xy_vel_p: float
    xy_vel_i: float
    xy_vel_d: float
    z_vel_p: float
    yaw_p: float
    attitude_lag: float
    thrust_lag: float
    yaw_lag: float
    drag: float
    yaw_feed_forward: float
    speed_lock: float
    lock_on_track: float
    tilt: float
    speed_jerk: float
    tilt_error: float
    tilt_error_growth: float
    tilt_error_decay: float
    tilt_error_course: float
