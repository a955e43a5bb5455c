"""The picture of a minimised test: the scene as given beside the simplest one that still fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from uav_testgen.assurance.minimal import Minimised
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.map_drawing import INK, NEAR, draw_arena, draw_mission, draw_obstacle, prepare_map
from uav_testgen.view.plots import save_figure


def plot_minimised(path: Path, found: Minimised, flights: tuple[Flight, Flight]) -> None:
    """Write the picture as a PNG; the nominal flights of both scenes are drawn."""
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 10}):
        save_figure(minimised_figure(found, flights), path)


def minimised_figure(found: Minimised, flights: tuple[Flight, Flight]) -> Figure:
    """Two maps on one scale."""
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 10}):
        figure = Figure(figsize=(10.0, 6.0), layout="constrained")
        left, right = figure.subplots(1, 2)
        first, last = found.first, found.last
        _map(left, found.before, flights[0], f"as given: {first.failed} of {first.runs} runs fail")
        _map(right, found.scenario, flights[1], f"simplest: {last.failed} of {last.runs} runs fail")
        _same_ground(left, right)
        figure.suptitle(found.before.name or f"scenario {found.before.id}", color=INK)
    return figure


def _same_ground(*maps: Any) -> None:
    """Maps that show the same ground on the same scale."""
    east, north = ([one.get_xlim() for one in maps], [one.get_ylim() for one in maps])
    for one in maps:
        one.set_xlim(min(low for low, _ in east), max(high for _, high in east))
        one.set_ylim(min(low for low, _ in north), max(high for _, high in north))
        one.set_aspect("equal", adjustable="box")


def _map(axis: Any, scenario: Scenario, flight: Flight, title: str) -> None:
    verdict = judge(scenario, flight)
    draw_arena(axis, scenario.arena)
    draw_mission(axis, scenario.mission)
    for obstacle in scenario.obstacles:
        draw_obstacle(axis, obstacle, verdict.moment_s)
        length, width, _ = obstacle.size_m
        axis.annotate(
            f"{length:g} × {width:g} m", obstacle.center_enu_m[:2], ha="center", va="center", fontsize=8
        )
    places = flight.trajectory.position_enu_m
    axis.plot(places[:, 0], places[:, 1], color=INK, lw=1.3)
    if verdict.moment_s is not None:
        t_s = flight.trajectory.t_s
        at = min(int(t_s.searchsorted(t_s[0] + verdict.moment_s)), len(t_s) - 1)
        axis.plot(places[at, 0], places[at, 1], marker="o", ms=9, mfc="none", mec=NEAR, mew=1.6)
    axis.set_title(title, fontsize=10)
    prepare_map(axis)
