"""Triangle meshes of the packed world, for ray casting and for display.

Each shape's module makes its own. Round bodies are circumscribed: the mesh contains the body, so no ray that
meets the body misses the mesh. All triangles are wound so that their normals point outwards.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.shape.base import Mesh
from uav_testgen.shape.forms import FORMS
from uav_testgen.world.layout import COS_YAW, GRID_CELL, GRID_X, GRID_Y, GROUND_Z, SIN_YAW
from uav_testgen.world.scene import body_of
from uav_testgen.world.terrain import Ground

PLANE_HALF_SIZE_M = 500.0


def obstacle_mesh(row: FloatArray, tolerance_m: float) -> Mesh:
    """Mesh about the obstacle's centre, turned by its yaw; round bodies stay within the tolerance."""
    shape, size_m, triangles = body_of(row)
    mesh = FORMS[shape].mesh(size_m, triangles, tolerance_m)
    c, s = row[COS_YAW], row[SIN_YAW]
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return Mesh(mesh.vertices @ turn.T, mesh.triangles)


def ground_mesh(ground: Ground, centre_m: tuple[float, float]) -> Mesh:
    """The plane as a large square about `centre_m`, or the height grid with two triangles per cell.

    Triangles 2k and 2k + 1 belong to cell k (row-major): south-east first, then north-west.
    """
    if not ground.has_grid:
        x, y = centre_m
        size, z = PLANE_HALF_SIZE_M, float(ground.vector[GROUND_Z])
        corners = [
            (x - size, y - size, z),
            (x + size, y - size, z),
            (x + size, y + size, z),
            (x - size, y + size, z),
        ]
        return Mesh(np.array(corners), np.array([(0, 1, 2), (0, 2, 3)], dtype=np.uint32))
    rows, columns = ground.heights.shape
    x0, y0, cell = ground.vector[GRID_X], ground.vector[GRID_Y], ground.vector[GRID_CELL]
    grid_x, grid_y = np.meshgrid(x0 + cell * np.arange(columns), y0 + cell * np.arange(rows))
    vertices = np.stack([grid_x.ravel(), grid_y.ravel(), ground.heights.ravel()], axis=1)
    south_west = (np.arange(rows - 1)[:, np.newaxis] * columns + np.arange(columns - 1)).ravel()
    south_east, north_west = south_west + 1, south_west + columns
    north_east = north_west + 1
    lower = np.stack([south_west, south_east, north_east], axis=1)
    upper = np.stack([south_west, north_east, north_west], axis=1)
    triangles = np.stack([lower, upper], axis=1).reshape(-1, 3)
    return Mesh(vertices, triangles.astype(np.uint32))
