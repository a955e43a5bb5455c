"""The calibrated PX4 vehicle as it ships: config/vehicle/px4.yaml."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import Field

from uav_testgen.core.config import RoomConfig, load_config
from uav_testgen.core.resources import config_folder
from uav_testgen.vehicle.model_error import ModelError
from uav_testgen.vehicle.px4.config import Px4VehicleConfig


class ScatterConfig(RoomConfig):
    """How two flights of the same test differ; standard deviations unless said otherwise."""

    start_m: float = Field(0.15, ge=0, le=10, description="take-off spot, east and north [m]")
    heading_rad: float = Field(0.02, ge=0, le=3, description="heading before take-off [rad]")
    frame_m: float = Field(
        0.1, ge=0, le=10, description="position estimate against the world, east and north [m]"
    )
    range_noise_m: float = Field(0.02, ge=0, le=1, description="depth noise per pixel [m]")
    timing_s: float = Field(
        0.02, ge=0, le=0.1, description="image and plan older or younger by up to (uniform) [s]"
    )
    tilt_error: float = Field(
        0.7, ge=0, le=1, description="growth of the tilt error, up to this share more or less (uniform) [1]"
    )
    free_share: float = Field(
        0.0, ge=0, le=1, description="share of the disturbed runs that fly without PX4's speed lock [1]"
    )
    model_m: float = Field(
        0.35, ge=0, le=5, description="what the model leaves unexplained in the least distance [m]"
    )
    bias_m: float = Field(
        0.0, ge=-2, le=2, description="by how much measured distances exceed predicted ones (median) [m]"
    )
    free_bias_m: float = Field(
        0.0, ge=-2, le=2, description="the same for flights without the speed lock [m]"
    )
    escape_share: float = Field(
        0.0, ge=0, le=1, description="share of flights that go on in reality where the model hovers [1]"
    )
    escape_m: float = Field(
        2.0, gt=0, le=20, description="the least distance of these is anywhere below this [m]"
    )

    @property
    def error(self) -> ModelError:
        """How far runs may be off."""
        return ModelError(self.model_m, self.escape_share, self.escape_m)

    def bias_of_run_m(self, run: int) -> float:
        """Bias of a run of which only the number is known: 0 is locked, 1 free, later ones either."""
        if run == 0 or self.free_share == 0.0:
            return self.bias_m
        if run == 1:
            return self.free_bias_m
        return (1.0 - self.free_share) * self.bias_m + self.free_share * self.free_bias_m


class Px4Preset(RoomConfig):
    """Vehicle and scatter with the figures of the calibration that made them."""

    vehicle: Px4VehicleConfig = Field(default_factory=Px4VehicleConfig, description="vehicle model")
    scatter: ScatterConfig = Field(default_factory=ScatterConfig, description="differences between runs")
    calibration: dict[str, Any] = Field(default_factory=dict, description="how the values were found")


@lru_cache(maxsize=4)
def load_px4_preset(path: Path | None = None) -> Px4Preset:
    """The shipped preset, or the one in a file."""
    return load_config(Px4Preset, path or config_folder("vehicle") / "px4.yaml")
