"""Meshes of worlds as Wavefront OBJ files: landforms, and obstacles that are meshes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from uav_testgen.core.errors import InputFileError
from uav_testgen.core.files import read_regular
from uav_testgen.scenario.logical.landform import landform_height
from uav_testgen.scenario.model import Scenario
from uav_testgen.shape.base import Triangles
from uav_testgen.shape.mesh import MOST_TRIANGLES

_MARGIN_M = 50.0
_SMALLEST_CELL_M = 1.0
_MOST_CELLS = 120
_MOST_BYTES = 8 * 1024 * 1024


def obj_of_triangles(triangles: Triangles) -> str:
    """Corners in shares of the half sizes (-1 to 1); the world scales them."""
    lines = ["o obstacle"]
    for triangle in triangles:
        lines += [f"v {' '.join(repr(float(value)) for value in corner)}" for corner in triangle]
    lines += [f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}" for k in range(len(triangles))]
    return "\n".join(lines) + "\n"


def triangles_of_obj(path: Path) -> Triangles:
    """Triangles of an OBJ file; InputFileError where it holds anything but a few of them."""
    try:
        text = read_regular(path, _MOST_BYTES).decode("utf-8")
        rows = [line.split() for line in text.splitlines()]
        corners = [tuple(float(word) for word in row[1:4]) for row in rows if row[:1] == ["v"]]
        faces = [[int(word.split("/")[0]) for word in row[1:]] for row in rows if row[:1] == ["f"]]
        if not 0 < len(faces) <= MOST_TRIANGLES or any(len(face) != 3 for face in faces):
            raise ValueError(f"1 to {MOST_TRIANGLES} triangles are expected")
        if any(not 1 <= index <= len(corners) for face in faces for index in face):
            raise ValueError("a face names a corner that is not there")
        return tuple(tuple(corners[index - 1] for index in face) for face in faces)  # type: ignore[misc]
    except ValueError as error:
        raise InputFileError(f"{path}: not a mesh that can be read ({str(error)[:120]})") from None


def obj_of_ground(scenario: Scenario) -> str:
    """The landform below everything that is flown and 50 m round it, in metres, ENU."""
    terrain = scenario.terrain
    points = [point[:2] for point in scenario.mission.route_enu_m]
    points += [corner[:2] for obstacle in scenario.obstacles for corner in obstacle.way_enu_m]
    east, north = terrain.center_enu_m
    reach_m = terrain.radius_m
    points += [(east - reach_m, north - reach_m), (east + reach_m, north + reach_m)]
    low = np.min(points, axis=0) - _MARGIN_M
    high = np.max(points, axis=0) + _MARGIN_M
    cell_m = max(_SMALLEST_CELL_M, float(np.max(high - low)) / _MOST_CELLS)
    x = np.arange(low[0], high[0] + cell_m, cell_m)
    y = np.arange(low[1], high[1] + cell_m, cell_m)
    grid_x, grid_y = np.meshgrid(x, y)
    height = landform_height(terrain, grid_x, grid_y)
    lines = ["o ground"]
    lines += [
        f"v {a:.3f} {b:.3f} {c:.3f}"
        for a, b, c in zip(grid_x.ravel(), grid_y.ravel(), height.ravel(), strict=True)
    ]
    columns = len(x)
    for row in range(len(y) - 1):
        for column in range(columns - 1):
            one = row * columns + column + 1
            lines.append(f"f {one} {one + 1} {one + columns + 1}")
            lines.append(f"f {one} {one + columns + 1} {one + columns}")
    return "\n".join(lines) + "\n"
