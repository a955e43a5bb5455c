"""Thinning a trajectory the way Aerialist does: one averaged point per half second.

A period holds the samples later than its start up to and including its end; the very first sample
belongs to the first period. Periods without samples leave no point.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.model import Trajectory

AERIALIST_PERIOD_S = 0.5


def period_averages(
    t_s: FloatArray, values: FloatArray, period_s: float = AERIALIST_PERIOD_S
) -> tuple[FloatArray, FloatArray]:
    """Mean time and mean row of every period that holds a sample."""
    if len(t_s) == 0:
        return t_s.copy(), values.copy()
    # Whole microseconds, because a sample that lies on a border must not fall to either side by rounding.
    elapsed_us = np.rint((t_s - t_s[0]) * 1e6).astype(np.int64)
    period_us = max(round(period_s * 1e6), 1)
    period = np.maximum(-(-elapsed_us // period_us) - 1, 0)
    starts = np.flatnonzero(np.r_[True, np.diff(period) > 0])
    counts = np.diff(np.r_[starts, len(t_s)])
    mean_t = np.add.reduceat(t_s, starts) / counts
    mean_values = np.add.reduceat(values, starts, axis=0) / counts[:, np.newaxis]
    return mean_t, mean_values


def resampled(trajectory: Trajectory, period_s: float = AERIALIST_PERIOD_S) -> Trajectory:
    """The trajectory as averaged points; yaw is averaged on the unwrapped angle."""
    rows = np.column_stack(
        [trajectory.position_enu_m, trajectory.velocity_enu_mps, np.unwrap(trajectory.yaw_rad)]
    )
    t_s, mean = period_averages(trajectory.t_s, rows, period_s)
    return Trajectory(t_s, mean[:, :3], mean[:, 3:6], mean[:, 6])


def thinned(points: FloatArray, at_most: int) -> FloatArray:
    """At most that many points, evenly spaced by index, first and last kept."""
    if len(points) <= at_most:
        return points
    return np.asarray(points[np.rint(np.linspace(0, len(points) - 1, at_most)).astype(np.int64)])
