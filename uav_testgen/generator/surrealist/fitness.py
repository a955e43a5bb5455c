"""What the search maximises: likeness to a recorded flight, or nearness to obstacles. Higher is better.

Both look at a flight as Aerialist does, as one averaged point per half second. So the sums are on the
scale of the paper's tables.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.resample import resampled
from uav_testgen.flight.similarity import dtw_m
from uav_testgen.scenario.model import Scenario
from uav_testgen.world.scene import Scene

Variable = str
"""A name of `flight.series.UNITS`."""


def series(trajectory: Trajectory, variable: Variable) -> FloatArray:
    """What is compared: positions (n, 3), or horizontal and vertical speed (n, 2)."""
    points = resampled(trajectory)
    if variable == "trajectory":
        return np.asarray(points.position_enu_m)
    velocity = points.velocity_enu_mps
    return np.column_stack([np.hypot(velocity[:, 0], velocity[:, 1]), velocity[:, 2]])


def likeness(target: FloatArray, flown: FloatArray) -> float:
    """Replication: minus the DTW distance to the target."""
    return -dtw_m(target, flown)


def distances(scenario: Scenario, trajectory: Trajectory) -> tuple[float, float]:
    """(sum_dist, min_dist) of equation 2 in metres; the scenario has an obstacle, the flight a point."""
    points = resampled(trajectory)
    scene = Scene.of(scenario)
    if any(obstacle.motion is not None for obstacle in scenario.obstacles):
        pairs = zip(points.position_enu_m, points.t_s, strict=True)
        table = np.vstack([scene.distances_m(point, float(t_s)) for point, t_s in pairs])
    else:
        table = scene.distances_m(points.position_enu_m, 0.0)
    return float(table.sum(axis=1).min()), float(table.min())


def danger(scenario: Scenario, trajectory: Trajectory) -> float:
    """Generation: minus (sum_dist + 2 min_dist)."""
    sum_m, min_m = distances(scenario, trajectory)
    return -(sum_m + 2.0 * min_m)


def most_dangerous(scenario: Scenario, runs: Sequence[Trajectory]) -> int:
    """Index of the run with the worst outcome: what stands for a test that is flown several times."""
    return int(np.argmax([danger(scenario, run) for run in runs]))
