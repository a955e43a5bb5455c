"""The picture of an explanation: the flight past the obstacle, what the camera looked at, what would have saved it."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Wedge

from uav_testgen.assurance.explanation import Explanation
from uav_testgen.assurance.sight import REACH_M
from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.oracle.stl.signals import signals_of
from uav_testgen.view.map_drawing import (
    INK,
    NEAR,
    SOFT,
    draw_mission,
    draw_obstacle,
    obstacle_patch,
    prepare_map,
)
from uav_testgen.view.plots import save_figure

_CAMERA = "#e0a100"
_PLANNER = "#2557a7"
_SAVED = "#2e7d32"
_AROUND_M = 16.0
_ARROW_M = 5.0
_MOST_ARROWS = 3


def plot_explanation(path: Path, found: Explanation) -> None:
    """Write the picture as a PNG."""
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 10}):
        save_figure(explanation_figure(found), path)


def explanation_figure(found: Explanation) -> Figure:
    """The map around the closest approach above, the clearance over time below."""
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 10}):
        figure = Figure(figsize=(7.4, 8.6), layout="constrained")
        above, below = figure.subplots(2, 1, height_ratios=(3.4, 1.0))
        _map(above, found)
        _clearance(below, found)
        name = found.scenario.name or f"scenario {found.scenario.id}"
        what = "requirement violated" if found.mechanism is None else found.mechanism.value
        figure.suptitle(textwrap.fill(f"{name}: {what}", 70), color=INK)
    return figure


def _map(axis: Any, found: Explanation) -> None:
    flown, facts = found.flight.trajectory, found.facts
    t_s = flown.t_s - flown.t_s[0]
    places = flown.position_enu_m
    draw_mission(axis, found.scenario.mission)
    for number, obstacle in enumerate(found.scenario.obstacles, start=1):
        draw_obstacle(axis, obstacle, facts.moment_s)
        axis.annotate(str(number), obstacle.center_enu_m[:2], ha="center", va="center", annotation_clip=True)
    axis.plot(places[:, 0], places[:, 1], color=INK, lw=1.3, label="flight")
    unsafe = (t_s >= found.unsafe_s) & (t_s <= facts.moment_s)
    axis.plot(places[unsafe, 0], places[unsafe, 1], color=NEAR, lw=2.4, label="unsafe, up to the closest")
    here, yaw_rad = _at(found, facts.moment_s)
    degrees = math.degrees(yaw_rad)
    half = 0.5 * math.degrees(found.view_rad)
    axis.add_patch(
        Wedge(
            here, REACH_M, degrees - half, degrees + half, fc=_CAMERA, ec="none", alpha=0.18, label="in view"
        )
    )
    bearing_rad = yaw_rad + math.radians(facts.bearing_deg)
    nearest = (
        here[0] + facts.distance_m * math.cos(bearing_rad),
        here[1] + facts.distance_m * math.sin(bearing_rad),
    )
    axis.plot(*zip(here, nearest, strict=True), color=NEAR, lw=1.0)
    axis.plot(*here, marker="o", ms=6, color=NEAR, ls="", label=f"closest, after {facts.moment_s:.1f} s")
    _draw_choice(axis, found)
    _draw_saved(axis, found)
    prepare_map(axis)
    axis.set_xlim(here[0] - _AROUND_M, here[0] + _AROUND_M)
    axis.set_ylim(here[1] - _AROUND_M, here[1] + _AROUND_M)
    axis.set_aspect("equal", adjustable="box")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8, frameon=False)


def _draw_choice(axis: Any, found: Explanation) -> None:
    """The planner's cheapest directions where the flight became unsafe; its azimuths are clockwise from north."""
    if found.choice is None:
        return
    place, _ = _at(found, found.choice.t_s)
    for order, (_, _, azimuth) in enumerate(found.choice.candidates[:_MOST_ARROWS]):
        ahead = (math.sin(math.radians(azimuth)), math.cos(math.radians(azimuth)))
        axis.annotate(
            "", (place[0] + _ARROW_M * ahead[0], place[1] + _ARROW_M * ahead[1]), place,
            arrowprops={"arrowstyle": "->", "color": _PLANNER, "lw": 1.8 - 0.5 * order}, annotation_clip=True,
        )  # fmt: skip
    axis.plot([], [], color=_PLANNER, lw=1.6, label="planner's cheapest ways")


def _draw_saved(axis: Any, found: Explanation) -> None:
    """The obstacles of the change that holds best, where they differ."""
    for change in found.saved_by:
        moved = [one for one in change.scenario.obstacles if one not in found.scenario.obstacles]
        for order, obstacle in enumerate(moved):
            patch = obstacle_patch(obstacle)
            patch.set(fill=False, edgecolor=_SAVED, linestyle="--", linewidth=1.4, alpha=1.0)
            if order == 0:
                patch.set_label(f"safe: {change.what}\nby {change.text(change.amount)}")
            axis.add_patch(patch)
        if moved:
            return


def _clearance(axis: Any, found: Explanation) -> None:
    flown = found.flight.trajectory
    clearance = signals_of(found.scenario, found.flight, ["clearance"])["clearance"]
    axis.plot(flown.t_s - flown.t_s[0], clearance, color=INK, lw=1.2)
    axis.axhline(SAFE_DISTANCE_M, color=SOFT, ls="--", lw=0.9)
    axis.axvspan(found.unsafe_s, max(found.facts.moment_s, found.unsafe_s + 0.2), color=NEAR, alpha=0.2, lw=0)
    axis.set(xlabel="time [s]", ylabel="clearance [m]", ylim=(0.0, 8.0))
    axis.grid(alpha=0.25)


def _at(found: Explanation, moment_s: float) -> tuple[tuple[float, float], float]:
    """Place and heading of the vehicle at a moment of the flight."""
    flown = found.flight.trajectory
    at = min(int(np.searchsorted(flown.t_s - flown.t_s[0], moment_s)), len(flown) - 1)
    east_m, north_m, _ = flown.position_enu_m[at]
    return (float(east_m), float(north_m)), float(flown.yaw_rad[at])
