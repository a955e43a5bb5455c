"""The picture a test leaves: coordinates over time beside the map, for programs without a plotting library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def plot_positions(path: Path, data: Any) -> None:
    """Trajectories (rows of t_s, x, y, z, r in the test frame) and obstacle outlines, as a PNG file."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon

    figure = Figure(figsize=(10, 6), layout="constrained")
    grid = figure.add_gridspec(4, 2)
    sides = [figure.add_subplot(grid[row, 0]) for row in range(4)]
    above = figure.add_subplot(grid[:, 1])
    for rows in data["trajectories"]:
        table = np.asarray(rows, dtype=np.float64).reshape(-1, 5)
        for column, side in enumerate(sides, start=1):
            side.plot(table[:, 0], table[:, column], linewidth=1)
        above.plot(table[:, 1], table[:, 2], linewidth=1.2)
    for side, label in zip(sides, ("x north [m]", "y east [m]", "z up [m]", "heading [rad]"), strict=True):
        side.set_ylabel(label)
    sides[-1].set_xlabel("time [s]")
    for outline in data["obstacles"]:
        above.add_patch(Polygon(np.asarray(outline, dtype=np.float64), closed=True, color="gray", alpha=0.5))
    above.set_aspect("equal", "datalim")
    above.set_xlabel("x north [m]")
    above.set_ylabel("y east [m]")
    if data.get("title"):
        figure.suptitle(str(data["title"])[:200])
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="png", dpi=100)
