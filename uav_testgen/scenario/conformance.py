"""Is a concrete scenario an instance of its logical scenario? Every difference is named, with its numbers.

A scenario that does not conform is refused before it flies: it would test another situation than the one
asked for, and no distance measured in it may count.
"""

from __future__ import annotations

import math
from itertools import pairwise

from uav_testgen.scenario.footprint import distance_to_point_m
from uav_testgen.scenario.logical.ranges import LogicalRanges, ObstacleRanges, Range
from uav_testgen.scenario.model import Obstacle, Scenario
from uav_testgen.scenario.obstacle_name import called
from uav_testgen.scenario.violation import Rule, Violation

# Numbers are rounded when they are decoded and written; the ends of a range stay inside it.
_TOLERANCE = 1e-3


def nonconformities(scenario: Scenario) -> tuple[Violation, ...]:
    """What keeps the scenario from being an instance; empty if it is one, or belongs to none."""
    logical = scenario.logical
    if logical is None:
        return ()
    found = _surroundings(scenario, logical)
    if len(scenario.obstacles) != len(logical.obstacles):
        count, wanted = len(scenario.obstacles), len(logical.obstacles)
        found.append(_violation(f"{count} obstacles, '{logical.name}' has {wanted}", "place exactly these"))
        return tuple(found)
    for index, (obstacle, ranges) in enumerate(zip(scenario.obstacles, logical.obstacles, strict=True)):
        found += _obstacle(obstacle, ranges, logical, index)
        if obstacle.motion is not None:
            found += _keep_out(scenario, logical, obstacle, index)
    return tuple(found)


def _surroundings(scenario: Scenario, logical: LogicalRanges) -> list[Violation]:
    terrain, visibility, wind = scenario.terrain, scenario.visibility, scenario.wind
    found = []
    if (terrain.landform, terrain.surface) != (logical.landform, logical.surface):
        found.append(
            _violation(
                f"the ground is {terrain.landform.value}, {terrain.surface.value}; '{logical.name}' has "
                f"{logical.landform.value}, {logical.surface.value}",
                "use that terrain",
            )
        )
    found += _outside("the landform's height", terrain.height_m, logical.height_m, "m")
    found += _outside("the wind", wind.velocity_mean_mps, logical.wind_mps, "m/s")
    found += _outside("the visibility", visibility.range_m, logical.visibility_m, "m")
    for name, value in scenario.conditions.items():
        if name in logical.conditions:
            found += _outside(f"the {name}", value, logical.conditions[name], "")
    contrast = logical.contrast_loss
    found += _outside("the loss of contrast", visibility.contrast_loss, (contrast, contrast), "")
    return found


def _obstacle(
    obstacle: Obstacle, ranges: ObstacleRanges, logical: LogicalRanges, index: int
) -> list[Violation]:
    name = called(obstacle, index)
    found = []
    if obstacle.shape is not ranges.shape:
        message = f"{name} is a {obstacle.shape.value}, '{logical.name}' has a {ranges.shape.value} there"
        found.append(_violation(message, "exchange it", index))
    elif obstacle.triangles != ranges.triangles:
        message = f"{name} is another mesh than the one of '{logical.name}'"
        found.append(_violation(message, "use its triangles", index))
    for extent in sorted({min(obstacle.size_m), max(obstacle.size_m)}):
        found += _outside(f"{name}: an extent", extent, ranges.size_m, "m", index)
    motion = obstacle.motion
    if (motion is not None) != ranges.moving:
        wanted = "moves" if ranges.moving else "rests"
        found.append(_violation(f"{name} {wanted} in '{logical.name}'", "change its motion", index))
    elif motion is not None and ranges.speed_mps is not None:
        found += _outside(f"{name}: its speed", motion.speed_mps, ranges.speed_mps, "m/s", index)
        travel_m = sum(math.dist(start, end) for start, end in pairwise(obstacle.way_enu_m))
        least = (logical.least_travel_m, math.inf)
        found += _outside(f"{name}: its way", travel_m, least, "m", index)
    return found


def _keep_out(scenario: Scenario, logical: LogicalRanges, obstacle: Obstacle, index: int) -> list[Violation]:
    route = scenario.mission.route_enu_m
    found = []
    for what, (east, north, _) in (("the start", route[0]), ("the landing place", route[-1])):
        distance = distance_to_point_m(obstacle, east, north)
        if distance < logical.keep_out_m - _TOLERANCE:
            found.append(
                _violation(
                    f"{called(obstacle, index)} moves within {distance:.3f} m of {what}, {logical.keep_out_m:g} m are "
                    "kept free",
                    "move its way aside",
                    index,
                    {"distance_m": distance, "keep_out_m": logical.keep_out_m},
                )
            )
    return found


def _outside(what: str, value: float, allowed: Range, unit: str, index: int | None = None) -> list[Violation]:
    low, high = allowed
    if low - _TOLERANCE <= value <= high + _TOLERANCE:
        return []
    return [
        _violation(
            f"{what} is {value:.3f} {unit}".rstrip() + f", the logical scenario has {low:g} to {high:g}",
            "choose a value of that range",
            index,
            {"value": value, "low": low, **({"high": high} if math.isfinite(high) else {})},
        )
    ]


def _violation(
    message: str, way_out: str, index: int | None = None, numbers: dict[str, float] | None = None
) -> Violation:
    return Violation(Rule.CONFORMS, message, way_out, index, numbers=numbers or {})
