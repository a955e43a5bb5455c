"""Where a search begins: obstacles on the mission, and the added obstacle beside the first one."""

from __future__ import annotations

import itertools
import math

import numpy as np

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.generator.surrealist.config import SurrealistConfig
from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.footprint import outline_places
from uav_testgen.scenario.model import Obstacle, Scenario
from uav_testgen.scenario.violation import Rule
from uav_testgen.shape.forms import FORMS

# The paper's obstacles: RQ1 starts from a small cube, RQ2 from a small building.
_CUBE_M = 3.0
_BUILDING_M = (5.0, 8.0, 20.0)


def complaints(scenario: Scenario, *, may_float: bool = False) -> tuple[str, ...]:
    """Why a scenario may not be flown; obstacles above the ground are allowed to the z mutator."""
    from uav_testgen.scenario.feasibility import infeasibilities
    from uav_testgen.scenario.validity import violations

    broken = [
        violation
        for violation in violations(scenario)
        if not (may_float and violation.rule is Rule.ON_GROUND and violation.numbers["bottom_m"] > 0.0)
    ]
    return tuple(str(violation) for violation in broken or infeasibilities(scenario))


def random_seed(base: Scenario, config: SurrealistConfig, rng: np.random.Generator) -> Scenario:
    """Obstacles drawn on the route (a generation gets the added one, too), valid and feasible."""
    for _ in range(config.max_tries):
        obstacles = tuple(_on_route(base, config, rng) for _ in range(config.obstacles))
        scenario = base.with_obstacles(obstacles)
        if complaints(scenario):
            continue
        if config.replicates:
            return scenario
        extended = with_added(scenario, config)
        if extended is not None:
            return extended
    raise InvalidScenario(
        f"generator 'surrealist': no valid and feasible seed with {config.obstacles} obstacle(s) on mission "
        f"'{base.mission.name}' in {config.max_tries} tries; give a seed, or change seed_size_m or beside_m"
    )


def with_added(scenario: Scenario, config: SurrealistConfig) -> Scenario | None:
    """A twin of the first obstacle to its right in flight direction, or to its left if only that fits."""
    first = scenario.obstacles[0]
    direction = _direction_at(scenario, first)
    for right in ((math.sin(direction), -math.cos(direction)), (-math.sin(direction), math.cos(direction))):
        away_m = config.beside_m + _extent_m(first, right)
        east, north, up = first.center_enu_m
        center = (round(east + away_m * right[0], 4), round(north + away_m * right[1], 4), up)
        added = first.model_copy(update={"center_enu_m": center, "motion": None, "name": "added"})
        candidate = scenario.with_obstacles((*scenario.obstacles, added))
        if not complaints(candidate):
            return candidate
    return None


def _on_route(base: Scenario, config: SurrealistConfig, rng: np.random.Generator) -> Obstacle:
    """A box that stands on a random point of the route, aligned with it."""
    route = np.array(base.mission.route_enu_m)
    legs = np.linalg.norm(np.diff(route[:, :2], axis=0), axis=1)
    if legs.sum() <= 0.0:
        raise InvalidScenario(f"mission '{base.mission.name}' goes nowhere; obstacles need a route")
    leg = int(rng.choice(len(legs), p=legs / legs.sum()))
    point = route[leg] + rng.uniform() * (route[leg + 1] - route[leg])
    along = (route[leg + 1] - route[leg])[:2] / legs[leg]
    if config.seed_size_m is not None:
        length_m, width_m, height_m = config.seed_size_m
    elif config.replicates:
        length_m, width_m, height_m = _CUBE_M, _CUBE_M, max(_CUBE_M, math.ceil(float(point[2])))
    else:
        length_m, width_m, height_m = _BUILDING_M
    # Anywhere across the route as long as the route still goes through the box.
    aside_m = rng.uniform(-0.5, 0.5) * width_m
    center = (float(point[0] - aside_m * along[1]), float(point[1] + aside_m * along[0]))
    return wall(center, math.atan2(along[1], along[0]), length_m, width_m, height_m)


def _direction_at(scenario: Scenario, obstacle: Obstacle) -> float:
    """Direction of the leg that passes nearest to the obstacle's centre."""
    center = np.array(obstacle.center_enu_m[:2])
    route = np.array(scenario.mission.route_enu_m)[:, :2]
    found: list[tuple[float, float]] = []
    for start, end in itertools.pairwise(route):
        way = end - start
        square = float(way @ way)
        if square == 0.0:
            continue
        share = min(max(float((center - start) @ way) / square, 0.0), 1.0)
        distance = float(np.linalg.norm(start + share * way - center))
        found.append((distance, math.atan2(way[1], way[0])))
    return min(found)[1] if found else 0.0


def _extent_m(obstacle: Obstacle, direction: tuple[float, float]) -> float:
    """Width of an obstacle seen along a unit direction."""
    if not FORMS[obstacle.shape].turns:
        return obstacle.size_m[0]
    along = [east * direction[0] + north * direction[1] for east, north in outline_places(obstacle)]
    return max(along) - min(along)
