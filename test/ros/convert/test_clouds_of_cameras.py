"""Clouds of several cameras in one message, and where a camera was when it saw them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("uav_testgen_msgs.msg")

from builtin_interfaces.msg import Time
from sensor_msgs.msg import PointField
from std_msgs.msg import Header
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.ros.convert.cloud import cloud_from_msg, clouds_from_msg, clouds_to_msg
from uav_testgen.ros.convert.motion import Motion
from uav_testgen.ros.image_poses import ImagePoses
from uav_testgen.sensing.camera import CameraConfig, CameraRig, Mount, load_rig
from uav_testgen.sensing.noise import NoiseConfig

CLOUDS = tuple(
    np.random.default_rng(number).normal(size=(count, 3)).astype(np.float32)
    for number, count in enumerate((5, 0, 7))
)


def test_they_are_told_apart_again() -> None:
    message = clouds_to_msg(CLOUDS, Header(frame_id="map"))
    assert [field.name for field in message.fields] == ["x", "y", "z", "camera"]
    assert (message.width, message.point_step, len(message.data)) == (12, 16, 12 * 16)
    found = clouds_from_msg(message, 3)
    assert [one.tobytes() for one in found] == [one.tobytes() for one in CLOUDS]
    assert np.array_equal(cloud_from_msg(message), np.concatenate(CLOUDS)), (
        "readers of points see all of them"
    )
    points = np.ndarray((message.width, 3), np.float32, message.data, strides=(message.point_step, 4))
    assert np.array_equal(points, np.concatenate(CLOUDS)), "as the how-to reads them"


def test_one_camera_has_a_plain_cloud_and_a_foreign_one_is_not_divided() -> None:
    message = clouds_to_msg(CLOUDS[:1], Header())
    assert (message.point_step, len(message.fields)) == (12, 3)
    assert [len(one) for one in clouds_from_msg(message, 3)] == [5]


def test_a_camera_that_is_not_there_is_refused() -> None:
    with pytest.raises(PlannerInputError, match="points of camera 2, there are 2"):
        clouds_from_msg(clouds_to_msg(CLOUDS, Header()), 2)
    outside = clouds_to_msg(CLOUDS, Header())
    beyond = PointField(name="camera", offset=14, datatype=PointField.UINT32, count=1)
    outside.fields = [*outside.fields[:3], beyond]  # messages share their fields: none is changed in place
    with pytest.raises(PlannerInputError, match="'camera'"):
        clouds_from_msg(outside, 3)


def test_beside_a_live_vehicle_the_odometry_at_the_stamp_of_the_cloud_counts() -> None:
    late = CameraConfig(name="late", mount=Mount(x_m=0.5), noise=NoiseConfig(latency_s=0.2))
    poses = ImagePoses(CameraRig(cameras=(CameraConfig(), late)))
    for tick in range(11):
        poses.keep(
            1_000_000_000 + 100_000_000 * tick,
            Motion((float(tick), 0.0, 5.0), (0.0,) * 3, (0.0, 0.0, 0.1 * tick)),
        )
    step = FlightStep(header=Header(stamp=Time(sec=2)), time=7.0)
    step.position.x = 10.0
    prompt, delayed = poses.cameras(step, 1_850_000_000)()
    assert prompt.position_enu_m == pytest.approx([8.5, 0.0, 5.0]) and prompt.t_s == pytest.approx(6.85)
    assert prompt.optical_to_enu[:, 2] == pytest.approx([np.cos(0.85), np.sin(0.85), 0.0])
    away = [6.5 + 0.5 * np.cos(0.65), 0.5 * np.sin(0.65), 5.0]
    assert delayed.position_enu_m == pytest.approx(away) and delayed.t_s == pytest.approx(6.65)
    newest, _ = poses.cameras(step, 9_000_000_000)()
    assert newest.position_enu_m == pytest.approx([10.0, 0.0, 0.0]), "no odometry yet: where the step is"


def test_a_new_flight_forgets_the_images_of_the_last() -> None:
    poses = ImagePoses(CameraRig(cameras=(CameraConfig(noise=NoiseConfig(latency_s=0.1)),)))
    for time_s, east_m in ((0.0, 1.0), (0.1, 2.0)):
        step = FlightStep(time=time_s)
        step.position.x = east_m
        (camera,) = poses.cameras(step, None)()
    assert camera.position_enu_m[0] == 1.0, "held back like its cloud"
    poses.clear()
    step = FlightStep(time=0.0)
    step.position.x = 50.0
    assert poses.cameras(step, None)()[0].position_enu_m[0] == 50.0


def test_frames_have_the_names_of_tf() -> None:
    rig = load_rig("three_cameras")
    names = [camera.frame_id for camera in ImagePoses(rig).cameras(FlightStep(), None)()]
    assert names == ["camera_optical", "camera_left_optical", "camera_right_optical"]
