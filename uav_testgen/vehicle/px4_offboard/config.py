"""Settings of PX4 in offboard mode: the firmware's controllers, the airframe, and how the bench steers it.

Firmware values are PX4's defaults (unchanged from v1.14 to v1.16); the airframe's were fitted by `uav-testgen
calibrate --system px4_offboard` to flights of PX4 v1.16.2 with its built-in SIH quadrotor.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.vehicle.px4.air import GRAVITY_MPS2
from uav_testgen.vehicle.px4_offboard.carrot import Carrot, CarrotConfig


class Px4OffboardConfig(RoomConfig):
    """How the simulated PX4 follows set-points in offboard mode."""

    model: Literal["px4_offboard"] = Field("px4_offboard", description="vehicle model [-]")

    # Firmware: limits
    mpc_xy_vel_max_mps: float = Field(12.0, gt=0, le=20, description="largest horizontal speed [m/s]")
    mpc_z_vel_max_up_mps: float = Field(3.0, gt=0, le=8, description="climb speed [m/s]")
    mpc_z_vel_max_dn_mps: float = Field(1.5, gt=0, le=4, description="sink speed [m/s]")
    mpc_tiltmax_air_deg: float = Field(45.0, ge=20, le=85, description="largest tilt [deg]")
    mpc_land_speed_mps: float = Field(0.7, gt=0, le=3, description="sink speed near the ground [m/s]")
    mpc_land_alt1_m: float = Field(10.0, ge=0, le=122, description="height where landing slows down [m]")
    mpc_land_alt2_m: float = Field(5.0, ge=0, le=122, description="height of the final landing speed [m]")
    mpc_tko_ramp_t_s: float = Field(3.0, ge=0, le=5, description="time to full climb speed [s]")
    com_spoolup_time_s: float = Field(1.0, ge=0, le=30, description="rotors spool up before lift-off [s]")
    mc_rollrate_max_degps: float = Field(220.0, gt=0, le=1800, description="largest rate of the tilt [deg/s]")
    mc_yawrate_max_degps: float = Field(200.0, gt=0, le=1800, description="largest yaw rate [deg/s]")
    # Firmware: controllers
    mpc_xy_p: float = Field(0.95, gt=0, le=2, description="horizontal position gain [1/s]")
    mpc_z_p: float = Field(1.0, gt=0, le=1.5, description="vertical position gain [1/s]")
    mpc_xy_vel_p: float = Field(1.8, gt=0, le=5, description="horizontal velocity gain [1/s]")
    mpc_xy_vel_i: float = Field(0.4, ge=0, le=60, description="horizontal velocity integrator [1/s^2]")
    mpc_xy_vel_d: float = Field(0.2, ge=0, le=2, description="horizontal acceleration damping [1]")
    mpc_z_vel_p: float = Field(4.0, gt=0, le=15, description="vertical velocity gain [1/s]")
    mpc_z_vel_i: float = Field(2.0, ge=0, le=3, description="vertical velocity integrator [1/s^2]")
    mc_roll_p: float = Field(6.5, gt=0, le=12, description="tilt gain, roll and pitch [1/s]")
    mc_yaw_p: float = Field(2.8, gt=0, le=5, description="yaw gain [1/s]")
    # Airframe
    tilt_rate_lag_s: float = Field(0.05, gt=0, le=2, description="lag of the tilt's rate [s]")
    thrust_lag_s: float = Field(0.05, gt=0, le=2, description="lag of the vertical thrust [s]")
    yaw_rate_lag_s: float = Field(0.15, gt=0, le=2, description="lag of the yaw rate [s]")
    yaw_acceleration_max_degps2: float = Field(
        200.0, gt=0, le=5000, description="fastest change of the yaw rate [deg/s^2]"
    )
    drag_per_s: float = Field(0.3, ge=0, le=3, description="drag per unit mass and speed [1/s]")
    # The estimator: what it gets wrong pushes the vehicle off its set-point
    velocity_error_mps: float = Field(
        0.0, ge=0, le=2, description="wandering error of the velocity estimate, standard deviation [m/s]"
    )
    velocity_error_period_s: float = Field(
        25.0, ge=1, le=300, description="period in which that error comes and goes [s]"
    )
    velocity_error_seed: int = Field(0, ge=0, description="which error of that kind [-]")
    # The bench
    setpoint_delay_s: float = Field(
        0.0,
        ge=0,
        le=0.5,
        description="from the pose the planner guides with to the bridge steering by it [s]",
    )
    carrot: CarrotConfig | None = Field(
        default_factory=CarrotConfig,
        description="how the bridge draws positions near; none: PX4 gets them as they are",
    )

    def constants(self) -> OffboardConstants:
        """The values the kernels need, as plain floats."""
        return OffboardConstants(
            vel_xy=self.mpc_xy_vel_max_mps,
            vel_up=self.mpc_z_vel_max_up_mps,
            vel_down=self.mpc_z_vel_max_dn_mps,
            tilt_max=math.tan(math.radians(self.mpc_tiltmax_air_deg)),
            land_speed=self.mpc_land_speed_mps,
            land_alt1=max(self.mpc_land_alt1_m, self.mpc_land_alt2_m),
            land_alt2=self.mpc_land_alt2_m,
            ramp=self.mpc_tko_ramp_t_s,
            spool_up=self.com_spoolup_time_s,
            tilt_rate_max=GRAVITY_MPS2 * math.radians(self.mc_rollrate_max_degps),
            yaw_rate_max=math.radians(self.mc_yawrate_max_degps),
            xy_p=self.mpc_xy_p,
            z_p=self.mpc_z_p,
            xy_vel_p=self.mpc_xy_vel_p,
            xy_vel_i=self.mpc_xy_vel_i,
            xy_vel_d=self.mpc_xy_vel_d,
            z_vel_p=self.mpc_z_vel_p,
            z_vel_i=self.mpc_z_vel_i,
            tilt_p=self.mc_roll_p,
            yaw_p=self.mc_yaw_p,
            tilt_lag=self.tilt_rate_lag_s,
            thrust_lag=self.thrust_lag_s,
            yaw_lag=self.yaw_rate_lag_s,
            yaw_acc_max=math.radians(self.yaw_acceleration_max_degps2),
            drag=self.drag_per_s,
            error=self.velocity_error_mps,
            error_period=self.velocity_error_period_s,
            error_seed=self.velocity_error_seed,
        )

    def steering(self, mission_speed_mps: float | None) -> Carrot:
        """The bench's part for the kernels; without one all its numbers are zero."""
        if self.carrot is None:
            return Carrot(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        return self.carrot.numbers(mission_speed_mps)


class OffboardConstants(NamedTuple):
    """`Px4OffboardConfig` as the kernels see it: SI units."""

    vel_xy: float
    vel_up: float
    vel_down: float
    tilt_max: float
    land_speed: float
    land_alt1: float
    land_alt2: float
    ramp: float
    spool_up: float
    tilt_rate_max: float
    yaw_rate_max: float
    xy_p: float
    z_p: float
    xy_vel_p: float
    xy_vel_i: float
    xy_vel_d: float
    z_vel_p: float
    z_vel_i: float
    tilt_p: float
    yaw_p: float
    tilt_lag: float
    thrust_lag: float
    yaw_lag: float
    yaw_acc_max: float
    drag: float
    error: float
    error_period: float
    error_seed: int
