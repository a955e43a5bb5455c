"""How two flights of one test differ, and how far predictions may be off: the uncertain part of a system."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from uav_testgen.core.config import RoomConfig


@dataclass(frozen=True, slots=True)
class ModelError:
    """A spread, and what becomes of runs that hover without an end.

    Of these `escape_share` go on in reality, with a least distance anywhere between 0 and `escape_m`. Nothing
    farther than `reach_m`, the range of the planner's sensor, can hold a vehicle up.
    """

    spread_m: float
    escape_share: float = 0.0
    escape_m: float = 2.0
    reach_m: float = 15.0


class ScatterConfig(RoomConfig):
    """How two flights of the same test differ; standard deviations unless said otherwise."""

    start_m: float = Field(0.0, ge=0, le=10, description="take-off spot, east and north [m]")
    heading_rad: float = Field(0.0, ge=0, le=3, description="heading before take-off [rad]")
    frame_m: float = Field(
        0.0, ge=0, le=10, description="position estimate against the world, east and north [m]"
    )
    range_noise_m: float = Field(0.0, ge=0, le=1, description="depth noise per pixel [m]")
    timing_s: float = Field(
        0.0, ge=0, le=0.1, description="image and plan older or younger by up to (uniform) [s]"
    )
    tilt_error: float = Field(
        0.0, ge=0, le=1, description="growth of the tilt error, up to this share more or less (uniform) [1]"
    )
    velocity_error_mps: float = Field(
        0.0, ge=0, le=2, description="wandering error of the velocity estimate (px4_offboard) [m/s]"
    )
    free_share: float = Field(
        0.0, ge=0, le=1, description="share of the runs that fly without PX4's speed lock [1]"
    )
    free_speed_mps: float | None = Field(
        None,
        gt=0,
        le=20,
        description="largest horizontal speed of those runs; none: that of the vehicle [m/s]",
    )
    model_m: float = Field(
        0.8, ge=0, le=5, description="what the model leaves unexplained in the least distance [m]"
    )
    bias_m: float = Field(
        0.0, ge=-2, le=2, description="by how much real distances exceed predicted ones (median) [m]"
    )
    free_bias_m: float = Field(0.0, ge=-2, le=2, description="the same for runs without the speed lock [m]")
    escape_share: float = Field(
        0.0, ge=0, le=1, description="share of flights that go on in reality where the model hovers [1]"
    )
    escape_m: float = Field(
        2.0, gt=0, le=20, description="the least distance of these is anywhere below this [m]"
    )

    @property
    def varies(self) -> bool:
        """Do two runs of a test differ at all?"""
        differing = (self.start_m, self.heading_rad, self.frame_m, self.range_noise_m, self.timing_s)
        return any(
            value > 0.0 for value in (*differing, self.tilt_error, self.velocity_error_mps, self.free_share)
        )

    @property
    def error(self) -> ModelError:
        """How far runs may be off."""
        return ModelError(self.model_m, self.escape_share, self.escape_m)
