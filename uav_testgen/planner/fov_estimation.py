"""Field of view measured from the clouds, as the planner's node does when nobody states it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import FieldOfView, Float32Array, cloud_array
from uav_testgen.planner.vfh3d.reference import polar


class FovEstimator:
    """Grows the view of one camera frame by frame; it never shrinks.

    A frame without finite points says nothing. The planner takes the result through ``set_fovs``.
    """

    def __init__(self) -> None:
        self._fov = FieldOfView(0.0, 0.0, 0.0, 0.0)

    @property
    def fov(self) -> FieldOfView:
        """What is known so far."""
        return self._fov

    def update(self, cloud_camera_m: npt.ArrayLike, camera_to_body: npt.ArrayLike) -> FieldOfView:
        """Take in one frame, given in the camera frame with its (3, 3) rotation to the body."""
        cloud = cloud_array(cloud_camera_m)
        finite = cloud[np.isfinite(cloud).all(axis=1)]
        if len(finite) == 0:
            return self._fov
        # Only the six extreme points count (the first of equal ones); they span the image roughly.
        extreme = finite[np.concatenate([finite.argmax(axis=0), finite.argmin(axis=0)])]
        self._enlarge(extreme @ np.asarray(camera_to_body, F32).T)
        return self._fov

    def _enlarge(self, points_body: Float32Array) -> None:
        seen = polar.cartesian_to_polar_fcu(points_body, np.zeros(3, F32))
        azimuth, elevation = seen.azimuth_deg + F32(180), seen.elevation_deg + F32(90)
        low, high = float(azimuth.min()), float(azimuth.max())
        direct, around = high - low, 360.0 - high + low
        if min(direct, around) > self._fov.h_fov_deg:
            centre = (high + low) / 2 - 180.0 if direct < around else (high + low) / 2
            self._fov = self._fov._replace(yaw_deg=centre, h_fov_deg=min(direct, around))
        low, high = float(elevation.min()), float(elevation.max())
        if high - low > self._fov.v_fov_deg:
            self._fov = self._fov._replace(pitch_deg=(high + low) / 2 - 90.0, v_fov_deg=high - low)
