"""Open3D and the analytic renderer show the same world: random scenes, poses, times and landforms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.core.errors import MissingDependency
from uav_testgen.scenario.model import (
    Landform,
    LinearMotion,
    Obstacle,
    Shape,
    Surface,
    Terrain,
)
from uav_testgen.sensing.analytic_renderer import AnalyticRenderer
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import CameraConfig, load_rig, pack_camera
from uav_testgen.sensing.cloud import DepthSensor, cloud_of
from uav_testgen.shape.kinds import BOX, CYLINDER, SPHERE
from uav_testgen.testing.factories import GATE, TETRAHEDRON
from uav_testgen.world.layout import OBSTACLE_COLUMNS
from uav_testgen.world.packed import PackedWorld, pack_obstacles
from uav_testgen.world.terrain import Ground, build_ground, flat_ground

CAMERA = pack_camera(CameraConfig())
ANALYTIC = AnalyticRenderer()


def open3d_renderer(**options: Any) -> Any:
    from uav_testgen.sensing.open3d_renderer import Open3DRenderer

    try:
        return Open3DRenderer(**options)
    except MissingDependency as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def open3d() -> Any:
    return open3d_renderer()


@pytest.fixture(scope="module")
def open3d_pure() -> Any:
    return open3d_renderer(pure=True)


def random_obstacle(rng: np.random.Generator, shapes: list[Shape], *, moving: bool = False) -> Obstacle:
    shape = shapes[rng.integers(len(shapes))]
    x, y, z = rng.uniform(0.3, 8.0, 3)
    size = {Shape.BOX: (x, y, z), Shape.CYLINDER: (x, x, z), Shape.SPHERE: (x, x, x), Shape.MESH: (x, y, z)}[
        shape
    ]
    east, north = rng.uniform((-5, -12), (22, 12))
    up = 0.5 * size[2] if rng.random() < 0.5 else rng.uniform(0.0, 10.0)
    motion = None
    if moving:
        motion = LinearMotion(to_enu_m=tuple(rng.uniform((0, -9, 1), (20, 9, 9)).tolist()), speed_mps=3.0)
    return Obstacle(
        center_enu_m=(east, north, up),
        size_m=size,
        yaw_rad=rng.uniform(-4, 4),
        shape=shape,
        motion=motion,
        triangles=(TETRAHEDRON, GATE)[rng.integers(2)] if shape is Shape.MESH else (),
    )


def random_world(
    rng: np.random.Generator, shapes: list[Shape], *, moving: bool = False, ground: Ground | None = None
) -> PackedWorld:
    obstacles = [random_obstacle(rng, shapes, moving=moving) for _ in range(rng.integers(0, 5))]
    return PackedWorld(pack_obstacles(obstacles), ground if ground is not None else flat_ground())


def random_pose(rng: np.random.Generator, *, tilted: bool) -> Pose:
    pitch, roll = rng.uniform(-0.6, 0.6, 2) * tilted
    return Pose(tuple(rng.uniform((-3, -3, 0.2), (3, 3, 12)).tolist()), rng.uniform(-0.8, 0.8), pitch, roll)


def assert_identical(a: np.ndarray, b: np.ndarray) -> None:
    where = np.argwhere(a != b)
    assert len(where) == 0, f"pixels {where[:4].tolist()}: {[(a[j, i], b[j, i]) for j, i in where[:4]]}"


@pytest.mark.parametrize("tilted", [False, True])
def test_boxes_give_bit_identical_clouds(open3d: Any, tilted: bool) -> None:
    rng = np.random.default_rng(21)
    for _ in range(100):
        world, pose = random_world(rng, [Shape.BOX]), random_pose(rng, tilted=tilted)
        analytic, meshed = (r.depth(world, 0.0, CAMERA, pose) for r in (ANALYTIC, open3d))
        assert_identical(analytic, meshed)
        assert np.array_equal(cloud_of(analytic, CAMERA, pose), cloud_of(meshed, CAMERA, pose))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), tilted=st.booleans(), t=st.floats(0.0, 20.0))
def test_all_shapes_moving_give_the_same_image(open3d: Any, seed: int, tilted: bool, t: float) -> None:
    rng = np.random.default_rng(seed)
    world = random_world(rng, list(Shape), moving=True)
    pose = random_pose(rng, tilted=tilted)
    assert_identical(ANALYTIC.depth(world, t, CAMERA, pose), open3d.depth(world, t, CAMERA, pose))


@pytest.mark.parametrize("landform", [Landform.DEPRESSION, Landform.ELEVATION, Landform.STEEP_TRANSITION])
@pytest.mark.parametrize("surface", list(Surface))
def test_landforms_and_water_give_the_same_image(open3d: Any, landform: Landform, surface: Surface) -> None:
    rng = np.random.default_rng(8)
    terrain = Terrain(
        landform=landform, surface=surface, height_m=5.0, radius_m=18.0, center_enu_m=(6.0, 0.0)
    )
    ground = build_ground(terrain, (-50.0, -50.0), (50.0, 50.0))
    for _ in range(4):
        world, pose = random_world(rng, list(Shape), ground=ground), random_pose(rng, tilted=True)
        assert_identical(ANALYTIC.depth(world, 0.0, CAMERA, pose), open3d.depth(world, 0.0, CAMERA, pose))


def edges(depth: np.ndarray) -> np.ndarray:
    """Pixels beside which the image jumps or ends: where float32 triangles may decide otherwise."""
    jumps = np.zeros(depth.shape, dtype=bool)
    filled = np.where(np.isfinite(depth), depth, 1e3)
    for axis in (0, 1):
        first = np.abs(np.diff(filled, axis=axis)) > 0.3
        pads = [(0, 0), (0, 0)]
        pads[axis] = (0, 1)
        jumps |= np.pad(first, pads)
        pads[axis] = (1, 0)
        jumps |= np.pad(first, pads)
    return jumps


@pytest.mark.parametrize(
    "shapes",
    [[Shape.BOX], [Shape.BOX, Shape.CYLINDER, Shape.SPHERE], [Shape.MESH]],
    ids=["boxes", "solids", "meshes"],
)
def test_raw_open3d_depth_is_within_a_millimetre_away_from_edges(
    open3d_pure: Any, shapes: list[Shape]
) -> None:
    rng = np.random.default_rng(4)
    compared = 0
    for _ in range(60):
        world, pose = random_world(rng, shapes), random_pose(rng, tilted=True)
        if world.obstacles.shape[0] and bool(np.any(_near_camera(world, pose))):
            continue  # raw rays step over coinciding surfaces when they begin inside an obstacle
        exact, raw = ANALYTIC.depth(world, 0.0, CAMERA, pose), open3d_pure.depth(world, 0.0, CAMERA, pose)
        plain = ~edges(exact)
        assert np.array_equal(np.isfinite(exact)[plain], np.isfinite(raw)[plain])
        both = plain & np.isfinite(exact)
        compared += int(both.sum())
        assert np.abs(exact[both] - raw[both]).max(initial=0.0) < 1e-3
    assert compared > 20_000


def _near_camera(world: PackedWorld, pose: Pose) -> np.ndarray:
    from uav_testgen.world.scene import Scene

    return Scene(world).distances_m(pose.position_enu_m, 0.0)[0] < 1.0


def test_camera_in_and_just_before_an_obstacle(open3d: Any) -> None:
    box = Obstacle(center_enu_m=(0.0, 0.0, 5.0), size_m=(4.0, 4.0, 10.0))
    inner = Obstacle(center_enu_m=(1.2, 0.0, 3.0), size_m=(0.3, 1.0, 2.0))
    behind = Obstacle(center_enu_m=(9.0, 0.0, 5.0), size_m=(1.0, 6.0, 10.0), yaw_rad=0.4)
    world = PackedWorld(pack_obstacles([box, inner, behind]), flat_ground())
    for x in (-2.6, -2.45, -2.2, 0.0, 1.9, 2.1):
        pose = Pose((x, 0.1, 3.0), 0.05, 0.1)
        assert_identical(ANALYTIC.depth(world, 0.0, CAMERA, pose), open3d.depth(world, 0.0, CAMERA, pose))


def test_three_cameras_and_a_moving_box_through_the_whole_sensor(open3d: Any) -> None:
    rng = np.random.default_rng(1)
    world = random_world(rng, list(Shape), moving=True)
    rig = load_rig("three_cameras")
    pose = Pose((0.0, 0.0, 4.0), 0.3, 0.02, 0.01)
    for step in range(5):
        for a, b in zip(
            DepthSensor(world, rig).frames(0.1 * step, pose, step),
            DepthSensor(world, rig, open3d).frames(0.1 * step, pose, step),
            strict=True,
        ):
            assert np.array_equal(a.points_enu_m, b.points_enu_m)


def test_a_pose_that_is_no_pose_sees_nothing(open3d: Any) -> None:
    world = random_world(np.random.default_rng(0), list(Shape))
    assert np.all(np.isposinf(open3d.depth(world, 0.0, CAMERA, Pose((np.nan, 0.0, 1.0)))))


def test_far_away_from_where_the_scene_was_built(open3d: Any) -> None:
    box = Obstacle(center_enu_m=(2008.0, -900.0, 5.0), size_m=(2.0, 4.0, 10.0), yaw_rad=0.3)
    world = PackedWorld(pack_obstacles([box]), flat_ground())
    for position in ((0.0, 0.0, 5.0), (2000.0, -900.0, 5.0)):
        pose = Pose(position, 0.1)
        assert_identical(ANALYTIC.depth(world, 0.0, CAMERA, pose), open3d.depth(world, 0.0, CAMERA, pose))


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from([BOX, CYLINDER, SPHERE]),
    row=st.lists(st.floats(width=32), min_size=OBSTACLE_COLUMNS - 1, max_size=OBSTACLE_COLUMNS - 1),
    position=st.tuples(st.floats(), st.floats(), st.floats()),
    angles=st.tuples(st.floats(), st.floats(), st.floats()),
)
def test_compiled_renderer_survives_any_numbers(
    kind: float, row: list[float], position: tuple[float, float, float], angles: tuple[float, float, float]
) -> None:
    world = PackedWorld(np.array([[kind, *row]]), flat_ground())
    with np.errstate(all="ignore"):
        depth = ANALYTIC.depth(world, 0.0, CAMERA, Pose(position, *angles))
    assert depth.shape == CAMERA.shape
    seen = depth[np.isfinite(depth)]
    assert not np.any(np.isnan(depth))
    assert np.all((seen >= CAMERA.near_m) & (seen <= CAMERA.far_m))
