"""Polygons in place of circles, for the surfaces of round bodies."""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.arrays import FloatArray

FEWEST_SEGMENTS, MOST_SEGMENTS = 24, 512


def segments(radius_m: float, tolerance_m: float) -> int:
    """Sides of a polygon whose corners stand out from the circle by less than the tolerance."""
    needed = math.pi / math.sqrt(2.0 * tolerance_m / max(radius_m, 1e-9))
    return int(min(max(math.ceil(needed), FEWEST_SEGMENTS), MOST_SEGMENTS))


def ring(radius: float, count: int) -> FloatArray:
    """Corners (count, 2) of a regular polygon."""
    angle = 2.0 * np.pi * np.arange(count) / count
    return np.asarray(radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))
