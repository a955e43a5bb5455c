"""What every shape tells about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray

Size = tuple[float, float, float]
Place = tuple[float, float]
Corner = tuple[float, float, float]
Triangle = tuple[Corner, Corner, Corner]
Triangles = tuple[Triangle, ...]
"""Corners of a mesh in shares of its half sizes, -1 to 1; empty for every other shape."""

SMALLEST_M, LARGEST_M = 0.0, 1000.0


class Mesh(NamedTuple):
    """Vertices (n, 3) [m] and triangles (m, 3) whose normals point outwards."""

    vertices: FloatArray
    triangles: NDArray[np.uint32]


class Outline(NamedTuple):
    """The footprint in the obstacle's own axes about its centre: a circle, or the union of convex polygons."""

    radius_m: float | None
    pieces: tuple[tuple[Place, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """All that other rooms ask of a shape; compiled code asks `shape.compiled.choose`."""

    word: str
    sides: tuple[tuple[str, tuple[int, ...]], ...]
    """The sizes that can be chosen, and which of the extents x, y, z each of them sets."""
    turns: bool
    """Whether its heading makes a difference."""
    may_float: bool
    """Whether a logical scenario may hang it into the air."""
    outline: Callable[[Size, Triangles], Outline]
    mesh: Callable[[Size, Triangles, float], Mesh]
    """Surface about the centre, unturned; round bodies lie inside of it, by no more than a tolerance [m]."""
    distance: Callable[[FloatArray, Size, Triangles, bool], FloatArray]
    """Of points in the obstacle's own axes, in NumPy: the readable twin of the compiled formula."""

    def size_fault(self, size_m: Size) -> str | None:
        """What is wrong with these extents; None if they can be its own."""
        if min(size_m) <= SMALLEST_M or max(size_m) > LARGEST_M:
            return f"every size must be > {SMALLEST_M:g} m and <= {LARGEST_M:g} m"
        for name, axes in self.sides:
            if len({size_m[axis] for axis in axes}) > 1:
                which = "three equal sizes" if len(axes) == 3 else "equal x and y sizes"
                return f"a {self.word} needs {which} (its {name})"
        return None

    def with_sides(self, *values: float) -> Size:
        """The extents of a body whose sides have these sizes, in the order of `sides`."""
        size = [0.0, 0.0, 0.0]
        for (_, axes), value in zip(self.sides, values, strict=True):
            for axis in axes:
                size[axis] = value
        return (size[0], size[1], size[2])
