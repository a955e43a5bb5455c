"""Exact distance from a point or a moving point to an obstacle, compiled.

"Between samples" means: the vehicle moves in a straight line from one sample to the next while the
obstacle follows its own motion. Seen from the obstacle that is again a straight line (the interval is
split where the obstacle starts, stops or turns round). The distance to a convex body along a straight
line is convex, so its minimum is where the slope changes sign: found exactly for boxes (the slope of
the squared distance is piecewise linear), by bisection to the last bit for round bodies.

Inside an obstacle the distance is 0. `horizontal` ignores height: distance to the footprint.
"""

from __future__ import annotations

import math

from numba import njit

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.world.layout import (
    BOX,
    COS_YAW,
    CX,
    CY,
    CYLINDER,
    CZ,
    HX,
    HY,
    HZ,
    LENGTH,
    MODE,
    POLYLINE_ONCE,
    SHAPE,
    SIN_YAW,
    SPEED,
    START,
    TO_X,
    TO_Y,
    TO_Z,
)
from uav_testgen.world.motion import centre_on_polyline, next_kink_s, travelled_fraction

Vector = tuple[float, float, float]

_BISECTIONS = 64


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _to_body(row: FloatArray, x: float, y: float, z: float, horizontal: bool) -> Vector:
    """A centre-relative vector in the obstacle's own axes; flattened if only the plan counts."""
    c, s = row[COS_YAW], row[SIN_YAW]
    return c * x + s * y, c * y - s * x, 0.0 if horizontal else z


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _excess(value: float, half: float) -> float:
    """How far a coordinate lies beyond ±half; 0 inside. NaN stays NaN."""
    beyond = abs(value) - half
    return 0.0 if beyond < 0.0 else beyond


@kernel
def body_distance(row: FloatArray, p: Vector, horizontal: bool) -> float:
    """Distance of a point given in the obstacle's own axes."""
    if row[SHAPE] == BOX:
        ex, ey, ez = _excess(p[0], row[HX]), _excess(p[1], row[HY]), _excess(p[2], row[HZ])
        return math.sqrt(ex * ex + ey * ey + ez * ez)
    if row[SHAPE] == CYLINDER:
        radial = _excess(math.sqrt(p[0] * p[0] + p[1] * p[1]), row[HX])
        vertical = 0.0 if horizontal else _excess(p[2], row[HZ])
        return math.sqrt(radial * radial + vertical * vertical)
    return float(_excess(math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), row[HX]))


@kernel
def point_distance(row: FloatArray, x: float, y: float, z: float, horizontal: bool) -> float:
    """Distance of a world point to one placed obstacle (its row at that instant)."""
    p = _to_body(row, x - row[CX], y - row[CY], z - row[CZ], horizontal)
    return float(body_distance(row, p, horizontal))


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _slope_term(position: float, rate: float, half: float) -> float:
    """Half the derivative of max(|position| - half, 0)²."""
    beyond = abs(position) - half
    if not beyond > 0.0:
        return 0.0
    return rate * beyond if position > 0.0 else -rate * beyond


@kernel
def _slope(row: FloatArray, a: Vector, d: Vector, share: float, horizontal: bool) -> float:
    """Half the derivative of the squared distance at a + share·d; never falls as the share grows."""
    x, y, z = a[0] + share * d[0], a[1] + share * d[1], a[2] + share * d[2]
    if row[SHAPE] == BOX:
        return float(
            _slope_term(x, d[0], row[HX]) + _slope_term(y, d[1], row[HY]) + _slope_term(z, d[2], row[HZ])
        )
    is_cylinder = row[SHAPE] == CYLINDER
    along = x * d[0] + y * d[1]
    square = x * x + y * y
    if not is_cylinder:
        along += z * d[2]
        square += z * z
    reach = math.sqrt(square)
    slope = (reach - row[HX]) * along / reach if reach > row[HX] else 0.0
    if is_cylinder and not horizontal:
        slope += _slope_term(z, d[2], row[HZ])
    return slope


@kernel
def _closest_share_to_box(row: FloatArray, a: Vector, d: Vector) -> float:
    """Walk along the kinks of the slope and interpolate linearly where it passes zero."""
    at, slope_at = 0.0, _slope(row, a, d, 0.0, False)
    while at < 1.0:
        following = 1.0
        for axis in range(3):
            if d[axis] == 0.0:
                continue
            for sign in (-1.0, 1.0):
                kink = (sign * row[HX + axis] - a[axis]) / d[axis]
                if at < kink < following:
                    following = kink
        slope_next = _slope(row, a, d, following, False)
        if slope_next >= 0.0:
            gain = slope_next - slope_at
            return at - slope_at * (following - at) / gain if gain > 0.0 else following
        at, slope_at = following, slope_next
    return 1.0


@kernel
def segment_distance(row: FloatArray, start: Vector, end: Vector, horizontal: bool) -> tuple[float, float]:
    """Least distance on a straight way, and the share of the way where it first occurs.

    `start` and `end` are world vectors relative to the obstacle's centre.
    """
    a = _to_body(row, start[0], start[1], start[2], horizontal)
    b = _to_body(row, end[0], end[1], end[2], horizontal)
    d = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    at_start = body_distance(row, a, horizontal)
    if not _slope(row, a, d, 0.0, horizontal) < 0.0:
        return at_start, 0.0
    if not _slope(row, a, d, 1.0, horizontal) > 0.0 and body_distance(row, b, horizontal) > 0.0:
        return body_distance(row, b, horizontal), 1.0
    if row[SHAPE] == BOX:
        share = _closest_share_to_box(row, a, d)
    else:
        low, share = 0.0, 1.0
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + share)
            if _slope(row, a, d, middle, horizontal) < 0.0:
                low = middle
            else:
                share = middle
    closest = (a[0] + share * d[0], a[1] + share * d[1], a[2] + share * d[2])
    return body_distance(row, closest, horizontal), share


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
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
        body = _to_body(row, p[0], p[1], p[2], horizontal)
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
