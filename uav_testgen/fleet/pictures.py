"""A run as a picture and as an animation. The one file of this room that imports matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.engine import FleetSimulation, TickReport


class TrackRecorder:
    """Remembers where every drone was, tick by tick."""

    def __init__(self, simulation: FleetSimulation) -> None:
        self.tracks: dict[int, list[Cell]] = {d.id: [d.position] for d in simulation.drones.values()}
        self.blocked_since: dict[Cell, int] = dict.fromkeys(simulation.world.blocked, 0)

    def __call__(self, simulation: FleetSimulation, report: TickReport) -> None:
        """Note one tick."""
        for drone in simulation.drones.values():
            self.tracks.setdefault(drone.id, [drone.position] * report.tick).append(drone.position)
        for cell in simulation.world.blocked:
            self.blocked_since.setdefault(cell, report.tick)


def save_picture(simulation: FleetSimulation, recorder: TrackRecorder, path: Path) -> None:
    """The whole run in one map: tracks, blocked cells, chargers, attributes."""
    figure, axes = _map(simulation)
    _draw_cells(axes, simulation, recorder, simulation.tick)
    for index, (drone_id, track) in enumerate(recorder.tracks.items()):
        # Tracks are shifted a little, so that drones on the same cells stay visible.
        shift = 0.12 * ((index % 5) - 2)
        axes.plot(
            [cell[0] + shift for cell in track],
            [cell[1] + shift for cell in track],
            color=f"C{index % 10}",
            linewidth=1.6,
            alpha=0.85,
            label=f"drone {drone_id}",
        )
        axes.plot(track[-1][0] + shift, track[-1][1] + shift, "o", color=f"C{index % 10}")
    axes.set_title(f"{simulation.scenario.name or 'fleet'}: {simulation.tick} ticks")
    if len(recorder.tracks) <= 12:
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    figure.savefig(path, dpi=140, bbox_inches="tight")


def save_animation(simulation: FleetSimulation, recorder: TrackRecorder, path: Path) -> None:
    """The run as an animated GIF, four ticks a second."""
    if path.suffix.lower() != ".gif":
        raise ConfigError(f"{path}: animations are written as .gif")
    from matplotlib.animation import FuncAnimation, PillowWriter

    figure, axes = _map(simulation)
    length = max(len(track) for track in recorder.tracks.values()) if recorder.tracks else 1

    def frame(tick: int) -> None:
        axes.clear()
        _frame_axes(axes, simulation)
        _draw_cells(axes, simulation, recorder, tick)
        for index, (drone_id, track) in enumerate(recorder.tracks.items()):
            x, y, _ = track[min(tick, len(track) - 1)]
            axes.plot(x, y, "o", markersize=11, color=f"C{index % 10}")
            axes.text(x, y, str(drone_id), ha="center", va="center", fontsize=7, color="white")
        axes.set_title(f"{simulation.scenario.name or 'fleet'}: tick {tick}")

    FuncAnimation(figure, frame, frames=length).save(path, writer=PillowWriter(fps=4))


def _map(simulation: FleetSimulation) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    size_x, size_y, _ = simulation.world.size
    scale = 9.0 / max(size_x, size_y, 1)
    figure = Figure(figsize=(max(3.0, size_x * scale), max(3.0, size_y * scale)))
    axes = figure.add_subplot()
    _frame_axes(axes, simulation)
    return figure, axes


def _frame_axes(axes: Any, simulation: FleetSimulation) -> None:
    size_x, size_y, _ = simulation.world.size
    axes.set_xlim(-0.5, size_x - 0.5)
    axes.set_ylim(-0.5, size_y - 0.5)
    axes.set_aspect("equal")
    axes.set_xlabel("x [cells]")
    axes.set_ylabel("y [cells]")


def _draw_cells(axes: Any, simulation: FleetSimulation, recorder: TrackRecorder, tick: int) -> None:
    from matplotlib.patches import Rectangle

    for cell in simulation.world.special_cells():
        blocked = cell in simulation.world.blocked
        if blocked and recorder.blocked_since.get(cell, 0) > tick:
            continue
        colour = "0.25" if blocked else "#f2c14e" if cell in simulation.world.chargers else "#8fc1a9"
        axes.add_patch(Rectangle((cell[0] - 0.5, cell[1] - 0.5), 1, 1, color=colour, linewidth=0))
