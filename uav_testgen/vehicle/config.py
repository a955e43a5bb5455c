"""Settings of PRGenUAV-LFS's vehicle and of the rules that begin and end a mission."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from uav_testgen.core.config import RoomConfig


class PaperVehicleConfig(RoomConfig):
    """The kinematic point of PRGenUAV-LFS's low-fidelity simulator (section III)."""

    model: Literal["paper"] = Field("paper", description="vehicle model [-]")

    speed_mps: float = Field(3.0, gt=0, le=50, description="speed along the path [m/s]")
    yaw_rate_degps: float = Field(13.5, gt=0, le=720, description="largest turning rate [deg/s]")
    slow_turn_share: float = Field(
        1 / 3,
        gt=0,
        le=10,
        description="full speed while the yaw error is below this part of one second of turning [1]",
    )
    climb_speed_mps: float = Field(1.5, gt=0, le=20, description="vertical speed of the take-off [m/s]")
    sink_speed_mps: float = Field(0.7, gt=0, le=20, description="vertical speed of the landing [m/s]")


class MissionRules(RoomConfig):
    """When a waypoint counts as reached and when a flight is over."""

    acceptance_radius_m: float = Field(
        1.0, gt=0, le=100, description="a waypoint is reached when nearer than this [m]"
    )
    altitude_acceptance_m: float = Field(
        0.0,
        ge=0,
        le=100,
        description="> 0: the radius is horizontal and the height may differ by this, as in PX4 [m]",
    )
    height_tolerance_m: float = Field(
        0.05, gt=0, le=10, description="take-off and landing end this near to their height [m]"
    )
    time_limit_s: float = Field(600.0, gt=0, le=36_000, description="longest flight [s]")
    stuck_time_s: float = Field(
        60.0, ge=0, le=36_000, description="stuck after so long within stuck_radius_m; 0 = never [s]"
    )
    stuck_radius_m: float = Field(1.0, gt=0, le=1000, description="see stuck_time_s [m]")
