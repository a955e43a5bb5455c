"""The camera that a planner is shown: pixels to the map and back, and nothing that it could change."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from uav_testgen.planner.base import Observation
from uav_testgen.planner.camera import Camera

EAST_VIEW = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Right, down and forward of a camera that looks east."""


def camera(**changes: object) -> Camera:
    values: dict[str, object] = {
        "name": "front", "frame_id": "camera_optical", "width": 8, "height": 6, "fx": 4.0, "fy": 5.0,
        "cx": 3.5, "cy": 2.5, "near_m": 0.5, "far_m": 18.0, "t_s": 1.5,
        "position_enu_m": np.array([10.0, 20.0, 5.0]), "optical_to_enu": EAST_VIEW,
    }  # fmt: skip
    return Camera(**{**values, **changes})  # type: ignore[arg-type]


def test_a_pixel_right_of_and_below_the_middle_is_south_of_and_below_the_axis() -> None:
    assert camera().points_enu_m(3.5, 2.5, 4.0).tolist() == [14.0, 20.0, 5.0]
    assert camera().points_enu_m(7.5, 2.5, 4.0).tolist() == [14.0, 16.0, 5.0]
    assert camera().points_enu_m(3.5, 7.5, 4.0).tolist() == [14.0, 20.0, 1.0]


def test_pixels_are_found_again() -> None:
    rows, columns = np.mgrid[0:6, 0:8]
    depths = 1.0 + 0.1 * rows + 0.01 * columns
    points = camera().points_enu_m(columns, rows, depths)
    assert points.shape == (6, 8, 3)
    found = camera().pixels(points)
    assert np.allclose(found, np.stack([columns, rows, depths], axis=-1).reshape(-1, 3), atol=1e-12)
    assert np.isnan(camera().pixels([[9.0, 20.0, 5.0]])).all(), "it is behind the camera"


def test_the_nearest_point_of_a_pixel_is_shown_and_nothing_is_nan() -> None:
    points = camera().points_enu_m([2, 2, 5, 30], [1, 1, 4, 2], [7.0, 3.0, 2.0, 2.0])
    image = camera().depth_image_m(points)
    assert image.shape == (6, 8) and image.dtype == np.float32
    assert image[1, 2] == pytest.approx(3.0) and image[4, 5] == pytest.approx(2.0)
    assert np.isnan(image).sum() == 6 * 8 - 2, "one point is beside the image"
    assert np.isnan(camera().depth_image_m(np.zeros((0, 3), np.float32))).all()


def test_nothing_of_it_can_be_changed() -> None:
    place = np.array([1.0, 2.0, 3.0])
    one = camera(position_enu_m=place)
    place[0] = 99.0
    assert one.position_enu_m[0] == 1.0, "it keeps a copy"
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.fx = 2.0  # type: ignore[misc]
    for values in (one.position_enu_m, one.optical_to_enu, one.depth_image_m(np.zeros((0, 3)))):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0.0


def observation(clouds: tuple[np.ndarray, ...], cameras: tuple[Camera, ...], asked: list[int]) -> Observation:
    def take() -> tuple[Camera, ...]:
        asked.append(1)
        return cameras

    here = np.zeros(3)
    return Observation(0.0, here, here, here, here, here, clouds, take_cameras=take)


def test_cameras_and_images_are_made_when_asked_for_and_once() -> None:
    asked: list[int] = []
    seen = observation((np.array([[14.0, 20.0, 5.0]], np.float32),), (camera(cx=4.0, cy=2.0),), asked)
    assert seen.cloud_enu_m.shape == (1, 3) and not asked
    assert seen.depth_m[0][2, 4] == 4.0
    assert seen.depth_m is seen.depth_m and seen.cameras is seen.cameras and asked == [1]


def test_each_camera_shows_its_own_cloud_and_a_cloud_that_is_not_told_apart_is_shown_by_all() -> None:
    both = (camera(cx=4.0, cy=2.0), camera(cx=4.0, cy=2.0, name="other"))
    near, far = (np.array([[10.0 + away, 20.0, 5.0]], np.float32) for away in (2.0, 4.0))
    assert [image[2, 4] for image in observation((near, far), both, []).depth_m] == [2.0, 4.0]
    merged = np.concatenate([far, near])
    assert [image[2, 4] for image in observation((merged,), both, []).depth_m] == [2.0, 2.0]
