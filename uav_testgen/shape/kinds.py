"""The kinds of obstacles: by word in files, by number in compiled code."""

from __future__ import annotations

from enum import Enum


class Shape(str, Enum):
    """Form of an obstacle. Cylinders stand upright; a mesh is a closed surface of triangles."""

    BOX = "box"
    CYLINDER = "cylinder"
    SPHERE = "sphere"
    MESH = "mesh"


BOX, CYLINDER, SPHERE, MESH = 0.0, 1.0, 2.0, 3.0
"""Column SHAPE of a packed obstacle."""

KIND_OF = {Shape.BOX: BOX, Shape.CYLINDER: CYLINDER, Shape.SPHERE: SPHERE, Shape.MESH: MESH}
SHAPE_OF = {kind: shape for shape, kind in KIND_OF.items()}
