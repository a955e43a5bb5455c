"""A sphere, compiled: distance, slope of the distance, ray."""

from __future__ import annotations

import math

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.shape.base import Corner
from uav_testgen.shape.compiled.interval import excess


@kernel
def sphere_distance(x: float, y: float, z: float, radius: float) -> float:
    """Distance of a point from a sphere about the origin; 0 inside."""
    return float(excess(math.sqrt(x * x + y * y + z * z), radius))


@kernel
def sphere_slope(p: Corner, d: Corner, radius: float) -> float:
    """Half the derivative of the squared distance of a point at p that moves by d."""
    along = p[0] * d[0] + p[1] * d[1] + p[2] * d[2]
    reach = math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    return (reach - radius) * along / reach if reach > radius else 0.0


@inlined
def sphere_entry(ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, radius: float) -> float:
    """Depth at which a ray enters a sphere about the origin."""
    a = dx * dx + dy * dy + dz * dz
    kx = oy * dz - oz * dy
    ky = oz * dx - ox * dz
    kz = ox * dy - oy * dx
    discriminant = a * (radius * radius) - (kx * kx + ky * ky + kz * kz)
    root = math.sqrt(discriminant if discriminant > 0.0 else 0.0)
    entry = (-(ox * dx + oy * dy + oz * dz) - root) / a
    return entry if discriminant >= 0.0 else math.inf
