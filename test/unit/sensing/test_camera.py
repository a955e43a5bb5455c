"""Camera numbers, presets and the mount the planner believes in."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.sensing import camera as camera_module
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import (
    CameraConfig,
    CameraRig,
    Intrinsics,
    Mount,
    load_rig,
    pack_camera,
    rig_names,
)
from uav_testgen.sensing.cloud import DepthSensor, cloud_of
from uav_testgen.world.packed import PackedWorld, pack_obstacles
from uav_testgen.world.terrain import flat_ground

pytestmark = pytest.mark.unit


def test_the_default_is_the_golden_camera() -> None:
    (camera,) = load_rig().cameras
    assert camera == CameraConfig()
    pinhole = camera.pinhole
    assert pinhole.fx == pinhole.fy == 64 / (2 * math.tan(1.02974 / 2))
    assert (pinhole.cx, pinhole.cy) == (31.5, 23.5)
    assert math.degrees(camera.horizontal_fov_rad) == pytest.approx(59.0, abs=0.01)
    assert math.degrees(camera.vertical_fov_rad) == pytest.approx(46.0, abs=0.1)
    packed = pack_camera(camera)
    assert packed.shape == (48, 64)
    assert packed.column_slopes[0] == 31.5 / pinhole.fx  # the first column looks to the left
    assert packed.row_slopes[0] == 23.5 / pinhole.fy  # the first row looks up
    assert np.array_equal(packed.mount_rotation, np.eye(3))


def test_every_preset_loads() -> None:
    assert {"hfs_64x48", "hfs_64x48_offset", "three_cameras"} <= set(rig_names())
    for name in rig_names():
        assert load_rig(name).cameras
    front, left, right = load_rig("three_cameras").cameras
    assert [round(math.degrees(c.mount.yaw_rad)) for c in (front, left, right)] == [0, 60, -60]
    assert {c.mount.z_m for c in (front, left, right)} == {-0.03}


def test_unknown_preset_says_which_exist() -> None:
    with pytest.raises(ConfigError, match=r"hfs_64x49.*did you mean 'hfs_64x48'"):
        load_rig("hfs_64x49")
    with pytest.raises(InputFileError, match="no such file"):
        load_rig("absent.yaml")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"width": 0}, "width"),
        ({"height": -3}, "height"),
        ({"width": 10**9}, "width"),
        ({"hfov_rad": 3.2}, "hfov_rad"),
        ({"hfov_rad": float("nan")}, "hfov_rad"),
        ({"near_m": 5.0, "far_m": 2.0}, r"far_m \(2.0\) must be greater than near_m \(5.0\)"),
        ({"rate_hz": 0.0}, "rate_hz"),
        ({"mount": {"x": 1.0}}, "did you mean 'x_m'|known"),
        ({"intrinsics": {"fx": 0.0, "fy": 1.0, "cx": 0.0, "cy": 0.0}}, "fx"),
        ({"noise": {"dropout": 1.5}}, "dropout"),
    ],
)
def test_wrong_numbers_are_refused_with_the_field(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_config(CameraConfig, settings, source="camera.yaml")


def test_rigs_need_cameras_with_different_names(tmp_path: Path) -> None:
    file = tmp_path / "rig.yaml"
    file.write_text("cameras: [{name: a}, {name: a}]\n")
    with pytest.raises(ConfigError, match="names must differ"):
        load_rig(file)
    file.write_text("cameras: []\n")
    with pytest.raises(ConfigError, match="cameras"):
        load_rig(file)


def test_intrinsics_replace_the_field_of_view() -> None:
    camera = CameraConfig(width=10, height=4, intrinsics=Intrinsics(fx=20.0, fy=10.0, cx=0.0, cy=3.0))
    packed = pack_camera(camera)
    assert packed.column_slopes[[0, 9]] == pytest.approx([0.0, -9.0 / 20.0])
    assert packed.row_slopes[[0, 3]] == pytest.approx([0.3, 0.0])
    assert camera.horizontal_fov_rad == pytest.approx(math.atan(0.5 / 20) + math.atan(9.5 / 20))


def test_offset_camera_makes_the_planner_see_a_wall_a_tenth_of_a_metre_too_near() -> None:
    wall = np.zeros((1, 16))
    wall[0, :9] = (0.0, 10.0, 0.0, 5.0, 1.0, 50.0, 50.0, 1.0, 0.0)  # its face is 9 m ahead
    world = PackedWorld(wall, flat_ground())
    pose = Pose((0.0, 0.0, 5.0))
    truth = DepthSensor(world, load_rig()).frames(0.0, pose, 0)[0]
    believed = DepthSensor(world, load_rig("hfs_64x48_offset")).frames(0.0, pose, 0)[0]
    assert truth.depth_m[20, 30] == pytest.approx(9.0)
    assert believed.depth_m[20, 30] == pytest.approx(8.9)
    middle = cloud_of(believed.depth_m, pack_camera(load_rig("hfs_64x48_offset").cameras[0]), pose)
    ahead = middle[np.abs(middle[:, 1]) < 0.5]
    assert ahead[:, 0].max() == pytest.approx(8.9, abs=0.02)


def test_a_quarter_turn_of_1_57_turns_the_cloud_by_0_046_degrees_and_pi_half_by_none() -> None:
    assert np.array_equal(Mount().rotation(), np.eye(3))
    turned = Mount(optical_quarter_turn_rad=1.57).rotation()
    angle = math.degrees(math.atan2(turned[1, 0], turned[0, 0]))
    assert angle == pytest.approx(math.degrees(math.pi / 2 - 1.57), abs=1e-6)


def test_mounted_camera_looks_where_it_points() -> None:
    left = CameraConfig(mount=Mount(yaw_rad=math.pi / 2, z_m=0.5))
    wall = np.zeros((1, 16))
    wall[0, :9] = (0.0, 0.0, 10.0, 5.0, 50.0, 1.0, 50.0, 1.0, 0.0)  # 9 m to the left of a vehicle facing east
    sensor = DepthSensor(PackedWorld(wall, flat_ground()), CameraRig(cameras=(left,)))
    (frame,) = sensor.frames(0.0, Pose((0.0, 0.0, 5.0)), 0)
    assert frame.depth_m[10, 32] == pytest.approx(9.0)
    assert frame.points_enu_m[:, 1].max() == pytest.approx(9.0)


def test_no_obstacle_no_ground_in_range_gives_an_empty_cloud() -> None:
    sensor = DepthSensor(PackedWorld(pack_obstacles([]), flat_ground()), load_rig())
    (frame,) = sensor.frames(0.0, Pose((0.0, 0.0, 100.0)), 0)
    assert frame.points_enu_m.shape == (0, 3)
    assert frame.points_enu_m.dtype == np.float32
    assert np.all(np.isposinf(frame.depth_m))


def test_a_preset_is_parsed_once_and_again_when_its_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.yaml"
    monkeypatch.setattr(camera_module, "config_folder", lambda *_: tmp_path)
    file.write_text("cameras: [{far_m: 10.0}]")
    first = load_rig("mine")
    assert load_rig("mine") is first
    file.write_text("cameras: [{far_m: 12.0}]")
    os.utime(file, ns=(1, 1))
    assert load_rig("mine").cameras[0].far_m == 12.0
