"""From a vehicle pose to point clouds: cameras, renderer, noise and fog put together.

`see` is the compiled one-camera chain for the LFS; `DepthSensor` the same for everything else (the ROS
node uses it with either renderer). Both call the same kernels, so their clouds are equal bit by bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.scenario.model import Scenario, Visibility
from uav_testgen.sensing.analytic import ImageScratch, cloud_from_depth, image_scratch, render_depth
from uav_testgen.sensing.analytic_renderer import AnalyticRenderer
from uav_testgen.sensing.base import DepthFrame, Pose, Renderer
from uav_testgen.sensing.camera import CameraRig, PackedCamera, camera_pose, pack_camera
from uav_testgen.sensing.noise import (
    NoiseParameters,
    add_noise,
    noise_parameters,
    visible_range_m,
)
from uav_testgen.sensing.rotation import rotation_from_euler
from uav_testgen.world.packed import PackedWorld, pack
from uav_testgen.world.terrain import Ground

PointArray = NDArray[np.float32]


class SeeScratch(NamedTuple):
    """Buffers of one camera, without meaning between two images."""

    body: FloatArray
    """Attitude of the vehicle as a matrix."""
    origin: FloatArray
    rotation: FloatArray
    image: ImageScratch


def see_scratch(shape: tuple[int, int]) -> SeeScratch:
    """Buffers for a camera with so many rows and columns."""
    return SeeScratch(np.empty((3, 3)), np.empty(3), np.empty((3, 3)), image_scratch(shape))


@kernel
def see(
    placed: FloatArray,
    ground: Ground,
    camera: PackedCamera,
    noise: NoiseParameters,
    seed: int,
    step: int,
    camera_index: int,
    position: FloatArray,
    roll_rad: float,
    pitch_rad: float,
    yaw_rad: float,
    scratch: SeeScratch,
    depth: FloatArray,
    points: PointArray,
) -> int:
    """Depth image and cloud of one camera into preallocated arrays; returns the number of points."""
    body, origin, rotation = scratch.body, scratch.origin, scratch.rotation
    rotation_from_euler(roll_rad, pitch_rad, yaw_rad, body)
    camera_pose(position, body, camera.mount_m, camera.mount_rotation, origin, rotation)
    render_depth(
        placed, ground.vector, ground.heights, ground.water, camera.column_slopes, camera.row_slopes,
        origin, rotation, camera.near_m, camera.far_m, scratch.image, depth,
    )  # fmt: skip
    add_noise(depth, noise, camera.near_m, camera.far_m, seed, step, camera_index)
    camera_pose(position, body, camera.assumed_m, camera.assumed_rotation, origin, rotation)
    return int(cloud_from_depth(depth, camera.column_slopes, camera.row_slopes, origin, rotation, points))


def cloud_of(depth: FloatArray, camera: PackedCamera, pose: Pose) -> PointArray:
    """The cloud in a depth image, placed where the planner believes the camera to be."""
    origin, rotation = np.empty(3), np.empty((3, 3))
    camera_pose(
        np.array(pose.position_enu_m, dtype=np.float64), pose.rotation(),
        camera.assumed_m, camera.assumed_rotation, origin, rotation,
    )  # fmt: skip
    points = np.empty((depth.size, 3), dtype=np.float32)
    n = cloud_from_depth(depth, camera.column_slopes, camera.row_slopes, origin, rotation, points)
    return np.array(points[:n])


class DepthSensor:
    """All cameras of a vehicle in one scenario."""

    def __init__(
        self,
        world: PackedWorld,
        rig: CameraRig,
        renderer: Renderer | None = None,
        *,
        visibility: Visibility | None = None,
        seed: int = 0,
    ) -> None:
        self.world = world
        self.rig = rig
        self.renderer: Renderer = renderer if renderer is not None else AnalyticRenderer()
        self.seed = seed
        self.cameras = tuple(
            pack_camera(camera, far_m=visible_range_m(camera.far_m, visibility)) for camera in rig.cameras
        )
        self._noise = tuple(noise_parameters(camera.noise, visibility) for camera in rig.cameras)

    @classmethod
    def of(
        cls, scenario: Scenario, rig: CameraRig, renderer: Renderer | None = None, *, seed: int | None = None
    ) -> DepthSensor:
        """The sensor of a scenario; its own seed unless another one is given."""
        chosen = scenario.seed if seed is None else seed
        return cls(pack(scenario), rig, renderer, visibility=scenario.visibility, seed=chosen)

    def frame(self, camera_index: int, t_s: float, pose: Pose, step: int) -> DepthFrame:
        """What one camera sees at time t; `step` numbers the frames and selects the noise."""
        camera = self.cameras[camera_index]
        depth = self.renderer.depth(self.world, t_s, camera, pose)
        add_noise(
            depth, self._noise[camera_index], camera.near_m, camera.far_m, self.seed, step, camera_index
        )
        return DepthFrame(depth, cloud_of(depth, camera, pose))

    def frames(self, t_s: float, pose: Pose, step: int) -> tuple[DepthFrame, ...]:
        """What every camera sees at time t, in the order of the rig."""
        return tuple(self.frame(k, t_s, pose, step) for k in range(len(self.cameras)))
