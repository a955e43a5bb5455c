"""What a renderer promises, and what comes out of a camera."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.sensing.camera import PackedCamera
from uav_testgen.sensing.rotation import rotation_from_euler
from uav_testgen.world.packed import PackedWorld

PointArray = NDArray[np.float32]


class Pose(NamedTuple):
    """Pose of the vehicle: position ENU and attitude R = Rz(yaw)·Ry(pitch)·Rx(roll), body x forward."""

    position_enu_m: tuple[float, float, float]
    yaw_rad: float = 0.0
    pitch_rad: float = 0.0
    roll_rad: float = 0.0

    def rotation(self) -> FloatArray:
        """Body to world matrix."""
        matrix = np.empty((3, 3))
        rotation_from_euler(self.roll_rad, self.pitch_rad, self.yaw_rad, matrix)
        return matrix


class DepthFrame(NamedTuple):
    """One image of one camera and the cloud in it.

    `depth_m` (rows, columns) float64 along the optical axis; +inf = no return, NaN = lost pixel.
    `points_enu_m` (n, 3) float32, one per finite pixel, row by row from the top, placed where the
    planner believes the camera to be.
    """

    depth_m: FloatArray
    points_enu_m: PointArray


class Renderer(Protocol):
    """Makes the depth image of a world."""

    @property
    def name(self) -> str:
        """Name in reports."""

    def depth(self, world: PackedWorld, t_s: float, camera: PackedCamera, pose: Pose) -> FloatArray:
        """Depth image (rows, columns) of the world at time t from the camera on a vehicle at `pose`."""
