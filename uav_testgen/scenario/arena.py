"""Where obstacles may stand and how large they may be: the rules of a competition, as data."""

from __future__ import annotations

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig

# Coordinates are wide enough for every mission, narrow enough that float32 in the planner keeps millimetres.
FARTHEST_M = 10_000.0


class Arena(RoomConfig):
    """Rules for obstacles, ENU metres. Defaults are those of the 2025 competition.

    The published area -40 < x < 30, 10 < y < 40 is in Aerialist's test frame (x north, y east), so
    in ENU the easting lies in 10..40 and the northing in -40..30.
    """

    name: str = Field(default="sbft2025", description="Name of the rule set", max_length=100)
    east_min_m: float = Field(default=10.0, description="Western border of the obstacle area [m ENU x]")
    east_max_m: float = Field(default=40.0, description="Eastern border of the obstacle area [m ENU x]")
    north_min_m: float = Field(default=-40.0, description="Southern border of the obstacle area [m ENU y]")
    north_max_m: float = Field(default=30.0, description="Northern border of the obstacle area [m ENU y]")
    min_side_m: float = Field(default=2.0, gt=0, description="Smallest length and width [m]")
    max_side_m: float = Field(default=20.0, gt=0, description="Largest length and width [m]")
    min_height_m: float = Field(default=10.0, ge=0, description="Obstacles must be higher than this [m]")
    max_height_m: float = Field(default=25.0, gt=0, description="Largest height [m]")
    max_rotation_deg: float = Field(default=90.0, ge=0, le=360, description="Rotation range 0..max [deg]")
    max_obstacles: int = Field(default=3, ge=0, le=1000, description="Largest number of obstacles")
    min_gap_m: float = Field(default=0.0, ge=0, description="Obstacles must be farther apart than this [m]")
    required_clearance_m: float = Field(
        default=1.5, ge=0, description="A way through must exist at this distance from every obstacle [m]"
    )

    @model_validator(mode="after")
    def _ordered(self) -> Arena:
        pairs = (("east_min_m", "east_max_m"), ("north_min_m", "north_max_m"), ("min_side_m", "max_side_m"))
        for low, high in (*pairs, ("min_height_m", "max_height_m")):
            if getattr(self, low) >= getattr(self, high):
                raise ValueError(f"{low} must be below {high}")
        return self

    @property
    def reach_m(self) -> float:
        """Distance of its farthest border from the origin, along one axis."""
        borders = (self.east_min_m, self.east_max_m, self.north_min_m, self.north_max_m)
        return max(abs(border) for border in borders)
