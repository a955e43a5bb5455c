"""Pictures of flights and of comparisons.

A flight is drawn in two halves. Left: where it was over time, and its heading. Right: the map with obstacles, path
and closest approach (`map_drawing`: north is up). The heading says what was flown and what came of it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import StoreError
from uav_testgen.core.frames import yaw_enu_to_ned
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.oracle.model import Verdict
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.map_drawing import (
    INK,
    NEAR,
    SOFT,
    distance_words,
    draw_arena,
    draw_mission,
    draw_obstacle,
    obstacle_patch,
    prepare_map,
)

_REPEAT = "#7f9cc8"
_PATH = "#2557a7"
# Text is taken literally: names may hold $ signs, which matplotlib would read as formulas.
_STYLE = {"text.parse_math": False, "font.size": 9, "axes.edgecolor": SOFT}
_LINE_CHARACTERS = 150
_MOST_TURN_DEG = 720.0
_LEGEND_IN_A_LINE = 5
_MOST_LINES = 3


def plot_flight(
    path: Path,
    scenario: Scenario,
    flights: Sequence[Flight],
    verdicts: Sequence[Verdict],
    title: str = "",
    sentence: str = "",
) -> None:
    """Write a PNG of `flight_figure`; StoreError where it cannot be written."""
    with matplotlib.rc_context(_STYLE):
        save_figure(flight_figure(scenario, flights, verdicts, title, sentence), path)


def flight_figure(
    scenario: Scenario,
    flights: Sequence[Flight],
    verdicts: Sequence[Verdict],
    title: str = "",
    sentence: str = "",
) -> Figure:
    """The first flight over time and on the map, with further runs behind it.

    The heading is the title and a sentence: the given one, else the verdict on the first flight.
    """
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(11.0, 6.8))
        said = sentence or (verdicts[0].sentence if verdicts else "")
        top = _heading(figure, title, said)
        # Fixed margins: a layout engine would take longer than the drawing itself.
        margins = {"left": 0.065, "right": 0.985, "bottom": 0.135, "top": top, "wspace": 0.17, "hspace": 0.18}
        grid = figure.add_gridspec(4, 2, width_ratios=[1.0, 1.35], **margins)
        _over_time([figure.add_subplot(grid[row, 0]) for row in range(4)], flights, verdicts)
        _map(figure.add_subplot(grid[:, 1]), scenario, flights, verdicts)
    return figure


def _heading(figure: Figure, title: str, sentence: str) -> float:
    """Both in full where they fit in a few lines; returns where the drawings may begin."""
    lines = [part for part in (title, sentence) if part.strip()]
    text = "\n".join(
        textwrap.fill(line, _LINE_CHARACTERS, max_lines=_MOST_LINES, placeholder=" …") for line in lines
    )
    figure.text(0.5, 0.985, text, ha="center", va="top", fontsize=10, color=INK, linespacing=1.35)
    return 0.94 - 0.032 * text.count("\n")


def plot_boxes(path: Path, groups: Mapping[str, Sequence[float]], label: str, title: str = "") -> None:
    """Write a PNG with one box per group (median, quartiles, whiskers at 1.5 times their distance)."""
    filled = {name: list(values) for name, values in groups.items() if values}
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 9, "axes.edgecolor": SOFT}):
        figure = Figure(figsize=(max(5.0, 1.6 + 0.45 * len(filled)), 4.2), layout="constrained")
        axis = figure.add_subplot()
        if filled:
            axis.boxplot(
                list(filled.values()),
                tick_labels=list(filled),
                medianprops={"color": NEAR, "lw": 1.4},
                flierprops={"marker": ".", "ms": 4, "mec": SOFT},
            )
        axis.tick_params(axis="x", labelrotation=60 if len(filled) > 4 else 0)
        axis.set_ylabel(label)
        axis.set_title(
            textwrap.fill(title, 70, max_lines=_MOST_LINES, placeholder=" …"), fontsize=10, color=INK
        )
        axis.grid(axis="y", alpha=0.25)
        save_figure(figure, path)


def plot_curves(
    path: Path, curves: Mapping[str, Sequence[float]], across: str, label: str, title: str = ""
) -> None:
    """Write a PNG with one curve per name; the k-th value stands above k."""
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 9, "axes.edgecolor": SOFT}):
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        axis = figure.add_subplot()
        for name, values in curves.items():
            axis.plot(range(len(values)), values, lw=1.4, label=name)
        axis.set_xlabel(across)
        axis.set_ylabel(label)
        axis.set_title(
            textwrap.fill(title, 70, max_lines=_MOST_LINES, placeholder=" …"), fontsize=10, color=INK
        )
        axis.grid(alpha=0.25)
        if curves:
            axis.legend(frameon=False)
        save_figure(figure, path)


def _over_time(axes: list[Any], flights: Sequence[Flight], verdicts: Sequence[Verdict]) -> None:
    labels = ("east [m]", "north [m]", "height [m]", "heading [deg]")
    headings = headings_deg([flight.trajectory for flight in flights])
    for order, (flight, heading) in reversed(list(enumerate(zip(flights, headings, strict=True)))):
        rows = (*flight.trajectory.position_enu_m.T, heading)
        style = {"color": _PATH, "lw": 1.3} if order == 0 else {"color": _REPEAT, "lw": 0.7}
        for axis, values in zip(axes, rows, strict=True):
            axis.plot(flight.trajectory.t_s, values, **style)
    for axis, label in zip(axes, labels, strict=True):
        axis.set_ylabel(label)
        axis.grid(alpha=0.25)
        axis.margins(x=0.02)
        if verdicts and verdicts[0].moment_s is not None:
            axis.axvline(verdicts[0].moment_s, color=NEAR, lw=0.9, ls="--")
        if axis is not axes[-1]:
            axis.tick_params(labelbottom=False)
    axes[-1].set_xlabel("time [s]")


def headings_deg(trajectories: Sequence[Trajectory]) -> list[FloatArray]:
    """Compass headings without jumps; all runs begin within half a turn of the first, which begins within ±180.

    A drone that hovers may turn round many times: where that would hide everything else, headings are 0 to 360,
    with a gap where they pass north.
    """
    found: list[FloatArray] = []
    for trajectory in trajectories:
        heading = np.degrees(np.unwrap([yaw_enu_to_ned(yaw) for yaw in trajectory.yaw_rad]))
        if len(heading):
            beside = float(found[0][0]) if found and len(found[0]) else 0.0
            heading = heading - 360.0 * np.round((heading[0] - beside) / 360.0)
        found.append(heading)
    if any(len(heading) and np.ptp(heading) > _MOST_TURN_DEG for heading in found):
        found = [_on_the_compass(heading) for heading in found]
    return found


def _on_the_compass(heading_deg: FloatArray) -> FloatArray:
    within = heading_deg % 360.0
    within[1:][np.abs(np.diff(within)) > 180.0] = np.nan
    return within


def _map(axis: Any, scenario: Scenario, flights: Sequence[Flight], verdicts: Sequence[Verdict]) -> None:
    draw_arena(axis, scenario.arena)
    draw_mission(axis, scenario.mission)
    moment_s = verdicts[0].moment_s if verdicts else None
    for obstacle in scenario.obstacles:
        draw_obstacle(axis, obstacle, moment_s)
    for order, flight in reversed(list(enumerate(flights))):
        position = flight.trajectory.position_enu_m
        style: dict[str, Any] = {"color": _REPEAT, "lw": 0.7, "label": "drawn runs" if order == 1 else None}
        if order == 0:
            style = {"color": _PATH, "lw": 1.6, "label": f"flight ({flight.backend})"}
        axis.plot(position[:, 0], position[:, 1], **style)
    if flights and moment_s is not None:
        trajectory, verdict = flights[0].trajectory, verdicts[0]
        at = [np.interp(moment_s, trajectory.t_s, trajectory.position_enu_m[:, k]) for k in (0, 1)]
        nearest = f"{distance_words(scenario, verdict)} after {moment_s:.1f} s"
        axis.plot(*at, ls="", marker="o", ms=9, mfc="none", mec=NEAR, mew=1.6, label=nearest)
    prepare_map(axis)
    # Beside the map, not on it: a path may lead anywhere.
    many = len(axis.get_legend_handles_labels()[1]) > _LEGEND_IN_A_LINE
    axis.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=4 if many else _LEGEND_IN_A_LINE, fontsize=8,
        frameon=False, borderaxespad=0.0, columnspacing=1.4,
    )  # fmt: skip


def save_figure(figure: Figure, path: Path) -> None:
    """Write a PNG without date and version inside: the same flight gives the same bytes."""
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
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 9, "axes.edgecolor": SOFT}):
        figure = Figure(figsize=(11.0, 5.4))
        top = _heading(figure, title, "")
        margins = {"left": 0.065, "right": 0.985, "bottom": 0.095, "top": top, "wspace": 0.18, "hspace": 0.33}
        grid = figure.add_gridspec(2, 2, width_ratios=[1.25, 1.0], **margins)
        plan, height = figure.add_subplot(grid[:, 0]), figure.add_subplot(grid[0, 1])
        draw_mission(plan, scenarios[0].mission)
        lines = (("seed", flown[0], _REPEAT), ("best", flown[1], _PATH), ("log", target, NEAR))
        for (name, trajectory, color), scenario in zip(lines, (*scenarios, None), strict=True):
            for obstacle in scenario.obstacles if scenario is not None else ():
                patch = obstacle_patch(obstacle)
                patch.set(fill=name == "best", edgecolor=color, linestyle="-" if name == "best" else "--")
                plan.add_patch(patch)
            if trajectory is None:
                continue
            points = trajectory.position_enu_m
            plan.plot(points[:, 0], points[:, 1], color=color, lw=1.6, label=name)
            way = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points[:, :2], axis=0), axis=1))]
            height.plot(way, points[:, 2], color=color, lw=1.3)
        prepare_map(plan)
        plan.legend(loc="best", fontsize=8, framealpha=0.85)
        height.set(xlabel="way flown [m]", ylabel="height [m]")
        _progress(figure.add_subplot(grid[1, 1]), fitness)
        height.grid(alpha=0.25)
        save_figure(figure, path)


def _progress(axis: Any, fitness: Sequence[float | None]) -> None:
    """The distance of every evaluation, and the best so far."""
    values = np.array([np.nan if value is None else -value for value in fitness])
    numbers = np.arange(1, len(values) + 1)
    axis.plot(numbers, values, ls="", marker=".", ms=4, color=_REPEAT, label="evaluation")
    axis.plot(numbers, np.fmin.accumulate(values), color=_PATH, lw=1.4, label="best so far")
    axis.set(xlabel="evaluation", ylabel="distance to the log (DTW)")
    axis.grid(alpha=0.25)
    axis.legend(loc="upper right", fontsize=8, framealpha=0.85)
