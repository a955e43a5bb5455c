"""The exact float64 renderer behind the `Renderer` interface."""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.sensing.analytic import image_scratch, render_depth
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import PackedCamera, camera_pose
from uav_testgen.world.packed import PackedWorld


class AnalyticRenderer:
    """Ray casting by formula: fast, exact, no other library."""

    name = "analytic"

    def depth(self, world: PackedWorld, t_s: float, camera: PackedCamera, pose: Pose) -> FloatArray:
        """Depth image of the world at time t."""
        origin, rotation = np.empty(3), np.empty((3, 3))
        camera_pose(
            np.array(pose.position_enu_m, dtype=np.float64), pose.rotation(),
            camera.mount_m, camera.mount_rotation, origin, rotation,
        )  # fmt: skip
        placed = world.placed_at(t_s) if world.moving else world.obstacles
        depth = np.empty(camera.shape)
        ground = world.ground
        render_depth(
            placed, ground.vector, ground.heights, ground.water, camera.column_slopes, camera.row_slopes,
            origin, rotation, camera.near_m, camera.far_m, image_scratch(camera.shape), depth,
        )  # fmt: skip
        return depth
