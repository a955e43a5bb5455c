"""A test of generator prgen explained in one picture: arena, segment of interest, parts A and B, angle, path.

What PRGenUAV-LFS shows in its Figure 1, on a map of ours: north is up.
"""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Polygon, Rectangle
from numpy.typing import NDArray

from uav_testgen.core.errors import StoreError
from uav_testgen.flight.model import Trajectory
from uav_testgen.scenario.footprint import outline_places
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.wall_parts import WallParts
from uav_testgen.view.map_drawing import INK, NEAR, SOFT

_A, _B, _PATH = NEAR, "#2d7d46", "#2557a7"
_ARC_M = 5.0
_MARGIN_M = 4.0


def draw_anatomy(
    path: Path, scenario: Scenario, parts: WallParts, trajectory: Trajectory | None, title: str = ""
) -> None:
    """Write the picture; its format follows from the name's ending."""
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 10, "svg.hashsalt": "uav_testgen"}):
        figure = Figure(figsize=(6.4, 9.4), layout="constrained")
        axis = figure.add_subplot()
        _arena(axis, scenario)
        _walls(axis, scenario, parts)
        if trajectory is not None:
            points = _along_leg(scenario, parts, trajectory)
            axis.plot(points[:, 0], points[:, 1], color=_PATH, lw=1.8, label="predicted path", zorder=4)
        _segment(axis, parts)
        _parts(axis, parts)
        _angle(axis, parts)
        arena = scenario.arena
        axis.set_xlim(arena.east_min_m - _MARGIN_M, arena.east_max_m + _MARGIN_M)
        axis.set_ylim(arena.north_min_m - _MARGIN_M, arena.north_max_m + _MARGIN_M)
        axis.set_aspect("equal")
        axis.set(xlabel="east [m]", ylabel="north [m]")
        axis.set_title(textwrap.fill(title, 60, max_lines=3, placeholder=" …"), color=INK)
        figure.legend(loc="outside lower center", ncols=2, frameon=False)
        try:
            figure.savefig(path, dpi=150)
        except OSError as error:
            raise StoreError(f"{path}: the picture cannot be written ({error.strerror})") from None


def _along_leg(scenario: Scenario, parts: WallParts, trajectory: Trajectory) -> NDArray[np.float64]:
    """The part of the flight that belongs to the leg of the segment."""
    route = np.asarray(scenario.mission.route_enu_m)[:, :2]
    points = trajectory.position_enu_m
    start, end = (np.linalg.norm(points[:, :2] - route[parts.segment.leg + k], axis=1) for k in (0, 1))
    last = int(np.argmin(end))
    return points[int(np.argmin(start[: last + 1])) : last + 1]


def _arena(axis: Any, scenario: Scenario) -> None:
    arena = scenario.arena
    size = (arena.east_max_m - arena.east_min_m, arena.north_max_m - arena.north_min_m)
    corner = (arena.east_min_m, arena.north_min_m)
    axis.add_patch(Rectangle(corner, *size, fill=False, ec=INK, lw=1.4))
    top_left = (arena.east_min_m + 1.0, arena.north_max_m - 1.0)
    axis.annotate("obstacle designated arena", top_left, va="top", color=INK)


def _walls(axis: Any, scenario: Scenario, parts: WallParts) -> None:
    others = 1
    for obstacle in scenario.obstacles:
        corners = outline_places(obstacle)
        axis.add_patch(Polygon(corners, fc="#c9ccd3", ec=SOFT, lw=1.0))
        if obstacle == parts.obstacle:
            continue
        others += 1
        corner = min(corners)
        axis.annotate(
            f"obstacle {others}", corner, (-6, 0), textcoords="offset points", ha="right", color=SOFT
        )


def _segment(axis: Any, parts: WallParts) -> None:
    start, end = parts.segment.start_enu_m, parts.segment.end_enu_m
    arrow = {"arrowstyle": "-|>", "color": SOFT, "lw": 1.4, "ls": "--"}
    axis.annotate("", end, start, arrowprops=arrow)
    axis.plot([], [], color=SOFT, ls="--", lw=1.4, label="segment of interest (SoI)")


def _parts(axis: Any, parts: WallParts) -> None:
    crossing = parts.crossing_enu_m
    for name, end_enu_m, length_m, color in (
        ("A", parts.end_a_enu_m, parts.part_a_m, _A),
        ("B", parts.end_b_enu_m, parts.part_b_m, _B),
    ):
        end = end_enu_m
        axis.plot([crossing[0], end[0]], [crossing[1], end[1]], color=color, lw=3.0, zorder=3,
                  label=f"part {name}, {length_m:.2f} m")  # fmt: skip
        middle = (0.5 * (crossing[0] + end[0]), 0.5 * (crossing[1] + end[1]))
        axis.annotate(
            name, middle, (16, 0), textcoords="offset points", va="center", color=color, weight="bold"
        )
    axis.plot(*crossing, marker="o", ms=5, color=INK, zorder=5)


def _angle(axis: Any, parts: WallParts) -> None:
    """The arc from the way back to part A, on the shorter side."""
    crossing = parts.crossing_enu_m
    back = [-step for step in parts.segment.direction]
    to_a = [a - c for a, c in zip(parts.end_a_enu_m, crossing, strict=True)]
    from_deg, to_deg = (math.degrees(math.atan2(v[1], v[0])) for v in (back, to_a))
    if (to_deg - from_deg) % 360.0 > 180.0:
        from_deg, to_deg = to_deg, from_deg
    axis.add_patch(Arc(crossing, _ARC_M, _ARC_M, theta1=from_deg, theta2=to_deg, color=INK, lw=1.2))
    middle_rad = math.radians(from_deg + 0.5 * ((to_deg - from_deg) % 360.0))
    place = (crossing[0] + _ARC_M * math.cos(middle_rad), crossing[1] + _ARC_M * math.sin(middle_rad))
    axis.annotate(f"{parts.angle_deg:.0f}°", place, ha="center", va="center", color=INK)
