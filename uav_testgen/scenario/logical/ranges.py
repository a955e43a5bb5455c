"""A logical scenario in numbers: what a concrete scenario must look like to be an instance of it.

A scenario that carries `LogicalRanges` is held to them by `scenario.validity`, wherever it comes from.
They say what belongs to the situation (kind, form, size and speed of each obstacle, wind, visibility,
ground); where obstacles may stand is said by the arena as for every other scenario.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, Field, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from uav_testgen.core.config import RoomConfig
from uav_testgen.scenario.kinds import Landform, Surface
from uav_testgen.shape.base import Triangles
from uav_testgen.shape.kinds import Shape
from uav_testgen.shape.mesh import MOST_TRIANGLES, triangles_fault


def _rising(given: tuple[float, float]) -> tuple[float, float]:
    if given[0] > given[1]:
        raise ValueError(f"the range is reversed: {given[0]:g} is above {given[1]:g}; exchange the two")
    return given


Range = Annotated[tuple[float, float], AfterValidator(_rising)]
"""Lowest and highest value, both allowed; two equal numbers fix the value."""


@dataclass(frozen=True)
class Within:
    """Annotation of a `Range`: both ends lie between `ge` and `le`, said as one sentence about the range."""

    ge: float
    le: float
    unit: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def _check(self, given: tuple[float, float]) -> tuple[float, float]:
        if given[0] < self.ge or given[1] > self.le:
            raise ValueError(f"the range must lie within {self.ge:g} to {self.le:g} {self.unit}")
        return given


# The bounds of the concrete values (scenario.model). Where those must be above 0, a range begins at a
# thousandth: instances are rounded to four decimals, and what is rounded must not become 0.
SizeRange = Annotated[Range, Within(0.001, 1000.0, "m")]
SpeedRange = Annotated[Range, Within(0.001, 50.0, "m/s")]
WindRange = Annotated[Range, Within(0.0, 60.0, "m/s")]
SIGHT_BOUNDS_M = (0.001, 100_000.0)
SightRange = Annotated[Range, Within(*SIGHT_BOUNDS_M, "m")]
HeightRange = Annotated[Range, Within(0.0, 500.0, "m")]
FloatingRange = Annotated[Range, Within(0.0, 1000.0, "m")]
DirectionRange = Annotated[Range, Within(-360.0, 360.0, "deg")]
RotationRange = Annotated[Range, Within(0.0, 360.0, "deg")]


class ObstacleRanges(RoomConfig):
    """One obstacle of the situation. The size holds for every extent: sides and height, or diameter."""

    shape: Shape
    moving: bool
    size_m: SizeRange = Field(description="Least and greatest extent [m]")
    speed_mps: SpeedRange | None = Field(default=None, description="Speed of a moving obstacle [m/s]")
    triangles: Triangles = Field(
        default=(), max_length=MOST_TRIANGLES, description="Of a mesh: corners in shares of its half sizes"
    )

    @model_validator(mode="after")
    def _sensible(self) -> ObstacleRanges:
        fault = triangles_fault(self.triangles) if self.shape is Shape.MESH else None
        if fault:
            raise ValueError(fault)
        if self.moving and self.speed_mps is None:
            raise ValueError("a moving obstacle needs a range of speeds, speed_mps")
        return self


class LogicalRanges(RoomConfig):
    """Everything that is fixed or bounded in all instances of one logical scenario."""

    name: str = Field(max_length=200, description="Name of the logical scenario")
    system: str = Field(max_length=100, description="Name of the range table it was resolved with")
    obstacles: tuple[ObstacleRanges, ...] = Field(min_length=1, max_length=100)
    landform: Landform
    surface: Surface
    height_m: HeightRange = Field(description="Height of the hill, depth of the hollow, rise of the step [m]")
    wind_mps: WindRange = Field(description="Mean speed of the wind [m/s]")
    wind_direction_deg: DirectionRange = Field(
        description="Where it blows to, counter-clockwise from east [deg]"
    )
    visibility_m: SightRange = Field(description="How far a camera sees [m]")
    contrast_loss: float = Field(ge=0, le=1, description="Share of pixels lost at that distance [1]")
    floating_m: FloatingRange = Field(description="Height of a sphere's lowest point above the ground [m]")
    rotation_deg: RotationRange = Field(description="Clockwise rotation of what can be turned [deg]")
    keep_out_m: float = Field(
        ge=0, le=1000, description="Moving obstacles stay this far from start and landing [m]"
    )
    least_travel_m: float = Field(gt=0, le=1000, description="Shortest way of a moving obstacle [m]")
    safety_distance_m: float = Field(
        default=1.0, gt=0, le=100, description="Distance that has to be kept to every obstacle, 3-D [m]"
    )
    weather: dict[str, str] = Field(
        default_factory=dict, description="Weather of the logical scenario as it was written"
    )
    conditions: dict[str, Range] = Field(
        default_factory=dict, description="Numbers of recorded conditions, e.g. temperature [°C]"
    )
    unused: tuple[str, ...] = Field(
        default=(), description="Conditions that were asked for although no simulator here uses them"
    )
