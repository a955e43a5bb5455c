"""Parts of a ray: between which depths it is inside a slab or a circle.

A ray is origin + depth·direction. Every comparison is written so that NaN gives "nowhere". The operations and
their order are part of every result.
"""

from __future__ import annotations

import math

from uav_testgen.core.kernel import inlined

Interval = tuple[float, float]


@inlined
def slab_interval(offset: float, direction: float, half: float) -> Interval:
    """Depths between which |offset + depth·direction| <= half; (inf, -inf) if nowhere."""
    low = (-half - offset) / direction
    high = (half - offset) / direction
    enter = low if low < high else high
    leave = high if low < high else low
    # Selections instead of branches: loops over pixels become vector code.
    inside = (offset >= -half) & (offset <= half)
    parallel = direction == 0.0
    enter = (-math.inf if inside else math.inf) if parallel else enter
    leave = (math.inf if inside else -math.inf) if parallel else leave
    return enter, leave


@inlined
def circle_interval(ox: float, oy: float, dx: float, dy: float, radius: float) -> Interval:
    """Depths between which the horizontal part of a ray is inside a circle about the origin."""
    a = dx * dx + dy * dy
    cross = ox * dy - oy * dx
    discriminant = a * (radius * radius) - cross * cross
    root = math.sqrt(discriminant if discriminant > 0.0 else 0.0)
    along = ox * dx + oy * dy
    enter = (-along - root) / a
    leave = (-along + root) / a
    if a == 0.0:
        inside = ox * ox + oy * oy <= radius * radius
        enter = -math.inf if inside else math.inf
        leave = math.inf if inside else -math.inf
    elif not discriminant >= 0.0:
        enter, leave = math.inf, -math.inf
    return enter, leave


@inlined
def excess(value: float, half: float) -> float:
    """How far a coordinate lies beyond ±half; 0 inside. NaN stays NaN."""
    beyond = abs(value) - half
    return 0.0 if beyond < 0.0 else beyond


@inlined
def slope_term(position: float, rate: float, half: float) -> float:
    """Half the derivative of max(|position| - half, 0)²."""
    beyond = abs(position) - half
    if not beyond > 0.0:
        return 0.0
    return rate * beyond if position > 0.0 else -rate * beyond
