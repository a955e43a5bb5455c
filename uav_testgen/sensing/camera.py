"""Camera model: pixels, mount, range, rate; rigs of several cameras; presets by name.

The camera frame is x forward, y left, z up. Pixel (column i, row j) looks along
(1, −(i − cx)/fx, −(j − cy)/fy), so a ray parameter is the depth along the optical axis.

The planner may believe in another mount than the true one. In the high-fidelity simulator the camera
sits 0.1 m ahead of the vehicle while the planner's static transform has no translation and turns by
1.57 instead of pi/2: `assumed_mount` describes that belief. By default it is the truth.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import Field, model_validator

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.config import RoomConfig, load_config
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.kernel import kernel
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.sensing.noise import NoiseConfig
from uav_testgen.sensing.rotation import rotation_from_euler

DEFAULT_RIG = "hfs_64x48"
_QUARTER_TURN_RAD = 0.5 * math.pi


class Mount(RoomConfig):
    """Pose of the camera frame in the vehicle's body frame (x forward, y left, z up)."""

    x_m: float = Field(0.0, ge=-10.0, le=10.0, description="forward [m]")
    y_m: float = Field(0.0, ge=-10.0, le=10.0, description="left [m]")
    z_m: float = Field(0.0, ge=-10.0, le=10.0, description="up [m]")
    yaw_rad: float = Field(0.0, ge=-7.0, le=7.0, description="about up, counter-clockwise [rad]")
    pitch_rad: float = Field(0.0, ge=-7.0, le=7.0, description="about left, nose down positive [rad]")
    roll_rad: float = Field(0.0, ge=-7.0, le=7.0, description="about forward [rad]")
    optical_quarter_turn_rad: float = Field(
        _QUARTER_TURN_RAD,
        ge=1.5,
        le=1.65,
        description="value used for pi/2 when optical axes are turned into body axes [rad]",
    )

    def translation_m(self) -> FloatArray:
        """Offset of the camera in the body frame."""
        return np.array([self.x_m, self.y_m, self.z_m])

    def rotation(self) -> FloatArray:
        """Camera to body matrix; the identity is exact."""
        matrix = np.empty((3, 3))
        rotation_from_euler(self.roll_rad, self.pitch_rad, self.yaw_rad, matrix)
        if self.optical_quarter_turn_rad != _QUARTER_TURN_RAD:
            matrix = (
                matrix @ _optical_axes(self.optical_quarter_turn_rad) @ _optical_axes(_QUARTER_TURN_RAD).T
            )
        return np.ascontiguousarray(matrix)


def _optical_axes(quarter_turn_rad: float) -> FloatArray:
    """Rotation Rz(−a)·Rx(−a) of a static transform from optical (x right, y down) to body axes."""
    matrix = np.empty((3, 3))
    rotation_from_euler(-quarter_turn_rad, 0.0, -quarter_turn_rad, matrix)
    return matrix


class Intrinsics(RoomConfig):
    """Pin-hole numbers in pixels, where the field of view does not say it all."""

    fx: float = Field(gt=0.0, le=1e5, description="focal length along columns [px]")
    fy: float = Field(gt=0.0, le=1e5, description="focal length along rows [px]")
    cx: float = Field(ge=-1e5, le=1e5, description="principal point, column [px]")
    cy: float = Field(ge=-1e5, le=1e5, description="principal point, row [px]")


class CameraConfig(RoomConfig):
    """One depth camera. The defaults are the golden camera: 64×48 pixels, 59°, 0.5–18 m, no offset."""

    name: str = Field("front", min_length=1, max_length=60, description="name in topics and reports")
    width: int = Field(64, ge=1, le=4096, description="columns [px]")
    height: int = Field(48, ge=1, le=4096, description="rows [px]")
    hfov_rad: float = Field(
        1.02974, gt=0.001, lt=3.1, description="horizontal field of view over the full width [rad]"
    )
    intrinsics: Intrinsics | None = Field(None, description="replaces hfov_rad and the centred image")
    near_m: float = Field(0.5, ge=0.0, le=1000.0, description="surfaces nearer than this are not seen [m]")
    far_m: float = Field(18.0, gt=0.0, le=10_000.0, description="nothing farther than this is seen [m]")
    rate_hz: float = Field(20.0, gt=0.0, le=1000.0, description="frames per second [Hz]")
    mount: Mount = Field(default_factory=Mount, description="where the camera truly sits")
    assumed_mount: Mount | None = Field(
        None, description="where the planner believes it sits; null: the truth"
    )
    noise: NoiseConfig = Field(default_factory=NoiseConfig, description="imperfections, off by default")

    @model_validator(mode="after")
    def _check_range(self) -> CameraConfig:
        if self.far_m <= self.near_m:
            raise ValueError(f"far_m ({self.far_m}) must be greater than near_m ({self.near_m})")
        return self

    @property
    def pinhole(self) -> Intrinsics:
        """fx, fy, cx, cy: as given, or square pixels from the field of view."""
        if self.intrinsics is not None:
            return self.intrinsics
        focal = self.width / (2.0 * math.tan(self.hfov_rad / 2.0))
        return Intrinsics(fx=focal, fy=focal, cx=0.5 * (self.width - 1), cy=0.5 * (self.height - 1))

    @property
    def horizontal_fov_rad(self) -> float:
        """Angle over the full width of the image."""
        pinhole = self.pinhole
        left, right = pinhole.cx + 0.5, self.width - 0.5 - pinhole.cx
        return math.atan(left / pinhole.fx) + math.atan(right / pinhole.fx)

    @property
    def vertical_fov_rad(self) -> float:
        """Angle over the full height of the image."""
        pinhole = self.pinhole
        top, bottom = pinhole.cy + 0.5, self.height - 0.5 - pinhole.cy
        return math.atan(top / pinhole.fy) + math.atan(bottom / pinhole.fy)


def believed_mount(camera: CameraConfig) -> Mount:
    """Where the planner believes the camera to sit."""
    return camera.assumed_mount if camera.assumed_mount is not None else camera.mount


class CameraRig(RoomConfig):
    """The cameras of a vehicle, in the order in which their clouds reach the planner."""

    cameras: tuple[CameraConfig, ...] = Field((CameraConfig(),), min_length=1, max_length=16)

    @model_validator(mode="after")
    def _check_names(self) -> CameraRig:
        names = [camera.name for camera in self.cameras]
        if len(set(names)) != len(names):
            raise ValueError(f"camera names must differ, got {', '.join(names)}")
        return self


class PackedCamera(NamedTuple):
    """A camera as arrays for compiled code."""

    column_slopes: FloatArray
    row_slopes: FloatArray
    mount_m: FloatArray
    mount_rotation: FloatArray
    assumed_m: FloatArray
    assumed_rotation: FloatArray
    near_m: float
    far_m: float

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the image."""
        return len(self.row_slopes), len(self.column_slopes)


def pack_camera(camera: CameraConfig, *, far_m: float | None = None) -> PackedCamera:
    """Ray tables and mounts; `far_m` (fog) may only shorten the range."""
    pinhole = camera.pinhole
    believed = believed_mount(camera)
    return PackedCamera(
        column_slopes=-(np.arange(camera.width, dtype=np.float64) - pinhole.cx) / pinhole.fx,
        row_slopes=-(np.arange(camera.height, dtype=np.float64) - pinhole.cy) / pinhole.fy,
        mount_m=camera.mount.translation_m(),
        mount_rotation=camera.mount.rotation(),
        assumed_m=believed.translation_m(),
        assumed_rotation=believed.rotation(),
        near_m=camera.near_m,
        far_m=camera.far_m if far_m is None else min(camera.far_m, far_m),
    )


@kernel
def camera_pose(
    position: FloatArray,
    body_rotation: FloatArray,
    mount_m: FloatArray,
    mount_rotation: FloatArray,
    origin: FloatArray,
    rotation: FloatArray,
) -> None:
    """World pose of a mounted camera; exactly the body's pose for the zero mount."""
    for a in range(3):
        origin[a] = position[a] + (
            body_rotation[a, 0] * mount_m[0]
            + body_rotation[a, 1] * mount_m[1]
            + body_rotation[a, 2] * mount_m[2]
        )
        for b in range(3):
            rotation[a, b] = (
                body_rotation[a, 0] * mount_rotation[0, b]
                + body_rotation[a, 1] * mount_rotation[1, b]
                + body_rotation[a, 2] * mount_rotation[2, b]
            )


def rig_names() -> list[str]:
    """Names of the presets in config/cameras."""
    return sorted(path.stem for path in config_folder("cameras").glob("*.yaml"))


def load_rig(name_or_path: str | Path = DEFAULT_RIG) -> CameraRig:
    """A camera rig by preset name or from a YAML file; ConfigError says what is wrong with it."""
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or text.endswith((".yaml", ".yml")):
        return load_config(CameraRig, Path(name_or_path))
    if text not in rig_names():
        raise ConfigError(
            f"unknown camera preset '{text}'{nearest_and_known(text, rig_names())}, or a .yaml file"
        )
    path = config_folder("cameras") / f"{text}.yaml"
    return _preset(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _preset(path: Path, changed_ns: int) -> CameraRig:
    """A shipped rig, parsed once for each state of its file: every flight asks for it several times."""
    return load_config(CameraRig, path)
