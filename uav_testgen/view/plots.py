"""Pictures of flights and of comparisons: the one file that imports matplotlib.

A flight is drawn in the layout Aerialist's users know. Left: x, y, z and heading over time. Right: the map
with obstacles, path and closest approach. All in Aerialist's test frame (x north, y east), as in every
published figure of the competition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle

from uav_testgen.core.errors import StoreError
from uav_testgen.core.frames import yaw_enu_to_ned
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.oracle.model import Verdict
from uav_testgen.scenario.footprint import box_corners_enu_m
from uav_testgen.scenario.model import Obstacle, Scenario, Shape
from uav_testgen.world.motion import centres_at
from uav_testgen.world.packed import pack_obstacles

_INK, _SOFT, _NEAR, _REPEAT = "#1d2330", "#5d6675", "#b3261e", "#7f9cc8"
_PATH = "#2557a7"


def plot_flight(
    path: Path, scenario: Scenario, flights: Sequence[Flight], verdicts: Sequence[Verdict], title: str = ""
) -> None:
    """Write a PNG of the first flight, with further runs behind it; StoreError where it cannot be written."""
    # Text is taken literally: names may hold $ signs, which matplotlib would read as formulas.
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 9, "axes.edgecolor": _SOFT}):
        figure = Figure(figsize=(10.0, 6.2))
        # Fixed margins: a layout engine would take longer than the drawing itself.
        margins = {"left": 0.07, "right": 0.985, "bottom": 0.085, "top": 0.91, "wspace": 0.2, "hspace": 0.18}
        grid = figure.add_gridspec(4, 2, width_ratios=[1.0, 1.35], **margins)
        _over_time([figure.add_subplot(grid[row, 0]) for row in range(4)], flights, verdicts)
        _map(figure.add_subplot(grid[:, 1]), scenario, flights, verdicts)
        if title:
            figure.suptitle(title[:120], fontsize=10, color=_INK)
        _save(figure, path)


def plot_boxes(path: Path, groups: Mapping[str, Sequence[float]], label: str, title: str = "") -> None:
    """Write a PNG with one box per group (median, quartiles, whiskers at 1.5 times their distance)."""
    filled = {name: list(values) for name, values in groups.items() if values}
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 9, "axes.edgecolor": _SOFT}):
        figure = Figure(figsize=(max(5.0, 1.6 + 0.45 * len(filled)), 4.2), layout="constrained")
        axis = figure.add_subplot()
        if filled:
            axis.boxplot(
                list(filled.values()),
                tick_labels=list(filled),
                medianprops={"color": _NEAR, "lw": 1.4},
                flierprops={"marker": ".", "ms": 4, "mec": _SOFT},
            )
        axis.tick_params(axis="x", labelrotation=60 if len(filled) > 4 else 0)
        axis.set_ylabel(label)
        axis.set_title(title[:120], fontsize=10, color=_INK)
        axis.grid(axis="y", alpha=0.25)
        _save(figure, path)


def _over_time(axes: list[Any], flights: Sequence[Flight], verdicts: Sequence[Verdict]) -> None:
    labels = ("x [m]", "y [m]", "z [m]", "heading [deg]")
    for order, flight in reversed(list(enumerate(flights))):
        trajectory = flight.trajectory
        heading = np.degrees(np.unwrap([yaw_enu_to_ned(yaw) for yaw in trajectory.yaw_rad]))
        position = trajectory.position_enu_m
        rows = (position[:, 1], position[:, 0], position[:, 2], heading)
        style = {"color": _PATH, "lw": 1.3} if order == 0 else {"color": _REPEAT, "lw": 0.7}
        for axis, values in zip(axes, rows, strict=True):
            axis.plot(trajectory.t_s, values, **style)
    for axis, label in zip(axes, labels, strict=True):
        axis.set_ylabel(label)
        axis.grid(alpha=0.25)
        if verdicts and verdicts[0].moment_s is not None:
            axis.axvline(verdicts[0].moment_s, color=_NEAR, lw=0.9, ls="--")
        if axis is not axes[-1]:
            axis.tick_params(labelbottom=False)
    axes[-1].set_xlabel("time [s]")


def _map(axis: Any, scenario: Scenario, flights: Sequence[Flight], verdicts: Sequence[Verdict]) -> None:
    arena = scenario.arena
    axis.add_patch(
        Rectangle(
            (arena.north_min_m, arena.east_min_m),
            arena.north_max_m - arena.north_min_m,
            arena.east_max_m - arena.east_min_m,
            fill=False,
            ls=":",
            ec=_SOFT,
            lw=0.8,
        )
    )
    route = np.array(scenario.mission.route_enu_m)
    axis.plot(route[:, 1], route[:, 0], ls="--", marker="o", ms=3, color=_SOFT, lw=0.9, label="mission")
    moment_s = verdicts[0].moment_s if verdicts else None
    for obstacle in scenario.obstacles:
        _draw_obstacle(axis, obstacle, moment_s)
    for order, flight in reversed(list(enumerate(flights))):
        position = flight.trajectory.position_enu_m
        style = {"color": _PATH, "lw": 1.6, "label": f"flight ({flight.backend})"}
        axis.plot(position[:, 1], position[:, 0], **(style if order == 0 else {"color": _REPEAT, "lw": 0.7}))
    text = "no obstacle"
    if flights and moment_s is not None:
        trajectory, verdict = flights[0].trajectory, verdicts[0]
        at = [np.interp(moment_s, trajectory.t_s, trajectory.position_enu_m[:, k]) for k in (1, 0)]
        axis.plot(*at, marker="o", ms=9, mfc="none", mec=_NEAR, mew=1.6)
        text = f"min distance {verdict.min_distance_aerialist_m:.2f} m at {moment_s:.1f} s"
    axis.set_title(text, fontsize=10, color=_NEAR if verdicts and verdicts[0].failed else _INK)
    axis.set_aspect("equal", adjustable="datalim")
    axis.set_xlabel("x (north) [m]")
    axis.set_ylabel("y (east) [m]")
    axis.grid(alpha=0.25)
    axis.legend(loc="upper right", fontsize=8, framealpha=0.85)


def _draw_obstacle(axis: Any, obstacle: Obstacle, moment_s: float | None) -> None:
    """Where it is at the closest approach; of a moving one also its way and, as an outline, its start."""
    if obstacle.motion is None:
        axis.add_patch(_patch(obstacle))
        return
    way = np.array(obstacle.way_enu_m)
    axis.plot(way[:, 1], way[:, 0], ls=":", marker=".", ms=4, color="#555555", lw=1.1)
    start = _patch(obstacle)
    start.set(fill=False, linestyle="--")
    axis.add_patch(start)
    center = centres_at(pack_obstacles([obstacle]), 0.0 if moment_s is None else moment_s)[0]
    place = (float(center[0]), float(center[1]), float(center[2]))
    axis.add_patch(_patch(obstacle.model_copy(update={"center_enu_m": place})))


def _patch(obstacle: Obstacle) -> Any:
    style = {"fc": "#808080", "ec": "#555555", "alpha": 0.5}
    if obstacle.shape is not Shape.BOX:
        east, north, _ = obstacle.center_enu_m
        return Circle((north, east), 0.5 * obstacle.size_m[0], **style)
    return Polygon([(north, east) for east, north in box_corners_enu_m(obstacle)], closed=True, **style)


def _save(figure: Figure, path: Path) -> None:
    # No date and no version inside: the same flight gives the same bytes.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.tmp")
        figure.savefig(temporary, dpi=110, format="png", metadata={"Software": None})
        temporary.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: the plot cannot be written ({error.strerror}); free some space") from None


def plot_replication(
    path: Path,
    title: str,
    scenarios: tuple[Scenario, Scenario],
    target: Trajectory,
    flown: tuple[Trajectory | None, Trajectory | None],
    fitness: Sequence[float | None],
) -> None:
    """Write a PNG of a replication: logged, seed and best flight on the map, heights, search progress."""
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 9, "axes.edgecolor": _SOFT}):
        figure = Figure(figsize=(11.0, 5.4))
        margins = {"left": 0.065, "right": 0.985, "bottom": 0.095, "top": 0.9, "wspace": 0.18, "hspace": 0.33}
        grid = figure.add_gridspec(2, 2, width_ratios=[1.25, 1.0], **margins)
        plan, height = figure.add_subplot(grid[:, 0]), figure.add_subplot(grid[0, 1])
        route = np.array(scenarios[0].mission.route_enu_m)
        plan.plot(route[:, 1], route[:, 0], ls="--", marker="o", ms=3, color=_SOFT, lw=0.9, label="mission")
        lines = (("seed", flown[0], _REPEAT), ("best", flown[1], _PATH), ("log", target, _NEAR))
        for (name, trajectory, color), scenario in zip(lines, (*scenarios, None), strict=True):
            for obstacle in scenario.obstacles if scenario is not None else ():
                patch = _patch(obstacle)
                patch.set(fill=name == "best", edgecolor=color, linestyle="-" if name == "best" else "--")
                plan.add_patch(patch)
            if trajectory is None:
                continue
            points = trajectory.position_enu_m
            plan.plot(points[:, 1], points[:, 0], color=color, lw=1.6, label=name)
            way = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points[:, :2], axis=0), axis=1))]
            height.plot(way, points[:, 2], color=color, lw=1.3)
        plan.set_aspect("equal", adjustable="datalim")
        plan.set(xlabel="x (north) [m]", ylabel="y (east) [m]")
        plan.legend(loc="best", fontsize=8, framealpha=0.85)
        height.set(xlabel="way flown [m]", ylabel="height [m]")
        _progress(figure.add_subplot(grid[1, 1]), fitness)
        for axis in (plan, height):
            axis.grid(alpha=0.25)
        figure.suptitle(title[:120], fontsize=10, color=_INK)
        _save(figure, path)


def _progress(axis: Any, fitness: Sequence[float | None]) -> None:
    """The distance of every evaluation, and the best so far."""
    values = np.array([np.nan if value is None else -value for value in fitness])
    numbers = np.arange(1, len(values) + 1)
    axis.plot(numbers, values, ls="", marker=".", ms=4, color=_REPEAT, label="evaluation")
    axis.plot(numbers, np.fmin.accumulate(values), color=_PATH, lw=1.4, label="best so far")
    axis.set(xlabel="evaluation", ylabel="distance to the log (DTW)")
    axis.grid(alpha=0.25)
    axis.legend(loc="upper right", fontsize=8, framealpha=0.85)
