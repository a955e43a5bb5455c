"""`stella`: search one logical scenario for its worst instance, with any algorithm or combination.

The search space holds the parameters of the logical scenario, the places of its obstacles and the ends and
speeds of the moving ones. One objective is minimised: the distance left before the safety distance is
broken. The publication gives instances that do not conform a poor fitness; here they are constraints and
never flown.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import ConfigError
from uav_testgen.generator.algorithm.base import Vector, VectorSearch
from uav_testgen.generator.algorithm.registry import build_algorithm
from uav_testgen.generator.search import SearchGenerator
from uav_testgen.oracle.margin import safety_margin_m
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.crowding import crowding_m
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.placing import too_full


class StellaConfig(RoomConfig):
    """Which algorithm searches, and what it aims at."""

    algorithm: str = Field(
        default="nsga2",
        max_length=200,
        description="nsga2, pso, bo, random, or a sequence such as pso+nsga2+pso",
    )
    settings: dict[str, Any] = Field(default_factory=dict, description="Settings of the algorithm")
    safety_distance_m: float = Field(
        default=1.0, gt=0, le=100, description="Distance that has to be kept to every obstacle, 3-D [m]"
    )


class StellaGenerator(SearchGenerator):
    """Searches one logical scenario for its worst instance, with an algorithm of your choice."""

    name = "stella"
    config_type = StellaConfig

    def __init__(self, base: Scenario, config: StellaConfig | None = None, seed: int = 0) -> None:
        self._config = config or StellaConfig()
        base = self._with_distance(base)
        self.space = LogicalSpace(base)
        super().__init__(base, seed)
        self._require_room()

    def _with_distance(self, base: Scenario) -> Scenario:
        """The logical scenario with the distance that is searched for, so that `fly` judges its tests by the same."""
        logical = base.logical
        if logical is None or "safety_distance_m" not in self._config.model_fields_set:
            return base
        wanted = {"safety_distance_m": self._config.safety_distance_m}
        return base.model_copy(update={"logical": logical.model_copy(update=wanted)})

    def _start(self) -> VectorSearch:
        config = self._config
        return build_algorithm(config.algorithm, self.space.dimension, config.settings, self._seed)

    def decode(self, vector: Vector) -> Scenario:
        """The instance a vector stands for."""
        return self.space.decode(vector)

    def violation(self, scenario: Scenario) -> float:
        """Layouts that certainly overlap are told apart by how much, without the exact rules."""
        crowding = crowding_m(scenario)
        return 1.0 + crowding if crowding > 0.0 else super().violation(scenario)

    def objectives(self, evaluation: Evaluation) -> tuple[float, ...] | None:
        """The distance left, or the worst margin of the campaign's requirements; None where nothing is known."""
        if evaluation.is_by_requirements:
            return None if evaluation.margin is None else (evaluation.margin,)
        logical = self._base.logical
        safety_m = self._config.safety_distance_m if logical is None else logical.safety_distance_m
        margin_m = safety_margin_m(evaluation.verdict, safety_m)
        return None if margin_m is None else (margin_m,)

    def _require_room(self) -> None:
        """A logical scenario whose obstacles cannot be placed is found before anything is flown."""
        logical, reasons = self._base.logical, too_full(self._base)
        if logical is not None and reasons:
            raise ConfigError(f"'{logical.name}': {reasons[0].message}; {reasons[0].way_out}")
