"""Settings of `hunt`."""

from __future__ import annotations

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig


class HuntConfig(RoomConfig):
    """How ideas are drawn and varied, what is kept, and how many runs what is promising gets."""

    height_m: float = Field(default=20.0, gt=0, le=1000, description="Height of all boxes [m]")
    max_obstacles: int = Field(default=3, ge=1, le=3, description="Most boxes, within the arena's limit")
    first_share: float = Field(
        default=0.3, ge=0, le=1, description="Share of fresh ideas, at first and in the long run at least"
    )
    first_ideas: int = Field(default=20, ge=1, le=10_000, description="Fresh ideas before any is varied")
    hard_share: float = Field(
        default=0.6,
        ge=0,
        le=1,
        description="Share of variations that descend from the tests with most points, rather than the highest score",
    )
    cell_m: float = Field(
        default=2.0,
        gt=0,
        le=100,
        description="Length of an archive's cell along a leg; one layout is kept in each [m]",
    )
    max_overlap: float = Field(
        default=0.5,
        gt=0,
        lt=1,
        description="A layout that overlaps more with a flown one is drawn again, unless it varies it [IoU]",
    )
    slide_m: float = Field(default=8.0, gt=0, le=100, description="Spread of moves along a leg [m]")
    step: float = Field(
        default=0.06, gt=0, le=1, description="Spread of small changes, as a share of each value's range"
    )
    suite_size: int = Field(default=20, ge=1, le=10_000, description="Tests that race for a place")
    look_below_m: float = Field(
        default=2.0, gt=0, le=100, description="A nominal run nearer than this gets the first drawn runs [m]"
    )
    runs: tuple[int, int, int] = Field(
        default=(1, 3, 6),
        description="Drawn runs after the first look, for tests that race, and for tests that win a place",
    )
    hard_runs: int = Field(
        default=10,
        ge=1,
        le=1000,
        description="Drawn runs of a test that comes below the collision distance in two flights of five",
    )
    max_tries: int = Field(default=300, ge=1, description="Draws per proposal before another idea is taken")

    @model_validator(mode="after")
    def _rising(self) -> HuntConfig:
        if not 1 <= self.runs[0] <= self.runs[1] <= self.runs[2] <= 1000:
            raise ValueError("runs: three rising numbers between 1 and 1000 are expected")
        if self.hard_runs < self.runs[2]:
            raise ValueError("hard_runs: at least the last number of runs is expected")
        return self
