"""One scene as a stranger should see it: a map with the planned and the flown way, still or moving."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.patheffects import withStroke

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import ConfigError, StoreError
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.model import Verdict
from uav_testgen.scenario.model import Obstacle, Scenario
from uav_testgen.view.map_drawing import (
    INK,
    NEAR,
    SOFT,
    distance_words,
    draw_obstacle,
    obstacle_patch,
    prepare_map,
)
from uav_testgen.world.motion import centres_at
from uav_testgen.world.packed import pack_obstacles

_PATH = "#2557a7"
_RUN = "#7f9cc8"
_RECORDED = "#d07a1f"
_STYLE = {"text.parse_math": False, "font.size": 9, "axes.edgecolor": SOFT}
_SIZE_IN = (6.4, 4.9)
_WIDTH_IN, _HEIGHT_IN = 5.6, 3.36
"""Of the map in it."""
_SENTENCE_CHARACTERS = 110
_MARGIN_M = 3.0
_LEGEND_IN_A_LINE = 4
_FRAMES = 70
_PAUSE_FRAMES = 12
_COLOURS = 48


def save_scene_map(
    path: Path,
    scenario: Scenario,
    flights: Sequence[Flight],
    verdicts: Sequence[Verdict],
    title: str,
    sentence: str = "",
    recorded_enu_m: FloatArray | None = None,
) -> None:
    """Write a PNG: the first flight in full, the others behind it, a recorded path if there is one."""
    with matplotlib.rc_context(_STYLE):
        figure, axis = _figure(scenario, flights, title, sentence)
        moment_s = verdicts[0].moment_s if verdicts else None
        for obstacle in scenario.obstacles:
            draw_obstacle(axis, obstacle, moment_s)
        for order, flight in reversed(list(enumerate(flights))):
            label = "as predicted" if order == 0 else "with scatter" if order == 1 else None
            _draw_path(axis, flight.trajectory.position_enu_m, order == 0, label)
        if recorded_enu_m is not None:
            axis.plot(
                *recorded_enu_m[:, :2].T, color=_RECORDED, lw=1.8, label="recorded in PX4 + Gazebo", zorder=4
            )
        if flights and moment_s is not None:
            _draw_moment(axis, scenario, flights[0], verdicts[0], moment_s)
        many = len(axis.get_legend_handles_labels()[1]) > _LEGEND_IN_A_LINE
        axis.legend(
            loc="upper center", bbox_to_anchor=(0.5, -0.125), ncols=3 if many else _LEGEND_IN_A_LINE, fontsize=8,
            frameon=False, borderaxespad=0.0, columnspacing=1.4,
        )  # fmt: skip
        _write(path, _png(figure))


def save_animation(path: Path, scenario: Scenario, flight: Flight, verdict: Verdict, title: str) -> None:
    """Write a GIF of one flight: the drone, its way so far, obstacles where they are; it stops at the closest point."""
    from PIL import Image

    if path.suffix.lower() != ".gif":
        raise ConfigError(f"{path}: animations are written as .gif")
    trajectory = flight.trajectory
    end_s = min(trajectory.t_s[-1], (verdict.moment_s or trajectory.t_s[-1]) + 6.0)
    images = []
    with matplotlib.rc_context(_STYLE):
        for t_s in np.linspace(trajectory.t_s[0], end_s, _FRAMES):
            figure, axis = _figure(scenario, [flight], title)
            _frame(axis, scenario, flight, verdict, float(t_s))
            image = Image.open(io.BytesIO(_png(figure, dpi=80))).convert("RGB")
            images.append(image.quantize(_COLOURS, dither=Image.Dither.NONE))
    durations_ms = [90] * (_FRAMES - 1) + [90 * _PAUSE_FRAMES]
    written = io.BytesIO()
    images[0].save(
        written, "GIF", save_all=True, append_images=images[1:], duration=durations_ms, loop=0, optimize=True
    )
    _write(path, written.getvalue())


def _frame(axis: Any, scenario: Scenario, flight: Flight, verdict: Verdict, t_s: float) -> None:
    trajectory = flight.trajectory
    for obstacle in scenario.obstacles:
        axis.add_patch(obstacle_patch(_moved(obstacle, t_s)))
    flown = trajectory.position_enu_m[trajectory.t_s <= t_s]
    _draw_path(axis, flown, True, None)
    here = [float(np.interp(t_s, trajectory.t_s, trajectory.position_enu_m[:, k])) for k in (0, 1)]
    heading = float(np.interp(t_s, trajectory.t_s, np.unwrap(trajectory.yaw_rad)))
    axis.add_patch(Circle((here[0], here[1]), 1.5, fill=False, ec=_PATH, lw=0.8, ls="--"))
    axis.plot(*here, marker=(3, 0, np.degrees(heading) - 90.0), ms=10, color=_PATH, ls="")
    if verdict.moment_s is not None and t_s >= verdict.moment_s:
        _draw_moment(axis, scenario, flight, verdict, verdict.moment_s)
    axis.text(0.02, 0.96, f"{t_s:.0f} s", transform=axis.transAxes, va="top", color=SOFT)


def _moved(obstacle: Obstacle, t_s: float) -> Obstacle:
    if obstacle.motion is None:
        return obstacle
    center = centres_at(pack_obstacles([obstacle]), t_s)[0]
    return obstacle.model_copy(update={"center_enu_m": tuple(float(value) for value in center)})


def _figure(
    scenario: Scenario, flights: Sequence[Flight], title: str, sentence: str = ""
) -> tuple[Figure, Any]:
    figure = Figure(figsize=_SIZE_IN)
    axis = figure.add_axes((0.1, 0.215, _WIDTH_IN / _SIZE_IN[0], _HEIGHT_IN / _SIZE_IN[1]))
    figure.text(0.5, 0.985, title, ha="center", va="top", fontsize=10.5, color=INK, weight="bold")
    said = textwrap.shorten(sentence, _SENTENCE_CHARACTERS, placeholder=" …")
    figure.text(0.5, 0.943, said, ha="center", va="top", fontsize=8, color=INK)
    route = np.array(scenario.mission.route_enu_m)
    axis.plot(route[:, 0], route[:, 1], ls="--", color=SOFT, lw=1.0, label="planned mission")
    axis.plot(*route[0, :2], marker="s", ms=6, color=SOFT, ls="")
    axis.plot(*route[-1, :2], marker="X", ms=7, color=SOFT, ls="")
    prepare_map(axis)
    places = [route[:, :2], *(flight.trajectory.position_enu_m[:, :2] for flight in flights)]
    for obstacle in scenario.obstacles:
        reach_m = 0.5 * float(np.hypot(*obstacle.size_m[:2]))
        way = np.array(obstacle.way_enu_m)[:, :2]
        places += [way - reach_m, way + reach_m]
    everything = np.vstack(places)
    low, high = everything.min(axis=0) - _MARGIN_M, everything.max(axis=0) + _MARGIN_M
    # One scale on both axes: the axis with room to spare shows more.
    half = 0.5 * max((high[0] - low[0]) / _WIDTH_IN, (high[1] - low[1]) / _HEIGHT_IN)
    middle = 0.5 * (low + high)
    axis.set(
        xlim=(middle[0] - half * _WIDTH_IN, middle[0] + half * _WIDTH_IN),
        ylim=(middle[1] - half * _HEIGHT_IN, middle[1] + half * _HEIGHT_IN),
    )
    _name_place(axis, "start", route[0], 6)
    _name_place(axis, "end", route[-1], -12)
    return figure, axis


def _name_place(axis: Any, name: str, place: FloatArray, up: int) -> None:
    """On the side where the map has room for the name."""
    low, high = axis.get_xlim()
    is_left = place[0] > low + 0.85 * (high - low)
    axis.annotate(
        name, tuple(place[:2]), xytext=(-6 if is_left else 4, up), textcoords="offset points", color=SOFT,
        fontsize=8, ha="right" if is_left else "left",
    )  # fmt: skip


def _draw_path(axis: Any, points: FloatArray, first: bool, label: str | None) -> None:
    style: dict[str, Any] = {"color": _PATH, "lw": 1.9, "zorder": 3} if first else {"color": _RUN, "lw": 0.8}
    axis.plot(points[:, 0], points[:, 1], label=label, **style)


def _draw_moment(axis: Any, scenario: Scenario, flight: Flight, verdict: Verdict, moment_s: float) -> None:
    trajectory = flight.trajectory
    at = [float(np.interp(moment_s, trajectory.t_s, trajectory.position_enu_m[:, k])) for k in (0, 1)]
    axis.plot(
        *at, ls="", marker="o", ms=11, mfc="none", mec=NEAR, mew=2.0, zorder=5, label="closest approach"
    )
    # A white outline keeps it readable and hides less of what lies below than a box.
    axis.annotate(
        distance_words(scenario, verdict), at, xytext=(12, 10), textcoords="offset points", color=NEAR, fontsize=11,
        weight="bold", zorder=6, path_effects=[withStroke(linewidth=3.0, foreground="white")],
    )  # fmt: skip


def _png(figure: Figure, dpi: int = 110) -> bytes:
    written = io.BytesIO()
    figure.savefig(written, dpi=dpi, format="png", metadata={"Software": None})
    return written.getvalue()


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise StoreError(
            f"{path}: the picture cannot be written ({error.strerror}); free some space"
        ) from None
