"""Does a scenario obey the rules of its arena? Every broken rule is named, with its numbers.

Lengths are compared with a tolerance of one micrometre, so that an obstacle that was rotated, written
and read back is not refused for the last bit of a float.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, islice

from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.conformance import nonconformities
from uav_testgen.scenario.footprint import bounds_enu_m, gap_m, overlap_area_m2
from uav_testgen.scenario.logical.landform import ground_height_m
from uav_testgen.scenario.model import Landform, Obstacle, Scenario, Shape, Terrain
from uav_testgen.scenario.obstacle_name import called
from uav_testgen.scenario.violation import Rule as Rule
from uav_testgen.scenario.violation import Violation as Violation
from uav_testgen.shape.forms import FORMS

TOLERANCE_M = 1e-6
_TOLERANCE_DEG = 1e-7
Bounds = tuple[float, float, float, float]
MOST_PAIRS = 50
"""A thousand obstacles in one place are half a million pairs, which nobody reads."""


def violations(scenario: Scenario) -> tuple[Violation, ...]:
    """Every rule of the arena that the obstacles break; empty for a valid scenario."""
    return tuple(_broken(scenario))


def _broken(scenario: Scenario) -> Iterator[Violation]:
    """Rule by rule, so that whoever asks only whether there is one need not look at the others."""
    arena = scenario.arena
    if len(scenario.obstacles) > arena.max_obstacles:
        yield Violation(
            Rule.COUNT,
            f"{len(scenario.obstacles)} obstacles, at most {arena.max_obstacles} are allowed",
            f"remove {len(scenario.obstacles) - arena.max_obstacles}",
            numbers={"count": len(scenario.obstacles), "max_obstacles": arena.max_obstacles},
        )
    logical = scenario.logical is not None
    for index, obstacle in enumerate(scenario.obstacles):
        yield from _sides(obstacle, index, arena)
        yield from _height(obstacle, index, arena)
        yield from _rotation(obstacle, index, arena)
        # In a logical scenario spheres are balls in the air, other forms stand.
        if not (logical and FORMS[obstacle.shape].may_float):
            yield from _on_ground(obstacle, index, scenario.terrain)
        yield from _contained(obstacle, index, arena)
    yield from islice(_pairs_apart(scenario), MOST_PAIRS)
    # Without obstacles it is the stage of the logical scenario, not an instance of it.
    if scenario.obstacles:
        yield from nonconformities(scenario)


def _pairs_apart(scenario: Scenario) -> Iterator[Violation]:
    """Pairs of obstacles that are too near each other."""
    logical = scenario.logical is not None
    bounds = [bounds_enu_m(obstacle) for obstacle in scenario.obstacles]
    for (i, one), (j, other) in combinations(enumerate(scenario.obstacles), 2):
        if _clearly_apart(bounds[i], bounds[j], scenario.arena.min_gap_m):
            continue
        # Two moving obstacles of a logical scenario may cross each other's way; they start apart.
        crossing = logical and one.motion is not None and other.motion is not None
        pair = (_resting(one), _resting(other)) if crossing else (one, other)
        yield from _apart(pair[0], i, pair[1], j, scenario.arena)


def _clearly_apart(one: Bounds, other: Bounds, gap_m: float) -> bool:
    """True if even the rectangles around two obstacles are farther apart than the gap."""
    return (
        one[0] - other[2] > gap_m
        or other[0] - one[2] > gap_m
        or one[1] - other[3] > gap_m
        or other[1] - one[3] > gap_m
    )


def is_valid(scenario: Scenario) -> bool:
    """True if no rule of the arena is broken."""
    return next(_broken(scenario), None) is None


def rotation_deg(obstacle: Obstacle) -> float:
    """Rotation as the competition counts it: clockwise seen from above, in [0, 360)."""
    turned = math.degrees(-obstacle.yaw_rad) % 360.0
    return 0.0 if turned > 360.0 - _TOLERANCE_DEG else turned


def _sides(obstacle: Obstacle, index: int, arena: Arena) -> list[Violation]:
    low, high = arena.min_side_m, arena.max_side_m
    names = [("x", obstacle.size_m[0]), ("y", obstacle.size_m[1])]
    if not FORMS[obstacle.shape].turns:
        names = [("diameter", obstacle.size_m[0])]
    return [
        Violation(
            Rule.SIDES,
            f"{called(obstacle, index)}: side {name} is {side:.3f} m, allowed are {low:g} to {high:g} m",
            f"make it {'longer' if side < low else 'shorter'} by {max(low - side, side - high):.3f} m",
            index,
            numbers={"side_m": side, "min_side_m": low, "max_side_m": high},
        )
        for name, side in names
        if side < low - TOLERANCE_M or side > high + TOLERANCE_M
    ]


def _height(obstacle: Obstacle, index: int, arena: Arena) -> list[Violation]:
    height, low, high = obstacle.size_m[2], arena.min_height_m, arena.max_height_m
    if low < height <= high + TOLERANCE_M:
        return []
    return [
        Violation(
            Rule.HEIGHT,
            f"{called(obstacle, index)}: height is {height:.3f} m, it must be above {low:g} m and at most {high:g} m",
            f"choose a height between {low:g} and {high:g} m",
            index,
            numbers={"height_m": height, "min_height_m": low, "max_height_m": high},
        )
    ]


def _rotation(obstacle: Obstacle, index: int, arena: Arena) -> list[Violation]:
    turned, high = rotation_deg(obstacle), arena.max_rotation_deg
    if not FORMS[obstacle.shape].turns or turned <= high + _TOLERANCE_DEG:
        return []
    same = turned % 180.0
    swap = same > high
    equal_form = (
        f"{same - 90.0 if swap else same:.3f} deg{' with length and width exchanged' if swap else ''}"
    )
    return [
        Violation(
            Rule.ROTATION,
            f"{called(obstacle, index)}: rotation is {turned:.3f} deg, allowed are 0 to {high:g} deg",
            f"the same box is {equal_form}"
            if obstacle.shape is Shape.BOX
            else f"turn it to 0 to {high:g} deg",
            index,
            numbers={"rotation_deg": turned, "max_rotation_deg": high},
        )
    ]


def _on_ground(obstacle: Obstacle, index: int, terrain: Terrain) -> list[Violation]:
    corners = obstacle.way_enu_m
    gaps = [z - 0.5 * obstacle.size_m[2] - ground_height_m(terrain, x, y) for x, y, z in corners]
    gap = max(gaps, key=abs)
    # On a landform an obstacle may be sunk into the slope, but nothing may float.
    if terrain.landform is not Landform.FLAT:
        gap = max(max(gaps), 0.0)
    if abs(gap) <= TOLERANCE_M:
        return []
    where = "floats above" if gap > 0.0 else "sinks below"
    return [
        Violation(
            Rule.ON_GROUND,
            f"{called(obstacle, index)}: its base {where} the ground by {abs(gap):.3f} m",
            "put its base on the ground",
            index,
            numbers={"bottom_m": gap},
        )
    ]


def _contained(obstacle: Obstacle, index: int, arena: Arena) -> list[Violation]:
    east_min, north_min, east_max, north_max = bounds_enu_m(obstacle)
    beyond = {
        "west": arena.east_min_m - east_min,
        "east": east_max - arena.east_max_m,
        "south": arena.north_min_m - north_min,
        "north": north_max - arena.north_max_m,
    }
    broken = {side: by for side, by in beyond.items() if by > TOLERANCE_M}
    if not broken:
        return []
    how = ", ".join(f"{by:.3f} m over the {side} border" for side, by in broken.items())
    area = (
        f"east {arena.east_min_m:g} to {arena.east_max_m:g} m, "
        f"north {arena.north_min_m:g} to {arena.north_max_m:g} m"
    )
    moving = " on its way" if obstacle.motion is not None else ""
    return [
        Violation(
            Rule.CONTAINED,
            f"{called(obstacle, index)} reaches{moving} {how} (area: {area})",
            "move it inwards, turn it or make it smaller",
            index,
            numbers={f"beyond_{side}_m": by for side, by in broken.items()},
        )
    ]


def _apart(one: Obstacle, i: int, other: Obstacle, j: int, arena: Arena) -> list[Violation]:
    gap = gap_m(one, other)
    if gap > arena.min_gap_m:
        return []
    both = f"{called(one, i)} and {called(other, j)}"
    if gap > 0.0:
        what = f"{both} are {gap:.3f} m apart, more than {arena.min_gap_m:g} m is required"
    else:
        what = f"{both} overlap or touch (common area {overlap_area_m2(one, other):.3f} m²)"
    return [
        Violation(
            Rule.APART,
            what,
            "move them apart",
            i,
            j,
            numbers={"gap_m": gap, "min_gap_m": arena.min_gap_m},
        )
    ]


def _resting(obstacle: Obstacle) -> Obstacle:
    """The obstacle where it starts."""
    return obstacle.model_copy(update={"motion": None})
