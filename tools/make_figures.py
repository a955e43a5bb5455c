"""Draws the figures of docs/explanation: one step, the speed law, reliability, predicted against measured.

    python tools/make_figures.py [FOLDER]      FOLDER: output of `uav-testgen fidelity RECORDS --out FOLDER`

Without a folder the scatter is left as it is: it needs the records.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
INK, BLUE, RED, SOFT = "#1d2330", "#2557a7", "#b3261e", "#5d6675"
SAFE_M = 1.5
# Mean predicted probability, observed share, tests; printed by `uav-testgen fidelity` on all records.
RELIABILITY = {
    "another group's flights (1195)": [
        (0.01, 0.01, 920), (0.30, 0.18, 56), (0.50, 0.38, 66), (0.70, 0.70, 73), (0.90, 0.88, 80),
    ],
    "missions 1 to 7 (714)": [
        (0.02, 0.02, 490), (0.31, 0.23, 75), (0.50, 0.42, 36), (0.68, 0.60, 40), (0.94, 0.82, 73),
    ],
}  # fmt: skip


def main() -> int:
    """Draw."""
    _save(one_step(), "one_step.png")
    _save(speed_law(), "speed_law.png")
    _save(reliability(), "reliability.png")
    if len(sys.argv) > 1:
        _save(scatter(Path(sys.argv[1])), "scatter.png")
    return 0


def one_step() -> Figure:
    """The loop of one step."""
    figure = Figure(figsize=(8.2, 2.3))
    axis = figure.add_axes((0, 0, 1, 1))
    axis.set(xlim=(0, 10), ylim=(0, 2.8))
    axis.axis("off")
    boxes = (
        ("sense", "depth image\nand point cloud"), ("plan", "histogram,\nsearch tree"),
        ("guide", "set-point for\nthe newest pose"), ("move", "PX4's control\nand airframe"),
        ("track", "mission,\ncollision, record"),
    )  # fmt: skip
    for number, (name, text) in enumerate(boxes):
        left = 0.25 + 1.95 * number
        axis.add_patch(
            FancyBboxPatch((left, 1.05), 1.45, 1.35, boxstyle="round,pad=0.05", fc="#eef3fb", ec=BLUE)
        )
        axis.text(left + 0.72, 2.1, name, ha="center", va="center", weight="bold", color=INK, fontsize=11)
        axis.text(left + 0.72, 1.5, text, ha="center", va="center", color=SOFT, fontsize=8.5)
        if number < len(boxes) - 1:
            _arrow(axis, (left + 1.52, 1.75), (left + 1.9, 1.75))
    for start, end in (((8.8, 0.95), (8.8, 0.45)), ((8.8, 0.45), (0.97, 0.45)), ((0.97, 0.45), (0.97, 0.98))):
        _arrow(axis, start, end, head=end[1] > 0.9)
    axis.text(4.9, 0.2, "the new pose, 0.1 s later", ha="center", va="center", color=SOFT, fontsize=9)
    return figure


def _arrow(axis: Any, start: tuple[float, float], end: tuple[float, float], head: bool = True) -> None:
    axis.annotate("", end, start, arrowprops={"arrowstyle": "->" if head else "-", "color": BLUE, "lw": 1.4})


def speed_law() -> Figure:
    """How fast PX4 flies towards a waypoint it means to stop at."""
    figure = Figure(figsize=(5.4, 3.4), layout="constrained")
    axis = figure.add_subplot()
    ahead_m = np.linspace(0.0, 8.0, 200)
    for acceleration, jerk, colour in ((3.0, 4.0, BLUE),):
        b = 4.0 * acceleration**2 / jerk
        axis.plot(ahead_m, 0.5 * (-b + np.sqrt(b**2 + 8.0 * acceleration * ahead_m)), color=colour, lw=2.0)
        here = 0.5 * (-b + np.sqrt(b**2 + 8.0 * acceleration * 2.24))
    axis.plot([2.24], [here], "o", color=RED)
    axis.annotate(f"avoiding: 2.24 m ahead, {here:.1f} m/s", (2.24, here), xytext=(3.0, 0.75), color=RED,
                  arrowprops={"arrowstyle": "-", "color": RED})  # fmt: skip
    axis.set(xlabel="distance to the waypoint [m]", ylabel="speed limit [m/s]", xlim=(0, 8), ylim=(0, None))
    axis.set_title("The nearer the waypoint, the slower PX4 flies", fontsize=11)
    axis.grid(alpha=0.25)
    return figure


def reliability() -> Figure:
    """Predicted probability against what happened."""
    figure = Figure(figsize=(4.8, 4.2), layout="constrained")
    axis = figure.add_subplot()
    axis.plot([0, 1], [0, 1], ls="--", color=SOFT, lw=1.0, label="perfect")
    for (name, points), colour in zip(RELIABILITY.items(), (BLUE, "#d07a1f"), strict=True):
        predicted, observed, counts = np.array(points).T
        axis.plot(predicted, observed, color=colour, lw=1.4, label=name)
        axis.scatter(predicted, observed, s=14 + 0.25 * counts, color=colour, zorder=3)
    axis.set(
        xlabel="predicted failure probability",
        ylabel="share that failed",
        xlim=(-0.03, 1.03),
        ylim=(-0.03, 1.03),
    )
    axis.set_title("Predicted and observed share of failing tests", fontsize=11)
    axis.set_aspect("equal")
    axis.grid(alpha=0.25)
    axis.legend(frameon=False, fontsize=9)
    return figure


def scatter(folder: Path) -> Figure:
    """Predicted against measured distance."""
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    measured = np.array([row["measured_m"] for row in rows])
    predicted = np.array([row["predicted_m"] for row in rows])
    figure = Figure(figsize=(4.8, 4.4), layout="constrained")
    axis = figure.add_subplot()
    most = 6.0
    axis.plot([0, most], [0, most], ls="--", color=SOFT, lw=1.0)
    axis.axvline(SAFE_M, color=RED, lw=0.8)
    axis.axhline(SAFE_M, color=RED, lw=0.8)
    axis.scatter(measured, predicted, s=12, color=BLUE, alpha=0.6, linewidths=0)
    axis.text(most, SAFE_M, " 1.5 m is safe", color=RED, fontsize=8, ha="right", va="bottom")
    axis.set(xlabel="measured in PX4 + Gazebo [m]", ylabel="predicted [m]", xlim=(0, most), ylim=(0, most))
    axis.set_title("Least distance to an obstacle: predicted and measured", fontsize=11)
    axis.set_aspect("equal")
    axis.grid(alpha=0.25)
    return figure


def _save(figure: Figure, name: str) -> None:
    figure.savefig(IMAGES / name, dpi=110, metadata={"Software": None})
    print(f"wrote docs/images/{name}")


if __name__ == "__main__":
    sys.exit(main())
