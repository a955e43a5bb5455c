"""Can the obstacles of a logical scenario be placed at all? Asked before a search, and by `check`.

Random layouts are tried, always the same ones, so that everyone who asks gets the same answer.
"""

from __future__ import annotations

import math

from uav_testgen.core.rng import stream
from uav_testgen.scenario.crowding import crowding_m
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.logical.ranges import LogicalRanges
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.violation import Rule, Violation

# Random layouts tried before a logical scenario is said to be too full for its arena.
_TRIES = 4000


def too_full(stage: Scenario) -> tuple[Violation, ...]:
    """Why the logical scenario of a stage has no instance; empty if it has one, or if there is none."""
    arena, logical = stage.arena, stage.logical
    if logical is None:
        return ()
    count = len(logical.obstacles)
    if count > arena.max_obstacles:
        return (
            Violation(
                Rule.COUNT,
                f"it has {count} obstacles, the arena '{arena.name}' allows {arena.max_obstacles}",
                "remove some or change the range table",
                numbers={"count": count, "max_obstacles": arena.max_obstacles},
            ),
        )
    if _cover_too_much(stage, logical) or not _can_be_placed(stage):
        width_m, depth_m = arena.east_max_m - arena.east_min_m, arena.north_max_m - arena.north_min_m
        return (
            Violation(
                Rule.COUNT,
                f"its {count} obstacles do not fit into the arena '{arena.name}' "
                f"({width_m:g} m x {depth_m:g} m)",
                "use fewer or smaller ones, or a larger arena in the range table",
                numbers={"count": count, "arena_width_m": width_m, "arena_depth_m": depth_m},
            ),
        )
    return ()


def _cover_too_much(stage: Scenario, logical: LogicalRanges) -> bool:
    """The least any form of a size covers is a circle."""
    arena = stage.arena
    area_m2 = (arena.east_max_m - arena.east_min_m) * (arena.north_max_m - arena.north_min_m)
    return sum(math.pi / 4.0 * one.size_m[0] ** 2 for one in logical.obstacles) > area_m2


def _can_be_placed(stage: Scenario) -> bool:
    space, rng = LogicalSpace(stage), stream(0, "placing")
    layouts = (space.decode(rng.random(space.dimension)) for _ in range(_TRIES))
    # The quick check comes first: of a crowded scenario it refuses nearly all.
    return any(crowding_m(layout) == 0.0 and not problems(layout) for layout in layouts)
