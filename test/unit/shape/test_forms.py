"""Every shape is in every table, and a kind that nobody knows is an error everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from uav_testgen.scenario.model import Obstacle
from uav_testgen.sensing.analytic import image_scratch, render_depth
from uav_testgen.sensing.camera import CameraConfig, pack_camera
from uav_testgen.shape.compiled.choose import body_distance, obstacle_entry
from uav_testgen.shape.forms import FORMS
from uav_testgen.shape.kinds import KIND_OF, SHAPE_OF, Shape
from uav_testgen.shape.row import SHAPE
from uav_testgen.testing.factories import TETRAHEDRON, make_box
from uav_testgen.world.packed import pack_obstacle
from uav_testgen.world.scene import body_of
from uav_testgen.world.terrain import flat_ground


def test_every_shape_is_in_every_table() -> None:
    assert set(FORMS) == set(KIND_OF) == set(Shape)
    assert {SHAPE_OF[kind] for kind in KIND_OF.values()} == set(Shape)


@pytest.mark.parametrize("shape", list(Shape))
def test_sides_set_every_extent_once(shape: Shape) -> None:
    axes = [axis for _, each in FORMS[shape].sides for axis in each]
    assert sorted(axes) == [0, 1, 2]
    sizes = range(3, 3 + len(FORMS[shape].sides))
    assert FORMS[shape].size_fault(FORMS[shape].with_sides(*map(float, sizes))) is None


@pytest.mark.parametrize("shape", list(Shape))
def test_the_surface_is_closed_and_holds_the_body(shape: Shape) -> None:
    form = FORMS[shape]
    size = form.with_sides(*([4.0, 5.0, 6.0][: len(form.sides)]))
    triangles = TETRAHEDRON if shape is Shape.MESH else ()
    mesh = form.mesh(size, triangles, 0.01)
    edges = {(int(one[k]), int(one[(k + 1) % 3])) for one in mesh.triangles for k in range(3)}
    assert edges == {(b, a) for a, b in edges}
    assert np.all(mesh.vertices.max(axis=0) >= 0.5 * np.array(size) - 1e-9)
    away = form.distance(mesh.vertices, size, triangles, False)
    assert away.max() < 0.3 and away.min() >= 0.0


@pytest.mark.parametrize(
    ("shape", "size", "complaint"),
    [
        ("cylinder", (2.0, 3.0, 4.0), "equal x and y sizes"),
        ("sphere", (2.0, 2.0, 4.0), "three equal sizes"),
        ("box", (2.0, 0.0, 4.0), "> 0 m"),
        ("mesh", (2.0, 2.0, 4.0), "4 to 1000 triangles"),
        ("pyramid", (2.0, 2.0, 4.0), "box"),
    ],
)
def test_sizes_and_shapes_that_cannot_be(
    shape: str, size: tuple[float, float, float], complaint: str
) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Obstacle(center_enu_m=(0.0, 0.0, 0.0), size_m=size, shape=shape)


def test_only_a_mesh_has_triangles() -> None:
    with pytest.raises(ValidationError, match="a box has no triangles"):
        Obstacle(center_enu_m=(0.0, 0.0, 0.0), size_m=(1.0, 1.0, 1.0), triangles=TETRAHEDRON)


def test_a_kind_that_nobody_knows_is_an_error() -> None:
    row = pack_obstacle(make_box())
    row[SHAPE] = 7.0
    with pytest.raises(ValueError, match="unknown kind"):
        body_distance(row, (50.0, 0.0, 0.0), False)
    with pytest.raises(ValueError, match="unknown kind"):
        obstacle_entry(row, 0.0, 0.0, 10.0, 1.0, 0.0, 0.0, 0.2)
    with pytest.raises(KeyError):
        body_of(row)
    camera, ground = pack_camera(CameraConfig()), flat_ground()
    with pytest.raises(ValueError, match="unknown kind"):
        render_depth(
            row[np.newaxis], ground.vector, ground.heights, ground.water, camera.column_slopes, camera.row_slopes,
            np.array([10.0, 0.0, 10.0]), np.eye(3), camera.near_m, camera.far_m, image_scratch(camera.shape),
            np.empty(camera.shape),
        )  # fmt: skip
