"""`gate`: two posts and a lintel. Also the example to start a form of one's own from."""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray

_BAR_SHARE = 0.9


def gate(
    width_m: float = 10.0, height_m: float = 12.0, depth_m: float = 2.0, bar_m: float = 1.5
) -> FloatArray:
    """A gate that stands across x, its opening along y: posts and lintel are `bar_m` thick."""
    if not (0.0 < bar_m < _BAR_SHARE * 0.5 * width_m and bar_m < _BAR_SHARE * height_m and depth_m > 0.0):
        raise ValueError("bar_m must be positive and leave an opening in width_m and height_m")
    outer, inner, below = 0.5 * width_m, 0.5 * width_m - bar_m, height_m - bar_m
    # The front as a polygon, counter-clockwise, cut into convex parts that share whole edges.
    front = [(-outer, 0.0), (-inner, 0.0), (-inner, below), (inner, below), (inner, 0.0), (outer, 0.0),
             (outer, height_m), (-outer, height_m)]  # fmt: skip
    parts = [(0, 1, 2), (0, 2, 7), (7, 2, 3), (7, 3, 6), (6, 3, 5), (5, 3, 4)]
    near = [(x, -0.5 * depth_m, z) for x, z in front]
    far = [(x, 0.5 * depth_m, z) for x, z in front]
    triangles = [(near[a], near[b], near[c]) for a, b, c in parts]
    triangles += [(far[c], far[b], far[a]) for a, b, c in parts]
    for k in range(len(front)):
        after = (k + 1) % len(front)
        triangles += [(near[k], far[after], near[after]), (near[k], far[k], far[after])]
    return np.array(triangles)
