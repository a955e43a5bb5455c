"""Exact distance from a point or a moving point to an obstacle, compiled.

"Between samples" means: the vehicle moves in a straight line from one sample to the next while the
obstacle follows its own motion. Seen from the obstacle that is again a straight line (the interval is
split where the obstacle starts, stops or turns round), whose least distance `shape.compiled.choose` finds.

Inside an obstacle the distance is 0. `horizontal` ignores height: distance to the footprint.
"""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.shape.compiled.choose import body_distance, to_own_axes, way_distance
from uav_testgen.world.layout import (
    CX,
    CY,
    CZ,
    LENGTH,
    MODE,
    POLYLINE_ONCE,
    SPEED,
    START,
    TO_X,
    TO_Y,
    TO_Z,
)
from uav_testgen.world.motion import centre_on_polyline, next_kink_s, travelled_fraction

Vector = tuple[float, float, float]


@kernel
def point_distance(row: FloatArray, x: float, y: float, z: float, horizontal: bool) -> float:
    """Distance of a world point to one placed obstacle (its row at that instant)."""
    p = to_own_axes(row, x - row[CX], y - row[CY], z - row[CZ], horizontal)
    return float(body_distance(row, p, horizontal))


@kernel
def segment_distance(row: FloatArray, start: Vector, end: Vector, horizontal: bool) -> tuple[float, float]:
    """Least distance on a straight way, and the share of the way where it first occurs.

    `start` and `end` are world vectors relative to the obstacle's centre.
    """
    a = to_own_axes(row, start[0], start[1], start[2], horizontal)
    b = to_own_axes(row, end[0], end[1], end[2], horizontal)
    return way_distance(row, a, b, horizontal)  # type: ignore[no-any-return]


@inlined
def _relative(row: FloatArray, t_s: float, x: float, y: float, z: float) -> Vector:
    """A world point relative to where the (possibly moving) obstacle's centre is at time t."""
    if row[MODE] >= POLYLINE_ONCE:
        center = centre_on_polyline(row, t_s)
        return x - center[0], y - center[1], z - center[2]
    share = travelled_fraction(row[MODE], row[LENGTH], row[SPEED], row[START], t_s)
    return (
        x - (row[CX] + share * (row[TO_X] - row[CX])),
        y - (row[CY] + share * (row[TO_Y] - row[CY])),
        z - (row[CZ] + share * (row[TO_Z] - row[CZ])),
    )


@kernel
def sweep_distance(
    row: FloatArray, t0_s: float, p0: FloatArray, t1_s: float, p1: FloatArray, horizontal: bool
) -> tuple[float, float]:
    """Least distance while the vehicle goes from p0 (at t0) to p1 (at t1); and the first time it occurs."""
    best, best_s = math.inf, t0_s
    if not t0_s <= t1_s:  # NaN or a clock that runs backwards: no interval
        return best, best_s
    start = _relative(row, t0_s, p0[0], p0[1], p0[2])
    at_s = t0_s
    while True:
        until_s = min(next_kink_s(row, at_s), t1_s)
        if not until_s > at_s:
            until_s = t1_s
        if until_s >= t1_s:
            end = _relative(row, t1_s, p1[0], p1[1], p1[2])
        else:
            way = (until_s - t0_s) / (t1_s - t0_s)
            end = _relative(
                row,
                until_s,
                p0[0] + way * (p1[0] - p0[0]),
                p0[1] + way * (p1[1] - p0[1]),
                p0[2] + way * (p1[2] - p0[2]),
            )
        distance, share = segment_distance(row, start, end, horizontal)
        if distance < best:
            best, best_s = distance, at_s + share * (until_s - at_s)
        if until_s >= t1_s:
            return best, best_s
        start, at_s = end, until_s


@kernel
def trajectory_distance(
    row: FloatArray, t_s: FloatArray, positions: FloatArray, horizontal: bool
) -> tuple[float, float]:
    """Least distance over a whole trajectory, samples and what lies between, and the first time it occurs.

    (inf, nan) for a trajectory without samples. Samples with NaN are passed over.
    """
    best, best_s = math.inf, math.nan
    n = t_s.shape[0]
    for k in range(n):
        p = _relative(row, t_s[k], positions[k, 0], positions[k, 1], positions[k, 2])
        body = to_own_axes(row, p[0], p[1], p[2], horizontal)
        distance = body_distance(row, body, horizontal)
        if distance < best:
            best, best_s = distance, t_s[k]
        if k + 1 < n:
            # The obstacle or the vehicle must cover the difference: skip intervals that cannot win.
            way = 0.0
            for axis in range(2 if horizontal else 3):
                way += (positions[k + 1, axis] - positions[k, axis]) ** 2
            reach = math.sqrt(way) + row[SPEED] * (t_s[k + 1] - t_s[k])
            if distance - reach <= best:
                distance, when_s = sweep_distance(
                    row, t_s[k], positions[k], t_s[k + 1], positions[k + 1], horizontal
                )
                if distance < best:
                    best, best_s = distance, when_s
    return best, best_s
