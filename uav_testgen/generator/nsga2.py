"""`nsga2`: search for near misses with NSGA-II, as in the report on automated testing of UAVs (RP2.2).

Genomes are [x, y, l, w, h, r] per box. Objectives: minimum distance (in centimetres, as published),
negative novelty of the flight, duration. Survivors are chosen lexicographically with tolerances. The
first population places its boxes near random points of the mission's route.

Individuals that break a rule, or repeat a layout that was flown, are drawn or bred again before they
cost a place in their generation. Otherwise nearly all of the first population would be lost, and the few
that are left would fill all later ones with copies of themselves, which a suite counts once.

Its report has one row of diagnostics for each generation, and as final tests those evaluations of all
generations that pass the tolerance filter, as published.

The publication gives failed and invalid tests a constant of 10^6; here they are constraints and
statuses, which no survivor selection can mistake for data. A distance of exactly 0 counts 0.1 as
published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.rng import stream
from uav_testgen.generator.algorithm.base import Vector, VectorSearch
from uav_testgen.generator.algorithm.pymoo_bridge import Nsga2Search, Nsga2Settings
from uav_testgen.generator.distinct import DistinctLayouts, diversity
from uav_testgen.generator.lexicographic import preference_order, tolerance_filter
from uav_testgen.generator.novelty import NoveltyArchive
from uav_testgen.generator.path_seeds import PathSeeds
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.generator.search import SearchGenerator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.space import BoxSpace

_CENTIMETRES_PER_METRE = 100.0
_TOUCHING = 0.1


class Nsga2Config(RoomConfig):
    """Number of boxes, population, tolerances and the novelty archive."""

    obstacles: int = Field(default=3, ge=1, le=100, description="Boxes per scenario")
    population: int = Field(default=10, ge=4, le=10_000, description="Scenarios per generation")
    seed_spread_m: float = Field(
        default=4.0, ge=0, le=100, description="Spread of the first boxes around the route [m]"
    )
    max_overlap: float = Field(
        default=0.7,
        gt=0,
        lt=1,
        description="A layout that overlaps more with an earlier one is not flown but bred again [IoU]",
    )
    distance_tolerance_cm: float = Field(default=25.0, gt=0, description="Distances this near are alike [cm]")
    novelty_tolerance_m: float = Field(default=0.5, gt=0, description="Novelties this near are alike [m]")
    duration_tolerance_s: float = Field(default=5.0, gt=0, description="Durations this near are alike [s]")
    path_points: int = Field(default=50, ge=2, le=1000, description="Points a path is thinned to for DTW")
    archive_limit: int = Field(default=200, ge=1, le=100_000, description="Paths the archive remembers")
    neighbours: int = Field(default=5, ge=1, le=1000, description="Nearest paths that define novelty")

    @property
    def tolerances(self) -> tuple[float, float, float]:
        """In the order of the objectives."""
        return (self.distance_tolerance_cm, self.novelty_tolerance_m, self.duration_tolerance_s)


class Nsga2Generator(SearchGenerator):
    """NSGA-II on boxes along the mission."""

    name = "nsga2"
    config_type = Nsga2Config

    def __init__(self, base: Scenario, config: Nsga2Config | None = None, seed: int = 0) -> None:
        self._config = config or Nsga2Config()
        self._space = BoxSpace(base.arena, min(self._config.obstacles, max(1, base.arena.max_obstacles)))
        self._archive = self._new_archive()
        # (number of the evaluation, its objectives), for all that were measured.
        self._history: list[tuple[int, tuple[float, ...]]] = []
        self._generations: list[dict[str, float]] = []
        super().__init__(base, seed)

    def _new_archive(self) -> NoveltyArchive:
        config = self._config
        return NoveltyArchive(
            points=config.path_points, neighbours=config.neighbours, limit=config.archive_limit
        )

    def _start(self) -> VectorSearch:
        settings = Nsga2Settings(size=self._config.population)
        self._distinct = DistinctLayouts(self._config.max_overlap)
        self._counted = (0, 0)
        rng = stream(self._seed, self.name, "path-seeds")
        self._path_seeds = PathSeeds(self._base, self._space, self._config.seed_spread_m, rng)
        return Nsga2Search(
            self._space.dimension,
            settings,
            self._seed,
            self._newcomers(settings.size),
            objectives=3,
            ranking=self._ranking,
            accepts=self._accepts,
            newcomers=self._newcomers,
        )

    def _newcomers(self, count: int) -> list[Vector]:
        """Layouts along the route that descend from nobody: the first population is made of these."""
        return self._path_seeds.draw(count, self._accepts)

    def _accepts(self, vector: Vector) -> bool:
        """Allowed, and no repetition of a layout accepted before; anything where that is too much to ask."""
        if self._path_seeds.exhausted:
            return True
        scenario = self.decode(vector)
        return self.violation(scenario) == 0.0 and self._distinct.accepts(scenario.obstacles)

    def decode(self, vector: Vector) -> Scenario:
        """Boxes of the vector on the base mission."""
        return self._base.with_obstacles(self._space.decode(vector))

    def objectives(self, evaluation: Evaluation) -> tuple[float, ...] | None:
        """Distance, negative novelty, duration."""
        verdict, trajectory = evaluation.verdict, evaluation.trajectory
        if verdict is None or evaluation.objective_m is None or trajectory is None:
            return None
        distance_m = evaluation.objective_m
        scaled = _CENTIMETRES_PER_METRE * distance_m if distance_m > 0.0 else _TOUCHING
        novelty_m = self._archive.novelty_m(trajectory)
        self._archive.add(trajectory)
        values = (scaled, -novelty_m, verdict.duration_s)
        self._history.append((evaluation.number, values))
        return values

    def _ranking(self, objectives: NDArray[np.float64], vectors: NDArray[np.float64]) -> list[int]:
        self._note_generation(objectives, vectors)
        return preference_order(objectives, self._config.tolerances)

    def _note_generation(self, objectives: NDArray[np.float64], vectors: NDArray[np.float64]) -> None:
        """What the parents and children at hand are worth, and how much they differ."""
        if len(objectives) == 0:
            return
        distances_m = objectives[:, 0] / _CENTIMETRES_PER_METRE
        self._generations.append(
            {
                "generation": len(self._generations),
                "evaluations": len(self._history),
                "valid_share": self._valid_share(),
                "best_distance_m": float(np.min(distances_m)),
                "median_distance_m": float(np.median(distances_m)),
                "diversity": diversity([self._space.decode(vector) for vector in vectors]),
                "mean_novelty_m": float(np.mean(-objectives[:, 1])),
                "max_novelty_m": float(np.max(-objectives[:, 1])),
                "mean_duration_s": float(np.mean(objectives[:, 2])),
            }
        )

    def _valid_share(self) -> float:
        """Of the individuals of this generation, the share that was handed out to be flown."""
        flown, refused = self._asked - self._counted[0], self._refused - self._counted[1]
        self._counted = (self._asked, self._refused)
        return flown / max(1, flown + refused)

    @property
    def generations(self) -> Sequence[Mapping[str, float]]:
        """One row for each completed generation."""
        return self._generations

    def report(self) -> GeneratorReport:
        """Diagnostics for each generation; as final tests one of each tolerance band, best first."""
        return GeneratorReport(tuple(dict(row) for row in self._generations), tuple(self._final_numbers()))

    def _final_numbers(self) -> list[int]:
        if not self._history:
            return []
        rows = np.array([values for _, values in self._history])
        return [self._history[index][0] for index in tolerance_filter(rows, self._config.tolerances)]
