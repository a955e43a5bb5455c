"""float32 arctangent and arcsine of the C library, element by element.

NumPy picks an implementation by the model of the processor, and on machines with AVX-512 its float32 results
differ from the C library's in the last bit. The recorded planner used the C library; so does this.
"""

from __future__ import annotations

import math

from numba import vectorize


@vectorize(["float32(float32, float32)"], cache=True)
def arctan2(y, x):  # type: ignore[no-untyped-def]
    """Angle of (x, y) in [-pi, pi]."""
    return math.atan2(y, x)


@vectorize(["float32(float32)"], cache=True)
def arcsin(sine):  # type: ignore[no-untyped-def]
    """Angle in [-pi/2, pi/2] of a sine."""
    return math.asin(sine)
