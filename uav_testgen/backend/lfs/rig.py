"""Cameras with their image buffers, and the fields of view the planner is told."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.planner.vfh3d.base import FieldOfView
from uav_testgen.scenario.model import Visibility
from uav_testgen.sensing.camera import CameraRig, PackedCamera, pack_camera
from uav_testgen.sensing.noise import NoiseParameters, latency_steps, noise_parameters, visible_range_m


class CameraRun(NamedTuple):
    """One camera during a flight. Clouds wait in a ring of `delay` + 1 slots."""

    camera: PackedCamera
    noise: NoiseParameters
    delay: int
    depth: NDArray[np.float64]
    points: NDArray[np.float32]
    counts: NDArray[np.int64]


def make_rig(rig: CameraRig, visibility: Visibility, dt_s: float) -> tuple[CameraRun, ...]:
    """Fresh buffers for every camera."""
    return tuple(_camera_run(camera, visibility, dt_s) for camera in rig.cameras)


def _camera_run(camera, visibility: Visibility, dt_s: float) -> CameraRun:  # type: ignore[no-untyped-def]
    packed = pack_camera(camera, far_m=visible_range_m(camera.far_m, visibility))
    delay = latency_steps(camera.noise.latency_s, dt_s)
    pixels = camera.width * camera.height
    return CameraRun(
        camera=packed,
        noise=noise_parameters(camera.noise, visibility),
        delay=delay,
        depth=np.zeros(packed.shape),
        points=np.zeros((delay + 1, pixels, 3), np.float32),
        counts=np.zeros(delay + 1, np.int64),
    )


def nominal_fovs(rig: CameraRig) -> tuple[FieldOfView, ...]:
    """What the planner is told about the views: the data-sheet angles in whole degrees.

    The believed mount counts; for the default camera this is (0, 0, 59, 46).
    """
    fovs = []
    for camera in rig.cameras:
        mount = camera.assumed_mount or camera.mount
        fovs.append(
            FieldOfView(
                math.degrees(mount.yaw_rad),
                math.degrees(mount.pitch_rad),
                float(round(math.degrees(camera.horizontal_fov_rad))),
                float(round(math.degrees(camera.vertical_fov_rad))),
            )
        )
    return tuple(fovs)


def believed_fovs(config: LfsConfig) -> tuple[FieldOfView, ...]:
    """The views the planner works with: nominal, or for a single camera under PX4 what its node measures."""
    fovs = nominal_fovs(config.rig)
    if config.vehicle == "px4" and len(fovs) == 1:
        return (
            fovs[0]._replace(h_fov_deg=config.px4_vehicle.fov_h_deg, v_fov_deg=config.px4_vehicle.fov_v_deg),
        )
    return fovs
