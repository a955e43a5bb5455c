"""`nsga2`: search for near misses with NSGA-II, as in the report on automated testing of UAVs (RP2.2).

Genomes are [x, y, l, w, h, r] per box. Objectives: minimum distance (in centimetres, as published),
negative novelty of the flight, duration. Survivors are chosen lexicographically with tolerances. The
first population places its boxes near random points of the mission's route.

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
from uav_testgen.generator.lexicographic import preference_order, tolerance_filter
from uav_testgen.generator.novelty import NoveltyArchive
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.generator.search import SearchGenerator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.space import GENES_PER_BOX, BoxSpace

_CENTIMETRES_PER_METRE = 100.0
_TOUCHING = 0.1


class Nsga2Config(RoomConfig):
    """Number of boxes, population, tolerances and the novelty archive."""

    obstacles: int = Field(default=3, ge=1, le=100, description="Boxes per scenario")
    population: int = Field(default=20, ge=4, le=10_000, description="Scenarios per generation")
    seed_spread_m: float = Field(
        default=4.0, ge=0, le=100, description="Spread of the first boxes around the route [m]"
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
        return Nsga2Search(
            self._space.dimension,
            settings,
            self._seed,
            self._path_seeds(),
            objectives=3,
            ranking=self._ranking,
        )

    def _path_seeds(self) -> list[Vector]:
        """First population: boxes near random points of the part of the route that crosses the arena."""
        rng = stream(self._seed, self.name, "path-seeds")
        route = np.array(self._base.mission.route_enu_m)[:, :2]
        vectors = []
        for _ in range(self._config.population):
            boxes = []
            for _ in range(self._space.count):
                east, north = self._point_on_route(route, rng)
                boxes.append(self._space.encode_box(north, east, rng.random(GENES_PER_BOX - 2)))
            vectors.append(np.concatenate(boxes))
        return vectors

    def _point_on_route(self, route: NDArray[np.float64], rng: np.random.Generator) -> tuple[float, float]:
        arena = self._base.arena
        point = route[0]
        for _ in range(100):
            leg = int(rng.integers(0, len(route) - 1))
            point = route[leg] + rng.random() * (route[leg + 1] - route[leg])
            point = point + rng.normal(0.0, self._config.seed_spread_m, 2)
            in_east = arena.east_min_m < point[0] < arena.east_max_m
            if in_east and arena.north_min_m < point[1] < arena.north_max_m:
                break
        return float(point[0]), float(point[1])

    def decode(self, vector: Vector) -> Scenario:
        """Boxes of the vector on the base mission."""
        return self._base.with_obstacles(self._space.decode(vector))

    def objectives(self, evaluation: Evaluation) -> tuple[float, ...] | None:
        """Distance, negative novelty, duration."""
        verdict, trajectory = evaluation.verdict, evaluation.trajectory
        if verdict is None or evaluation.distance_m is None or trajectory is None:
            return None
        distance_m = evaluation.distance_m
        scaled = _CENTIMETRES_PER_METRE * distance_m if distance_m > 0.0 else _TOUCHING
        novelty_m = self._archive.novelty_m(trajectory)
        self._archive.add(trajectory)
        values = (scaled, -novelty_m, verdict.duration_s)
        self._history.append((evaluation.number, values))
        return values

    def _ranking(self, objectives: NDArray[np.float64]) -> list[int]:
        self._note_generation(objectives)
        return preference_order(objectives, self._config.tolerances)

    def _note_generation(self, objectives: NDArray[np.float64]) -> None:
        """Best distance, mean and largest novelty, mean duration of the parents and children at hand."""
        if len(objectives) == 0:
            return
        self._generations.append(
            {
                "generation": len(self._generations),
                "evaluations": len(self._history),
                "best_distance_m": float(np.min(objectives[:, 0])) / _CENTIMETRES_PER_METRE,
                "mean_novelty_m": float(np.mean(-objectives[:, 1])),
                "max_novelty_m": float(np.max(-objectives[:, 1])),
                "mean_duration_s": float(np.mean(objectives[:, 2])),
            }
        )

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
