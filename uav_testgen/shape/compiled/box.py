"""A box, compiled: distance, slope of the distance, ray."""

from __future__ import annotations

import math

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.shape.base import Corner
from uav_testgen.shape.compiled.interval import excess, slab_interval, slope_term


@kernel
def box_distance(x: float, y: float, z: float, hx: float, hy: float, hz: float) -> float:
    """Distance of a point in the box's own axes; 0 inside."""
    ex, ey, ez = excess(x, hx), excess(y, hy), excess(z, hz)
    return math.sqrt(ex * ex + ey * ey + ez * ez)


@kernel
def box_slope(p: Corner, d: Corner, hx: float, hy: float, hz: float) -> float:
    """Half the derivative of the squared distance of a point at p that moves by d."""
    return float(slope_term(p[0], d[0], hx) + slope_term(p[1], d[1], hy) + slope_term(p[2], d[2], hz))


@kernel
def box_closest_share(a: Corner, d: Corner, half: Corner) -> float:
    """Share of the way from a to a + d where it is closest, if its slope changes sign on it.

    The slope is piecewise linear: walk along its kinks and interpolate where it passes zero.
    """
    at, slope_at = 0.0, box_slope(a, d, half[0], half[1], half[2])
    while at < 1.0:
        following = 1.0
        for axis in range(3):
            if d[axis] == 0.0:
                continue
            for sign in (-1.0, 1.0):
                kink = (sign * half[axis] - a[axis]) / d[axis]
                if at < kink < following:
                    following = kink
        there = (a[0] + following * d[0], a[1] + following * d[1], a[2] + following * d[2])
        slope_next = box_slope(there, d, half[0], half[1], half[2])
        if slope_next >= 0.0:
            gain = slope_next - slope_at
            return at - slope_at * (following - at) / gain if gain > 0.0 else following
        at, slope_at = following, slope_next
    return 1.0


@inlined
def box_entry(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, hx: float, hy: float, hz: float
) -> float:
    """Depth at which a ray enters an axis-parallel box about the origin."""
    enter, leave = slab_interval(ox, dx, hx)
    enter_y, leave_y = slab_interval(oy, dy, hy)
    enter_z, leave_z = slab_interval(oz, dz, hz)
    enter = enter_y if enter_y > enter else enter
    leave = leave_y if leave_y < leave else leave
    enter = enter_z if enter_z > enter else enter
    leave = leave_z if leave_z < leave else leave
    return enter if enter <= leave else math.inf
