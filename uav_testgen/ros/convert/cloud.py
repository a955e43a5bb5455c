"""Point clouds, depth images and camera descriptions to messages, and clouds back.

Clouds of several cameras in one message have a fourth field, `camera` (uint32): the number of each point's camera.
"""

from __future__ import annotations

import array
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import CameraInfo, Image, PointCloud2, PointField
from std_msgs.msg import Header

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import CameraConfig, PackedCamera, camera_pose

MAX_CLOUD_POINTS: Final = 4096 * 4096
_POINT_BYTES: Final = 12
_FIELDS: Final = [
    PointField(name=name, offset=4 * index, datatype=PointField.FLOAT32, count=1)
    for index, name in enumerate("xyz")
]
_CAMERA: Final = PointField(name="camera", offset=_POINT_BYTES, datatype=PointField.UINT32, count=1)


def message_bytes(values: NDArray[np.generic]) -> array.array[int]:
    """Message data of an array; assigning the NumPy array itself would check every element, slowly."""
    return array.array("B", np.ascontiguousarray(values).tobytes())


def cloud_to_msg(points: NDArray[np.float32], header: Header) -> PointCloud2:
    """(n, 3) float32 points to an unordered cloud."""
    count = len(points)
    return PointCloud2(
        header=header,
        height=1,
        width=count,
        fields=_FIELDS,
        is_bigendian=False,
        point_step=_POINT_BYTES,
        row_step=_POINT_BYTES * count,
        data=message_bytes(np.asarray(points, dtype=np.float32)),
        is_dense=True,
    )


def clouds_to_msg(clouds: Sequence[NDArray[np.float32]], header: Header) -> PointCloud2:
    """One (n, 3) cloud per camera in one message; of a single camera it is a plain cloud."""
    if len(clouds) == 1:
        return cloud_to_msg(clouds[0], header)
    count, width = sum(len(cloud) for cloud in clouds), _POINT_BYTES + 4
    rows = np.empty((count, 4), dtype=np.uint32)
    rows[:, :3] = np.concatenate(clouds).astype(np.float32).view(np.uint32)
    rows[:, 3] = np.repeat(np.arange(len(clouds)), [len(one) for one in clouds])
    message = cloud_to_msg(rows.view(np.float32), header)
    message.fields, message.point_step, message.row_step = [*_FIELDS, _CAMERA], width, width * count
    return message


def optical_cloud_to_msg(
    depth_m: NDArray[np.floating[Any]], camera: PackedCamera, header: Header
) -> PointCloud2:
    """A depth image as an organised cloud in optical axes (x right, y down, z forward), NaN where nothing
    returned: what a driver of a depth camera publishes."""
    depth = np.where(np.isfinite(depth_m), depth_m, np.nan)
    across, up = camera.column_slopes[np.newaxis, :], camera.row_slopes[:, np.newaxis]
    points = np.stack([-across * depth, -up * depth, depth], axis=-1).astype(np.float32)
    message = cloud_to_msg(points.reshape(-1, 3), header)
    message.height, message.width = depth.shape
    message.row_step, message.is_dense = _POINT_BYTES * depth.shape[1], False
    return message


def in_optical_frame(
    points_enu_m: NDArray[np.float32], camera: PackedCamera, pose: Pose
) -> NDArray[np.float32]:
    """Points of the map in the optical axes of a camera where the planner believes it to be."""
    origin, rotation = np.empty(3), np.empty((3, 3))
    camera_pose(
        np.array(pose.position_enu_m, dtype=np.float64), pose.rotation(),
        camera.assumed_m, camera.assumed_rotation, origin, rotation,
    )  # fmt: skip
    forward, left, up = ((points_enu_m - origin) @ rotation).T
    return np.stack([-left, -up, forward], axis=-1).astype(np.float32)


def cloud_from_msg(message: PointCloud2) -> NDArray[np.float32]:
    """Points (n, 3) of a cloud; PlannerInputError says what is wrong with it.

    NaN points are what a camera reports where nothing returned: they are dropped, unless the cloud claims to
    be dense, because then its sender is confused.
    """
    return _points_of(message)[0]


def _points_of(message: PointCloud2) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The points, and which of those in the message they are."""
    offsets = {field.name: field.offset for field in message.fields if field.datatype == PointField.FLOAT32}
    if not {"x", "y", "z"} <= offsets.keys():
        raise PlannerInputError("cloud has no float32 fields x, y and z")
    count = message.width * message.height
    step = message.point_step
    if message.is_bigendian:
        raise PlannerInputError("cloud is big-endian")
    if count > MAX_CLOUD_POINTS or step < 4 + max(offsets[axis] for axis in "xyz"):
        raise PlannerInputError(f"cloud of {count} points with {step} bytes each makes no sense")
    if len(message.data) != count * step:
        raise PlannerInputError(f"cloud carries {len(message.data)} bytes, {count * step} were announced")
    raw = np.frombuffer(message.data, dtype=np.uint8).reshape(count, step)
    if step == _POINT_BYTES and (offsets["x"], offsets["y"], offsets["z"]) == (0, 4, 8):
        points = raw.view(np.float32).reshape(count, 3)
    else:
        columns = [raw[:, offsets[axis] : offsets[axis] + 4].copy().view(np.float32) for axis in "xyz"]
        points = np.concatenate(columns, axis=1)
    finite: NDArray[np.bool_] = np.asarray(np.isfinite(points).all(axis=1))
    if finite.all():
        return points, finite
    if message.is_dense:
        raise PlannerInputError(f"cloud claims to be dense but has {int((~finite).sum())} non-finite points")
    return np.ascontiguousarray(points[finite]), finite


def clouds_from_msg(message: PointCloud2, cameras: int) -> tuple[NDArray[np.float32], ...]:
    """The cloud of each of so many cameras; all points in one cloud if the message does not tell them apart."""
    points, finite = _points_of(message)
    field = next((one for one in message.fields if one.name == _CAMERA.name), None)
    if cameras == 1 or field is None or field.datatype != PointField.UINT32:
        return (points,)
    if field.offset + 4 > message.point_step:
        raise PlannerInputError("cloud has a field 'camera' that is not within a point")
    raw = np.frombuffer(message.data, dtype=np.uint8).reshape(-1, message.point_step)
    numbers = raw[:, field.offset : field.offset + 4].copy().view(np.uint32)[:, 0][finite]
    if len(numbers) and numbers.max() >= cameras:
        raise PlannerInputError(f"cloud has points of camera {numbers.max()}, there are {cameras}")
    return tuple(np.ascontiguousarray(points[numbers == number]) for number in range(cameras))


def depth_to_msg(depth_m: NDArray[np.floating[Any]], header: Header) -> Image:
    """Depth image (rows, columns) as 32FC1: metres along the optical axis, NaN where nothing returned."""
    image = np.where(np.isfinite(depth_m), depth_m, np.nan).astype(np.float32)
    rows, columns = image.shape
    return Image(
        header=header,
        height=rows,
        width=columns,
        encoding="32FC1",
        is_bigendian=0,
        step=4 * columns,
        data=message_bytes(image),
    )


def camera_to_msg(camera: CameraConfig, header: Header) -> CameraInfo:
    """Pin-hole description of a camera without distortion."""
    pinhole = camera.pinhole
    fx, fy, cx, cy = pinhole.fx, pinhole.fy, pinhole.cx, pinhole.cy
    return CameraInfo(
        header=header,
        height=camera.height,
        width=camera.width,
        distortion_model="plumb_bob",
        d=[0.0] * 5,
        k=[fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0],
        r=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p=[fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
    )
