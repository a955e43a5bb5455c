"""What every map has in common: north is up, east to the right, one scale, obstacles where they were.

Aerialist's x is north and its y east; maps name the axes by the compass, so that nobody has to know.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from matplotlib.patches import Circle, Patch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path

from uav_testgen.flight.model import Ending
from uav_testgen.oracle.model import Verdict
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.footprint import footprint_rings, outline_places
from uav_testgen.scenario.model import Mission, Obstacle, Scenario
from uav_testgen.shape.forms import FORMS
from uav_testgen.world.motion import centres_at
from uav_testgen.world.packed import pack_obstacles

INK: Final = "#1d2330"
SOFT: Final = "#5d6675"
NEAR: Final = "#b3261e"
_OBSTACLE = {"fc": "#808080", "ec": "#555555", "alpha": 0.5}
_WAY = "way of a moving obstacle"
_START = "its place at the start"


def distance_words(scenario: Scenario, verdict: Verdict) -> str:
    """The closest approach beside its mark: in 3-D where the scene asks for that, else as Aerialist measures it."""
    distance_m = verdict.min_distance_3d_m if scenario.logical else verdict.min_distance_aerialist_m
    if verdict.ending is Ending.COLLISION or distance_m == 0.0:
        return "collision"
    return "" if distance_m is None else f"{distance_m:.2f} m"


def prepare_map(axis: Any) -> None:
    """Axes of a map; called when everything is drawn."""
    axis.set_aspect("equal", adjustable="datalim")
    axis.set(xlabel="east [m]", ylabel="north [m]")
    axis.grid(alpha=0.25)


def draw_mission(axis: Any, mission: Mission) -> None:
    """The planned route."""
    route = np.array(mission.route_enu_m)
    axis.plot(route[:, 0], route[:, 1], ls="--", marker="o", ms=3, color=SOFT, lw=0.9, label="mission")


def draw_arena(axis: Any, arena: Arena) -> None:
    """Where obstacles may stand."""
    size = (arena.east_max_m - arena.east_min_m, arena.north_max_m - arena.north_min_m)
    corner = (arena.east_min_m, arena.north_min_m)
    axis.add_patch(Rectangle(corner, *size, fill=False, ls=":", ec=SOFT, lw=0.8, label="arena"))


def draw_obstacle(axis: Any, obstacle: Obstacle, moment_s: float | None) -> None:
    """Where it is at the closest approach; of a moving one also its way and, as an outline, its start."""
    if obstacle.motion is None:
        axis.add_patch(obstacle_patch(obstacle))
        return
    way = np.array(obstacle.way_enu_m)
    # One entry of the legend explains them all.
    _, told = axis.get_legend_handles_labels()
    line, outline = (None if name in told else name for name in (_WAY, _START))
    axis.plot(way[:, 0], way[:, 1], ls=":", marker=".", ms=4, color="#555555", lw=1.1, label=line)
    start = obstacle_patch(obstacle)
    start.set(fill=False, linestyle="--", label=outline)
    axis.add_patch(start)
    center = centres_at(pack_obstacles([obstacle]), 0.0 if moment_s is None else moment_s)[0]
    place = (float(center[0]), float(center[1]), float(center[2]))
    axis.add_patch(obstacle_patch(obstacle.model_copy(update={"center_enu_m": place})))


def obstacle_patch(obstacle: Obstacle) -> Patch:
    """The footprint of an obstacle at its start."""
    outline = FORMS[obstacle.shape].outline(obstacle.size_m, obstacle.triangles)
    if outline.radius_m is not None:
        return Circle(obstacle.center_enu_m[:2], outline.radius_m, **_OBSTACLE)
    if len(outline.pieces) == 1:
        return Polygon(outline_places(obstacle), closed=True, **_OBSTACLE)
    paths = [Path(np.array(ring), closed=True) for ring in footprint_rings(obstacle)]
    return PathPatch(Path.make_compound_path(*paths), **_OBSTACLE)
