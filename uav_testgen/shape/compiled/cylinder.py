"""An upright cylinder, compiled: distance, slope of the distance, ray."""

from __future__ import annotations

import math

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.shape.base import Corner
from uav_testgen.shape.compiled.interval import circle_interval, excess, slab_interval, slope_term


@kernel
def cylinder_distance(x: float, y: float, z: float, radius: float, hz: float, horizontal: bool) -> float:
    """Distance of a point from a cylinder about the origin; 0 inside."""
    radial = excess(math.sqrt(x * x + y * y), radius)
    vertical = 0.0 if horizontal else excess(z, hz)
    return math.sqrt(radial * radial + vertical * vertical)


@kernel
def cylinder_slope(p: Corner, d: Corner, radius: float, hz: float, horizontal: bool) -> float:
    """Half the derivative of the squared distance of a point at p that moves by d."""
    along = p[0] * d[0] + p[1] * d[1]
    reach = math.sqrt(p[0] * p[0] + p[1] * p[1])
    slope = (reach - radius) * along / reach if reach > radius else 0.0
    if not horizontal:
        slope += slope_term(p[2], d[2], hz)
    return slope


@inlined
def cylinder_entry(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, radius: float, hz: float
) -> float:
    """Depth at which a ray enters an upright cylinder about the origin."""
    enter, leave = circle_interval(ox, oy, dx, dy, radius)
    enter_z, leave_z = slab_interval(oz, dz, hz)
    enter = enter_z if enter_z > enter else enter
    leave = leave_z if leave_z < leave else leave
    return enter if enter <= leave else math.inf
