"""Pictures of a comparison: predicted against measured distance, reliability, paths laid over each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from uav_testgen.core.errors import StoreError
from uav_testgen.fidelity.flown import FlownRecord
from uav_testgen.scenario.footprint import footprint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LARGEST_M = 7.0
_OVERLAYS = 12


def write_plots(folder: Path, predictions: Sequence[FlownRecord], summary: dict[str, Any]) -> list[Path]:
    """scatter.png, reliability.png, overlay.png; returns what was written."""
    import matplotlib

    matplotlib.use("Agg")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = [
            _scatter(folder / "scatter.png", predictions),
            _reliability(folder / "reliability.png", summary),
        ]
        with_path = [p for p in predictions if len(p.record.path_txyz) >= 10]
        if with_path:
            written.append(_overlay(folder / "overlay.png", with_path))
    except OSError as error:
        raise StoreError(f"{folder}: plots cannot be written ({error.strerror})") from None
    return written


def _scatter(path: Path, predictions: Sequence[FlownRecord]) -> Path:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 7), layout="constrained")
    for source in sorted({p.record.source for p in predictions}):
        group = [p for p in predictions if p.record.source == source]
        axes.scatter(
            [min(p.record.distance_m, _LARGEST_M) for p in group],
            [min(p.distance_m, _LARGEST_M) for p in group],
            s=14, alpha=0.7, label=f"{source} ({len(group)})",
        )  # fmt: skip
    axes.plot([0, _LARGEST_M], [0, _LARGEST_M], color="black", linewidth=0.8)
    for limit in (1.0, 1.5):
        axes.axvline(limit, color="grey", linestyle=":", linewidth=0.8)
        axes.axhline(limit, color="grey", linestyle=":", linewidth=0.8)
    axes.set(
        xlabel="measured least distance [m]", ylabel="predicted least distance [m]",
        xlim=(-0.1, _LARGEST_M + 0.1), ylim=(-0.1, _LARGEST_M + 0.1), aspect="equal",
        title=f"{len(predictions)} flights; farther than {_LARGEST_M:.0f} m drawn at the border",
    )  # fmt: skip
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path


def _reliability(path: Path, summary: dict[str, Any]) -> Path:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5, 5), layout="constrained")
    rows = [row for row in summary["reliability"] if row["n"]]
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    axes.plot([row["predicted"] for row in rows], [row["observed"] for row in rows], marker="o")
    for row in rows:
        axes.annotate(f"n={row['n']}", (row["predicted"], row["observed"]), fontsize=8,
                      textcoords="offset points", xytext=(5, -10))  # fmt: skip
    axes.set(
        xlabel="predicted probability of less than 1.5 m", ylabel="observed share", xlim=(0, 1), ylim=(0, 1),
        title="Predicted and observed share of failing flights",
    )  # fmt: skip
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path


def _overlay(path: Path, predictions: Sequence[FlownRecord]) -> Path:
    """Flights spread evenly over the order of their error, so good and bad ones are shown."""
    import matplotlib.pyplot as plt

    ordered = sorted(predictions, key=lambda p: abs(p.distance_m - p.record.distance_m))
    chosen = [ordered[i] for i in np.unique(np.linspace(0, len(ordered) - 1, _OVERLAYS).astype(int))]
    columns = 4
    rows = -(-len(chosen) // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(3.2 * columns, 3.4 * rows), squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(chosen) :]:
        axes.set_axis_off()
    for axes, prediction in zip(grid.flat, chosen, strict=False):
        _draw_flight(axes, prediction)
    grid.flat[0].legend(fontsize=9)
    figure.suptitle(f"{len(chosen)} flights, from the best predicted distance to the worst")
    figure.savefig(path, dpi=100)
    plt.close(figure)
    return path


def _draw_flight(axes: Axes, prediction: FlownRecord) -> None:
    record = prediction.record
    for obstacle in record.scenario.obstacles:
        outline = np.array(footprint(obstacle).exterior.coords)
        axes.fill(outline[:, 0], outline[:, 1], color="0.75")
    route = np.array(record.scenario.mission.route_enu_m)
    axes.plot(route[:, 0], route[:, 1], color="0.6", linestyle="--", linewidth=0.8)
    axes.plot(record.path_txyz[:, 1], record.path_txyz[:, 2], color="black", linewidth=1.2, label="recorded")
    axes.plot(prediction.path_txyz[:, 1], prediction.path_txyz[:, 2], color="tab:red", linewidth=1.2,
              label="predicted")  # fmt: skip
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="east [m]", ylabel="north [m]")
    title = f"{record.id}\nmeasured {record.distance_m:.2f} m, predicted {prediction.distance_m:.2f} m"
    axes.set_title(title, fontsize=9)
