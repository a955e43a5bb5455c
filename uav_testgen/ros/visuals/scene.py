"""The scene as markers: obstacles, safe-distance shells coloured by the verdict, arena, mission."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA, Header
from uav_testgen_msgs.msg import Verdict
from visualization_msgs.msg import Marker, MarkerArray

from uav_testgen.ros.convert.parts import point_to_msg
from uav_testgen.ros.topics import MAP_FRAME
from uav_testgen.scenario.model import Obstacle, Scenario, Shape
from uav_testgen.shape.forms import FORMS
from uav_testgen.world.scene import Scene

SAFE_DISTANCE_M: Final = 1.5
_SOLIDS: Final = {Shape.BOX: Marker.CUBE, Shape.CYLINDER: Marker.CYLINDER, Shape.SPHERE: Marker.SPHERE}
"""Shapes that markers have a word for; all others are drawn as the triangles of their surface."""
_ROUND_M: Final = 0.05
_GREY: Final = ColorRGBA(r=0.55, g=0.55, b=0.6, a=1.0)
_BLUE: Final = ColorRGBA(r=0.1, g=0.35, b=0.8, a=1.0)
_YELLOW: Final = ColorRGBA(r=0.9, g=0.8, b=0.2, a=0.8)
SHELL_COLOURS: Final = {
    Verdict.PASS: ColorRGBA(r=0.1, g=0.7, b=0.2, a=0.15),
    Verdict.SOFT_FAIL: ColorRGBA(r=1.0, g=0.6, b=0.0, a=0.3),
    Verdict.HARD_FAIL: ColorRGBA(r=0.9, g=0.1, b=0.1, a=0.35),
    Verdict.INCOMPLETE: ColorRGBA(r=0.6, g=0.3, b=0.7, a=0.25),
    Verdict.INCONCLUSIVE: ColorRGBA(r=0.5, g=0.5, b=0.5, a=0.15),
}


def scene_markers(scenario: Scenario, time_s: float, verdict: Verdict | None) -> MarkerArray:
    """Everything there is to see of a scenario at time t. The obstacle nearest to the flight carries the
    colour of the verdict, all others that of a pass."""
    centres = Scene.of(scenario).centres_enu_m(time_s)
    markers = [Marker(header=Header(frame_id=MAP_FRAME), action=Marker.DELETEALL)]
    for index, (obstacle, centre) in enumerate(zip(scenario.obstacles, centres.tolist(), strict=True)):
        outcome = verdict.outcome if verdict and verdict.obstacle_index == index else Verdict.PASS
        markers.append(_body(obstacle, centre, "obstacles", index, _GREY, 0.0))
        colour = SHELL_COLOURS[outcome]
        markers.append(_body(obstacle, centre, "safe_distance", index, colour, SAFE_DISTANCE_M))
    arena = scenario.arena
    corners = [
        (arena.east_min_m, arena.north_min_m, 0.0),
        (arena.east_max_m, arena.north_min_m, 0.0),
        (arena.east_max_m, arena.north_max_m, 0.0),
        (arena.east_min_m, arena.north_max_m, 0.0),
    ]
    markers.append(_line([*corners, corners[0]], "arena", _YELLOW, 0.15))
    markers.append(_line([scenario.mission.home_enu_m, *scenario.mission.route_enu_m], "mission", _BLUE, 0.1))
    if verdict is not None and verdict.sentence:
        markers.append(_text(verdict, scenario))
    return MarkerArray(markers=markers)


def _marker(kind: int, space: str, number: int, colour: ColorRGBA) -> Marker:
    marker = Marker(header=Header(frame_id=MAP_FRAME), ns=space, id=number, type=kind, color=colour)
    marker.pose.orientation.w = 1.0
    return marker


def _body(
    obstacle: Obstacle, centre: Sequence[float], space: str, number: int, colour: ColorRGBA, margin_m: float
) -> Marker:
    kind = _SOLIDS.get(obstacle.shape, Marker.TRIANGLE_LIST)
    marker = _marker(kind, space, number, colour)
    marker.pose.position = point_to_msg(centre)
    marker.pose.orientation.w = math.cos(0.5 * obstacle.yaw_rad)
    marker.pose.orientation.z = math.sin(0.5 * obstacle.yaw_rad)
    x, y, z = (size + 2.0 * margin_m for size in obstacle.size_m)
    marker.scale.x, marker.scale.y, marker.scale.z = x, y, z
    if kind == Marker.TRIANGLE_LIST:
        surface = FORMS[obstacle.shape].mesh((x, y, z), obstacle.triangles, _ROUND_M)
        marker.scale.x = marker.scale.y = marker.scale.z = 1.0
        marker.points = [
            point_to_msg(corner) for corner in surface.vertices[surface.triangles].reshape(-1, 3).tolist()
        ]
    return marker


def _line(points: Sequence[Sequence[float]], space: str, colour: ColorRGBA, width_m: float) -> Marker:
    marker = _marker(Marker.LINE_STRIP, space, 0, colour)
    marker.scale.x = width_m
    marker.points = [Point(x=float(x), y=float(y), z=float(z)) for x, y, z in points]
    return marker


def _text(verdict: Verdict, scenario: Scenario) -> Marker:
    colour = SHELL_COLOURS[verdict.outcome]
    marker = _marker(
        Marker.TEXT_VIEW_FACING, "verdict", 0, ColorRGBA(r=colour.r, g=colour.g, b=colour.b, a=1.0)
    )
    x, y, z = scenario.mission.route_enu_m[0]
    marker.pose.position = point_to_msg((x, y, z + 5.0))
    marker.scale.z = 1.5
    marker.text = verdict.sentence
    return marker
