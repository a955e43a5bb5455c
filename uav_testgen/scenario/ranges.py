"""A logical scenario in numbers: what a concrete scenario must look like to be an instance of it.

A scenario that carries `LogicalRanges` is held to them by `scenario.validity`, wherever it comes from.
They say what belongs to the situation (kind, form, size and speed of each obstacle, wind, visibility,
ground); where obstacles may stand is said by the arena as for every other scenario.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from uav_testgen.config import RoomConfig
from uav_testgen.scenario.kinds import Landform, Shape, Surface


def _rising(given: tuple[float, float]) -> tuple[float, float]:
    if given[0] > given[1]:
        raise ValueError(f"the range is reversed: {given[0]:g} is above {given[1]:g}; exchange the two")
    return given


Range = Annotated[tuple[float, float], AfterValidator(_rising)]
"""Lowest and highest value, both allowed; two equal numbers fix the value."""


class ObstacleRanges(RoomConfig):
    """One obstacle of the situation. The size holds for every extent: sides and height, or diameter."""

    shape: Shape
    moving: bool
    size_m: Range = Field(description="Least and greatest extent [m]")
    speed_mps: Range | None = Field(default=None, description="Speed of a moving obstacle [m/s]")

    @model_validator(mode="after")
    def _sensible(self) -> ObstacleRanges:
        if self.size_m[0] <= 0.0:
            raise ValueError("sizes must be above 0 m")
        if self.moving and (self.speed_mps is None or self.speed_mps[0] <= 0.0):
            raise ValueError("a moving obstacle needs a range of speeds above 0 m/s")
        return self


class LogicalRanges(RoomConfig):
    """Everything that is fixed or bounded in all instances of one logical scenario."""

    name: str = Field(max_length=200, description="Name of the logical scenario")
    system: str = Field(max_length=100, description="Name of the range table it was resolved with")
    obstacles: tuple[ObstacleRanges, ...] = Field(min_length=1, max_length=100)
    landform: Landform
    surface: Surface
    height_m: Range = Field(description="Height of the hill, depth of the hollow, rise of the step [m]")
    wind_mps: Range = Field(description="Mean speed of the wind [m/s]")
    wind_direction_deg: Range = Field(description="Where it blows to, counter-clockwise from east [deg]")
    visibility_m: Range = Field(description="How far a camera sees [m]")
    contrast_loss: float = Field(ge=0, le=1, description="Share of pixels lost at that distance [1]")
    floating_m: Range = Field(description="Height of a sphere's lowest point above the ground [m]")
    rotation_deg: Range = Field(description="Clockwise rotation of cuboids [deg]")
    keep_out_m: float = Field(
        ge=0, le=1000, description="Moving obstacles stay this far from start and landing [m]"
    )
    least_travel_m: float = Field(gt=0, le=1000, description="Shortest way of a moving obstacle [m]")
    weather: dict[str, str] = Field(
        default_factory=dict, description="Weather of the logical scenario as it was written"
    )
