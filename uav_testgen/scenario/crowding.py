"""How much obstacles are in each other's way, quickly: for searches that throw most layouts away.

Every obstacle counts as the strip its largest inner circle sweeps, so what is found here certainly
overlaps; `scenario.validity` has the last word on the rest.
"""

from __future__ import annotations

import math
from itertools import combinations, pairwise, product

from uav_testgen.scenario.model import Obstacle, Scenario

Pair = tuple[float, float]


def crowding_m(scenario: Scenario) -> float:
    """Sum of the depths [m] by which inner circles (and what they sweep) overlap; 0 says nothing."""
    depth = 0.0
    for one, other in combinations(scenario.obstacles, 2):
        both_move = one.motion is not None and other.motion is not None
        crossing = scenario.logical is not None and both_move
        gap = min(
            _segment_gap_m(*leg, *other_leg)
            for leg, other_leg in product(_legs(one, crossing), _legs(other, crossing))
        )
        depth += max(_inner_radius_m(one) + _inner_radius_m(other) - gap, 0.0)
    return depth


def _inner_radius_m(obstacle: Obstacle) -> float:
    return 0.5 * min(obstacle.size_m[0], obstacle.size_m[1])


def _legs(obstacle: Obstacle, start_only: bool) -> list[tuple[Pair, Pair]]:
    """Straight parts of its way; one of no length where only its start counts."""
    corners = [corner[:2] for corner in obstacle.way_enu_m]
    if len(corners) == 1 or start_only:
        return [(corners[0], corners[0])]
    return list(pairwise(corners))


def _segment_gap_m(a: Pair, b: Pair, c: Pair, d: Pair) -> float:
    if _cross(a, b, c, d):
        return 0.0
    return min(_point_gap_m(a, c, d), _point_gap_m(b, c, d), _point_gap_m(c, a, b), _point_gap_m(d, a, b))


def _point_gap_m(p: Pair, a: Pair, b: Pair) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dy * dy
    share = 0.0 if squared == 0.0 else ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / squared
    share = min(max(share, 0.0), 1.0)
    return math.hypot(p[0] - a[0] - share * dx, p[1] - a[1] - share * dy)


def _cross(a: Pair, b: Pair, c: Pair, d: Pair) -> bool:
    def side(p: Pair, q: Pair, r: Pair) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0.0 and side(c, d, a) * side(c, d, b) < 0.0
