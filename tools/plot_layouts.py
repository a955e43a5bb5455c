"""Draw proposals on every shipped mission: `python tools/plot_layouts.py OUT.png [GENERATOR] [SEED]`.

The map is in Aerialist's test frame (x north to the right, y east upwards), as the paper and the
competition draw it.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Polygon, Rectangle

from uav_testgen.generator.registry import build_generator
from uav_testgen.scenario.footprint import outline_places
from uav_testgen.scenario.formats.missions import mission_names, named_mission
from uav_testgen.scenario.model import Scenario

PER_MISSION = 3


def main() -> int:
    """One row per mission, one column per proposal."""
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    name = sys.argv[2] if len(sys.argv) > 2 else "prgen"
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    missions = mission_names()
    figure, axes = plt.subplots(PER_MISSION, len(missions), figsize=(4.2 * len(missions), 3.6 * PER_MISSION))
    for column, mission in enumerate(missions):
        base = Scenario(mission=named_mission(mission))
        for row, scenario in enumerate(build_generator(name, base, seed=seed).ask(PER_MISSION)):
            draw(axes[row][column], scenario)
            axes[row][column].set_title(f"{mission} {scenario.name}", fontsize=8)
    figure.tight_layout()
    figure.savefig(Path(sys.argv[1]), dpi=70)
    return 0


def draw(axis, scenario: Scenario) -> None:
    """Area, route with arrows, obstacles."""
    arena = scenario.arena
    size = (arena.east_max_m - arena.east_min_m, arena.north_max_m - arena.north_min_m)
    axis.add_patch(Rectangle((arena.east_min_m, arena.north_min_m), *size, fill=False, color="tab:green"))
    route = scenario.mission.route_enu_m
    for start, end in pairwise(route):
        arrow = {"arrowstyle": "->", "color": "tab:blue"}
        axis.annotate("", end[:2], start[:2], arrowprops=arrow)
    for obstacle in scenario.obstacles:
        corners = outline_places(obstacle)
        axis.add_patch(Polygon(corners, color="tab:red" if "first" in obstacle.name else "tab:orange"))
    axis.set_xlim(-5, 65)
    axis.set_ylim(-45, 50)
    axis.set_aspect("equal")


if __name__ == "__main__":
    sys.exit(main())
