"""The analytic renderer: one path equals the other, and odd situations."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.scenario.model import LinearMotion, MotionMode, Obstacle, Shape, obstacle_on_ground
from uav_testgen.sensing.analytic_renderer import AnalyticRenderer
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import CameraConfig, load_rig, pack_camera
from uav_testgen.sensing.cloud import DepthSensor, cloud_of, see, see_scratch
from uav_testgen.sensing.noise import NoiseConfig, noise_parameters
from uav_testgen.world.packed import PackedWorld, pack_obstacles
from uav_testgen.world.terrain import flat_ground

pytestmark = pytest.mark.unit

CAMERA = pack_camera(CameraConfig())
RENDERER = AnalyticRenderer()


def world_of(*obstacles: Obstacle) -> PackedWorld:
    return PackedWorld(pack_obstacles(obstacles), flat_ground())


def depth_of(world: PackedWorld, pose: Pose, t: float = 0.0) -> np.ndarray:
    return RENDERER.depth(world, t, CAMERA, pose)


def test_level_short_cut_equals_the_general_path() -> None:
    """A pitch too small to change any product still takes the general path."""
    rng = np.random.default_rng(3)
    for shape in (Shape.BOX, Shape.CYLINDER):
        for _ in range(100):
            side, height = rng.uniform(0.3, 8.0, 2)
            obstacle = Obstacle(
                center_enu_m=tuple(rng.uniform((2, -6, 0), (20, 6, 8)).tolist()),
                size_m=(side, side, height),
                yaw_rad=rng.uniform(-4, 4),
                shape=shape,
            )
            world = world_of(obstacle)
            position = (0.0, 0.0, rng.uniform(0.5, 8.0))
            level, general = (
                depth_of(world, Pose(position, 0.3)),
                depth_of(world, Pose(position, 0.3, 1e-300)),
            )
            assert np.array_equal(level, general)


def test_compiled_chain_equals_the_sensor() -> None:
    world = world_of(obstacle_on_ground(8.0, 1.0, (3.0, 2.0, 10.0), 30.0))
    pose = Pose((0.0, 0.5, 4.0), 0.2, 0.05, -0.03)
    noise = NoiseConfig(range_std_m=0.02, dropout=0.1)
    rig = load_rig().model_copy(update={"cameras": (CameraConfig(noise=noise),)})
    (frame,) = DepthSensor(world, rig, seed=5).frames(0.0, pose, 7)
    depth, points = np.empty(CAMERA.shape), np.empty((3072, 3), dtype=np.float32)
    n = see(
        world.obstacles, world.ground, CAMERA, noise_parameters(noise), 5, 7, 0,
        np.array(pose.position_enu_m), pose.roll_rad, pose.pitch_rad, pose.yaw_rad, see_scratch(CAMERA.shape),
        depth, points,
    )  # fmt: skip
    assert np.array_equal(depth, frame.depth_m, equal_nan=True)
    assert np.array_equal(points[:n], frame.points_enu_m)


def test_spheres_and_cylinders_by_hand() -> None:
    sphere = Obstacle(center_enu_m=(10.0, 0.0, 50.0), size_m=(4.0, 4.0, 4.0), shape=Shape.SPHERE)
    cylinder = Obstacle(center_enu_m=(10.0, 0.0, 50.0), size_m=(4.0, 4.0, 9.0), shape=Shape.CYLINDER)
    odd = pack_camera(CameraConfig(width=65, height=49))  # has a pixel exactly in the middle
    for obstacle in (sphere, cylinder):
        depth = RENDERER.depth(world_of(obstacle), 0.0, odd, Pose((0.0, 0.0, 50.0)))
        assert depth[24, 32] == pytest.approx(8.0)
    down = RENDERER.depth(world_of(cylinder), 0.0, odd, Pose((10.0, 0.0, 60.0), 0.0, math.pi / 2))
    assert down[24, 32] == pytest.approx(5.5)  # the lid, seen from straight above


def test_camera_inside_an_obstacle_does_not_see_it() -> None:
    inside = world_of(obstacle_on_ground(0.0, 0.0, (4.0, 4.0, 20.0)))
    behind = Obstacle(center_enu_m=(10.0, 0.0, 10.0), size_m=(1.0, 30.0, 30.0))
    both = world_of(obstacle_on_ground(0.0, 0.0, (4.0, 4.0, 20.0)), behind)
    pose = Pose((0.0, 0.0, 10.0))
    assert np.array_equal(depth_of(inside, pose), depth_of(world_of(), pose))
    assert depth_of(both, pose)[24, 32] == pytest.approx(9.5)


def test_a_face_nearer_than_the_near_limit_is_not_seen_and_hides_nothing() -> None:
    close = Obstacle(center_enu_m=(0.6, 0.0, 10.0), size_m=(0.4, 9.0, 9.0))
    wall = Obstacle(center_enu_m=(10.0, 0.0, 10.0), size_m=(1.0, 30.0, 30.0))
    depth = depth_of(world_of(close, wall), Pose((0.0, 0.0, 10.0)))
    assert depth[24, 32] == pytest.approx(9.5)
    at_limit = Obstacle(center_enu_m=(1.0, 0.0, 10.0), size_m=(1.0, 9.0, 9.0))
    assert depth_of(world_of(at_limit, wall), Pose((0.0, 0.0, 10.0)))[24, 32] == 0.5


def test_range_limit_is_inclusive() -> None:
    wall = Obstacle(center_enu_m=(18.5, 0.0, 10.0), size_m=(1.0, 300.0, 300.0))
    assert depth_of(world_of(wall), Pose((0.0, 0.0, 10.0)))[24, 32] == 18.0
    farther = Obstacle(center_enu_m=(18.6, 0.0, 10.0), size_m=(1.0, 300.0, 300.0))
    assert math.isinf(depth_of(world_of(farther), Pose((0.0, 0.0, 10.0)))[0, 32])


def test_water_gives_no_return_and_hides_what_is_below() -> None:
    sunk = Obstacle(center_enu_m=(10.0, 0.0, -3.0), size_m=(8.0, 8.0, 4.0))
    tower = Obstacle(center_enu_m=(12.0, 0.0, 5.0), size_m=(2.0, 2.0, 10.0))
    lake = flat_ground(water=True)
    pose = Pose((0.0, 0.0, 4.0), 0.0, 0.3)
    dry = RENDERER.depth(PackedWorld(pack_obstacles([tower]), flat_ground()), 0.0, CAMERA, pose)
    wet = RENDERER.depth(PackedWorld(pack_obstacles([tower, sunk]), lake), 0.0, CAMERA, pose)
    alone = RENDERER.depth(
        PackedWorld(pack_obstacles([tower, sunk]), lake), 0.0, CAMERA, Pose((0.0, 0.0, 4.0))
    )
    seen = np.isfinite(wet)
    assert 0 < seen.sum() < np.isfinite(dry).sum()
    assert np.array_equal(wet[seen], dry[seen])
    assert np.isfinite(alone).sum() > 0


def test_moving_obstacle_is_seen_where_it_is() -> None:
    motion = LinearMotion(to_enu_m=(15.0, 0.0, 10.0), speed_mps=1.0, start_s=2.0, mode=MotionMode.ONCE)
    box = Obstacle(center_enu_m=(5.0, 0.0, 10.0), size_m=(2.0, 4.0, 4.0), motion=motion)
    world = world_of(box)
    pose = Pose((0.0, 0.0, 10.0))
    assert [depth_of(world, pose, t)[24, 32] for t in (0.0, 2.0, 5.0, 100.0)] == pytest.approx([4, 4, 7, 14])


@pytest.mark.parametrize(
    "pose",
    [
        Pose((math.nan, 0.0, 5.0)),
        Pose((0.0, math.inf, 5.0)),
        Pose((0.0, 0.0, 5.0), math.nan),
        Pose((0.0, 0.0, 5.0), 0.0, math.nan),
    ],
)
def test_a_pose_that_is_no_pose_sees_nothing(pose: Pose) -> None:
    depth = depth_of(world_of(obstacle_on_ground(5.0, 0.0, (2.0, 2.0, 9.0))), pose)
    assert np.all(np.isposinf(depth))
    assert cloud_of(depth, CAMERA, pose).shape == (0, 3)


def test_obstacle_rows_with_senseless_numbers_are_invisible_or_thin_never_a_crash() -> None:
    good = pack_obstacles([obstacle_on_ground(8.0, 0.0, (2.0, 2.0, 9.0))])[0]
    pose = Pose((0.0, 0.0, 4.0))
    empty = depth_of(world_of(), pose)
    for column, value in [(1, math.nan), (4, math.nan), (4, -1.0), (6, -1.0), (7, math.nan), (3, math.inf)]:
        row = good.copy()
        row[column] = value
        depth = depth_of(PackedWorld(row[np.newaxis], flat_ground()), pose)
        assert np.array_equal(depth, empty), column
    plate = good.copy()
    plate[4] = 0.0  # a sheet without thickness is still a surface
    assert depth_of(PackedWorld(plate[np.newaxis], flat_ground()), pose)[20, 32] == pytest.approx(8.0)


def test_camera_below_ground_sees_no_ground() -> None:
    assert np.all(np.isposinf(depth_of(world_of(), Pose((0.0, 0.0, -1.0)))))


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 5), (7, 1), (640, 3)])
def test_odd_image_sizes(width: int, height: int) -> None:
    camera = pack_camera(CameraConfig(width=width, height=height))
    world = world_of(obstacle_on_ground(8.0, 0.0, (2.0, 6.0, 20.0)))
    depth = RENDERER.depth(world, 0.0, camera, Pose((0.0, 0.0, 5.0)))
    assert depth.shape == (height, width)
    assert depth[height // 2, width // 2] == pytest.approx(7.0)


def test_three_cameras_see_three_walls() -> None:
    walls = []
    for angle in (0.0, math.pi / 3, -math.pi / 3):
        walls.append(
            Obstacle(
                center_enu_m=(10 * math.cos(angle), 10 * math.sin(angle), 10.0),
                size_m=(1.0, 3.0, 20.0),
                yaw_rad=angle,
            )
        )
    frames = DepthSensor(world_of(*walls), load_rig("three_cameras")).frames(0.0, Pose((0.0, 0.0, 10.0)), 0)
    assert len(frames) == 3
    for frame in frames:
        assert frame.depth_m[24, 32] == pytest.approx(9.5)
        assert frame.points_enu_m.shape[0] == np.isfinite(frame.depth_m).sum() > 0
