"""`random`: one to three boxes anywhere in the arena. The baseline every other generator is measured by."""

from __future__ import annotations

import math

import numpy as np
from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.generator.sampling import Layout, SamplingGenerator
from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.model import Obstacle, Scenario


class RandomConfig(RoomConfig):
    """How many boxes of which height; sides, rotation and place come from the arena's rules."""

    min_obstacles: int = Field(default=1, ge=1, le=100, description="Fewest boxes")
    max_obstacles: int = Field(default=3, ge=1, le=100, description="Most boxes, within the arena's limit")
    min_height_m: float = Field(default=15.0, gt=0, description="Lowest box [m]")
    max_height_m: float = Field(default=25.0, gt=0, description="Highest box [m]")
    max_tries: int = Field(default=5000, ge=1, description="Draws per proposal before giving up")

    @model_validator(mode="after")
    def _ordered(self) -> RandomConfig:
        if self.min_obstacles > self.max_obstacles or self.min_height_m > self.max_height_m:
            raise ValueError("min_obstacles and min_height_m must not be above their maxima")
        return self


class RandomGenerator(SamplingGenerator):
    """Uniform boxes; layouts that break a rule or close the way are drawn again."""

    name = "random"
    config_type = RandomConfig

    def __init__(self, base: Scenario, config: RandomConfig | None = None, seed: int = 0) -> None:
        self._config = config or RandomConfig()
        super().__init__(base, seed, self._config.max_tries)

    def draw(self, rng: np.random.Generator) -> Layout:
        """A number of boxes, then each box."""
        most = min(self._config.max_obstacles, self._base.arena.max_obstacles)
        count = int(rng.integers(min(self._config.min_obstacles, most), most + 1))
        return tuple(self._box(rng) for _ in range(count))

    def _box(self, rng: np.random.Generator) -> Obstacle:
        arena, config = self._base.arena, self._config
        length_m, width_m = rng.uniform(arena.min_side_m, arena.max_side_m, 2)
        rotation_rad = math.radians(rng.uniform(0.0, min(arena.max_rotation_deg, 90.0)))
        height_m = rng.uniform(
            max(config.min_height_m, arena.min_height_m), min(config.max_height_m, arena.max_height_m)
        )
        center_enu_m = (
            rng.uniform(arena.east_min_m, arena.east_max_m),
            rng.uniform(arena.north_min_m, arena.north_max_m),
        )
        return wall(center_enu_m, -rotation_rad, float(length_m), float(width_m), height_m)
