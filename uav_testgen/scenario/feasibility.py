"""Is there a way through? A configuration-space check, so that walls are refused before anything flies.

The vehicle is a point that has to keep the arena's required clearance. Every obstacle that reaches
into the band of heights of the route is grown by that clearance; what remains of a bounding rectangle
is the free space. A scenario is feasible if home and every waypoint are free and every leg's ends lie
in the same connected part of the free space.

The rectangle is the smallest that holds arena and route, plus `DETOUR_MARGIN_M` on every side: the
vehicle may leave the obstacle area to fly round a wall, but a detour beyond that margin no longer
counts as the mission. Flying over is not counted either, since the rules demand obstacles taller than
the flight; an obstacle that ends more than the clearance below the route blocks nothing but the ground
under it. Moving obstacles count with everything they sweep, which is pessimistic on purpose.
"""

from __future__ import annotations

import itertools

from uav_testgen.scenario.footprint import FreeSpace, distance_to_point_m
from uav_testgen.scenario.model import Obstacle, Point, Scenario
from uav_testgen.scenario.obstacle_name import called
from uav_testgen.scenario.validity import Rule, Violation, violations

DETOUR_MARGIN_M = 20.0


def infeasibilities(scenario: Scenario) -> tuple[Violation, ...]:
    """Why the mission cannot be flown at the required clearance; empty if it can."""
    clearance_m = scenario.arena.required_clearance_m
    route = scenario.mission.route_enu_m
    obstacles = _in_the_way(scenario)
    found = _blocked_points(scenario, route, clearance_m)
    if found or not obstacles:
        return tuple(found)
    space = FreeSpace(_rectangle(scenario), obstacles, clearance_m)
    parts = [space.component(east, north) for east, north, _ in route]
    for leg, (before, after) in enumerate(itertools.pairwise(parts)):
        if before != after or before is None:
            found.append(
                Violation(
                    Rule.FEASIBLE,
                    f"leg {leg + 1}: no way from {_text(route[leg])} to {_text(route[leg + 1])} keeps "
                    f"{clearance_m:g} m from every obstacle within {DETOUR_MARGIN_M:g} m around arena and "
                    f"mission (the obstacles cut the free space into {space.component_count} parts)",
                    f"open a gap wider than {2.0 * clearance_m:g} m",
                    numbers={"leg": leg + 1, "required_clearance_m": clearance_m},
                )
            )
    return tuple(found)


def is_feasible(scenario: Scenario) -> bool:
    """True if a way through exists at the required clearance."""
    return not infeasibilities(scenario)


def problems(scenario: Scenario) -> tuple[Violation, ...]:
    """Everything wrong with a scenario: broken arena rules, then reasons why it cannot be flown."""
    return (*violations(scenario), *infeasibilities(scenario))


def _in_the_way(scenario: Scenario) -> list[Obstacle]:
    """Obstacles that reach within the clearance of the heights flown between waypoints."""
    clearance_m = scenario.arena.required_clearance_m
    heights = [point[2] for point in scenario.mission.route_enu_m]
    low, high = min(heights) - clearance_m, max(heights) + clearance_m
    return [
        obstacle for obstacle in scenario.obstacles if obstacle.top_m >= low and obstacle.bottom_m <= high
    ]


def _blocked_points(scenario: Scenario, route: tuple[Point, ...], clearance_m: float) -> list[Violation]:
    """Route points too near to an obstacle; take-off and landing need the whole column down to the ground."""
    found = []
    in_the_way = _in_the_way(scenario)
    for number, (east, north, _) in enumerate(route):
        first, last = number == 0, number == len(route) - 1
        to_ground = (first and scenario.mission.takeoff) or (last and scenario.mission.land)
        for index, obstacle in enumerate(scenario.obstacles):
            if not to_ground and obstacle not in in_the_way:
                continue
            distance = distance_to_point_m(obstacle, east, north)
            if distance < clearance_m:
                what = "home" if first else f"waypoint {number}{' (landing)' if last else ''}"
                found.append(
                    Violation(
                        Rule.FEASIBLE,
                        f"{what} at {_text(route[number])} is {distance:.3f} m from {called(obstacle, index)}, "
                        f"{clearance_m:g} m is required",
                        f"move {called(obstacle, index)} away by {clearance_m - distance:.3f} m",
                        index,
                        numbers={"distance_m": distance, "required_clearance_m": clearance_m},
                    )
                )
    return found


def _rectangle(scenario: Scenario) -> tuple[float, float, float, float]:
    arena, route = scenario.arena, scenario.mission.route_enu_m
    return (
        min(arena.east_min_m, *(point[0] for point in route)) - DETOUR_MARGIN_M,
        min(arena.north_min_m, *(point[1] for point in route)) - DETOUR_MARGIN_M,
        max(arena.east_max_m, *(point[0] for point in route)) + DETOUR_MARGIN_M,
        max(arena.north_max_m, *(point[1] for point in route)) + DETOUR_MARGIN_M,
    )


def _text(point: Point) -> str:
    return f"({point[0]:.2f} E, {point[1]:.2f} N)"
