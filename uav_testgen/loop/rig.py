"""Cameras with their image buffers, and the fields of view the planner is told."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from uav_testgen.core.arrays import Float32Array, FloatArray, IntArray
from uav_testgen.loop.system import System
from uav_testgen.planner.base import FieldOfView
from uav_testgen.scenario.model import Visibility
from uav_testgen.sensing.camera import CameraConfig, CameraRig, PackedCamera, pack_camera
from uav_testgen.sensing.cloud import SeeScratch, see_scratch
from uav_testgen.sensing.noise import NoiseParameters, latency_steps, noise_parameters, visible_range_m


class CameraRun(NamedTuple):
    """One camera during a flight."""

    camera: PackedCamera
    noise: NoiseParameters
    delay: int
    """Steps until a cloud reaches the planner."""
    scratch: SeeScratch
    depth: FloatArray
    """Scratch: the newest image."""


class CameraMemory(NamedTuple):
    """Clouds on their way to the planner: a ring of `delay` + 1 slots."""

    points: Float32Array
    counts: IntArray


def make_rig(
    rig: CameraRig, visibility: Visibility, dt_s: float
) -> tuple[tuple[CameraRun, ...], tuple[CameraMemory, ...]]:
    """Every camera with fresh buffers."""
    runs = tuple(_camera_run(camera, visibility, dt_s) for camera in rig.cameras)
    memories = tuple(
        CameraMemory(
            np.zeros((run.delay + 1, camera.width * camera.height, 3), np.float32),
            np.zeros(run.delay + 1, np.int64),
        )
        for run, camera in zip(runs, rig.cameras, strict=True)
    )
    return runs, memories


def _camera_run(camera: CameraConfig, visibility: Visibility, dt_s: float) -> CameraRun:
    packed = pack_camera(camera, far_m=visible_range_m(camera.far_m, visibility))
    return CameraRun(
        camera=packed,
        noise=noise_parameters(camera.noise, visibility),
        delay=latency_steps(camera.noise.latency_s, dt_s),
        scratch=see_scratch(packed.shape),
        depth=np.zeros(packed.shape),
    )


def nominal_views(rig: CameraRig) -> tuple[FieldOfView, ...]:
    """What the planner is told about the views: the data-sheet angles in whole degrees.

    The believed mount counts; for the default camera this is (0, 0, 59, 46).
    """
    views = []
    for camera in rig.cameras:
        mount = camera.assumed_mount or camera.mount
        views.append(
            FieldOfView(
                math.degrees(mount.yaw_rad),
                math.degrees(mount.pitch_rad),
                float(round(math.degrees(camera.horizontal_fov_rad))),
                float(round(math.degrees(camera.vertical_fov_rad))),
            )
        )
    return tuple(views)


def believed_views(system: System) -> tuple[FieldOfView, ...]:
    """The views the planner works with: nominal, or for a single camera what the system says."""
    views = nominal_views(system.rig)
    believed = system.planner.view_deg
    if believed is not None and len(views) == 1:
        return (views[0]._replace(h_fov_deg=believed[0], v_fov_deg=believed[1]),)
    return views
