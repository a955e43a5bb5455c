"""Pictures of tests, drawn by the server: no plotting library is needed. Python 3.8."""

import os

from .._outside import client, config
from . import file_helper
from .trajectory import Trajectory

_drawn = [0]


class Plot(object):
    """Draws tests and trajectories."""

    DIR = config("RESULTS_DIR", default="results/")

    @classmethod
    def plot_test(cls, test, results, obstacle_distance=True, filename=None):
        """Draw the results of a test; returns the file."""
        obstacles = test.simulation.obstacles if test.simulation is not None else None
        return cls.plot_trajectory(
            [result.record for result in results], obstacles=obstacles, filename=filename
        )

    @classmethod
    def plot_trajectory(
        cls, trajectories, goal=None, save=True, distance=None, highlights=None, obstacles=None, file_prefix="",
        ave_trajectory=None, filename=None, waypoints=None, gap=None
    ):  # fmt: skip
        """Draw trajectories; returns the file."""
        return draw(trajectories, obstacles or [], cls.DIR, file_prefix, filename)


def draw(trajectories, obstacles, folder, prefix, filename):
    """One picture; returns its file."""
    if filename is None:
        _drawn[0] += 1
        number = "-{}-{}".format(os.getpid(), _drawn[0])
        filename = (prefix or "") + file_helper.time_filename(add_host=True) + number
    path = os.path.join(folder, filename + ".png")
    title = ""
    if obstacles:
        near = min(one.min_distance_to_obstacles(obstacles) for one in trajectories)
        title = "distance: {:.2f} m".format(near)
    tables = [
        [[p.timestamp / 1e6, p.x, p.y, p.z, p.r or 0.0] for p in one.positions]
        for one in trajectories
        if isinstance(one, Trajectory)
    ]
    outlines = [[list(point[:2]) for point in o.geometry.exterior.coords] for o in obstacles]
    client.ask("plot", path=path, data={"trajectories": tables, "obstacles": outlines, "title": title})
    return path
