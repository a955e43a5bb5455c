"""Limits by which a flight is judged."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.defaults import COLLISION_DISTANCE_M, SAFE_DISTANCE_M, VEHICLE_HALF_WIDTH_M


class OracleConfig(RoomConfig):
    """Defaults are the competition's: too near below 1.5 m, collision below 0.25 m.

    The limits are compared with one of three distances. Aerialist's own (0.5 s averages, plan view, half
    the vehicle's width taken off) is what the competition measures; the other two are exact.
    """

    measure: Literal["aerialist", "horizontal", "3d"] = Field(
        default="aerialist", description="Which distance the limits are compared with"
    )
    safe_distance_m: float = Field(
        default=SAFE_DISTANCE_M, gt=0, le=100, description="Soft fail below this distance [m]"
    )
    collision_distance_m: float = Field(
        default=COLLISION_DISTANCE_M,
        ge=0,
        le=100,
        description="Hard fail below this distance [m]; 0 means a touch",
    )
    vehicle_width_m: float = Field(
        default=2 * VEHICLE_HALF_WIDTH_M,
        ge=0,
        le=10,
        description="Width whose half is taken off Aerialist's distance [m]",
    )
    sampling_period_s: float = Field(
        default=0.5, gt=0, le=10, description="Averaging period of Aerialist's distance [s]"
    )

    @model_validator(mode="after")
    def _ordered(self) -> OracleConfig:
        if self.collision_distance_m > self.safe_distance_m:
            raise ValueError("collision_distance_m must not be above safe_distance_m")
        return self
