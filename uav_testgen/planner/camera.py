"""A camera as a planner may know it: what its data sheet says, and where it was when the image was taken.

Pixel (column, row) looks along ((column − cx)/fx, (row − cy)/fy, 1) in the optical frame: x right, y down, z forward.
A depth is measured along z, as in a ROS depth image, so the point of a pixel is its depth times that vector.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from uav_testgen.core.arrays import Float32Array, FloatArray


@dataclass(frozen=True, eq=False)
class Camera:
    """One depth camera at the moment of its image. Nothing in it can be changed."""

    name: str
    frame_id: str
    """The optical frame, as tf and image headers name it."""
    width: int
    """Columns [px]."""
    height: int
    """Rows [px]."""
    fx: float
    """Focal length along columns [px]."""
    fy: float
    """Focal length along rows [px]."""
    cx: float
    """Principal point, column [px]; 0 is the middle of the first pixel."""
    cy: float
    """Principal point, row [px]."""
    near_m: float
    """Nothing nearer is measured."""
    far_m: float
    """Nothing farther is measured, by the data sheet; fog may shorten it."""
    t_s: float
    """When the image was taken, in seconds of the flight."""
    position_enu_m: FloatArray = field(repr=False)
    """(3,) the optical centre in the map, at that time."""
    optical_to_enu: FloatArray = field(repr=False)
    """(3, 3) turns optical axes into those of the map; its columns are right, down and forward."""

    def __post_init__(self) -> None:
        for name in ("position_enu_m", "optical_to_enu"):
            own = np.array(getattr(self, name), dtype=np.float64)
            own.setflags(write=False)
            object.__setattr__(self, name, own)

    def points_enu_m(
        self, columns: npt.ArrayLike, rows: npt.ArrayLike, depths_m: npt.ArrayLike
    ) -> FloatArray:
        """(..., 3) where pixels with these depths are in the map."""
        depths = np.asarray(depths_m, dtype=np.float64)
        right = (np.asarray(columns) - self.cx) / self.fx * depths
        down = (np.asarray(rows) - self.cy) / self.fy * depths
        points: FloatArray = (
            np.stack(np.broadcast_arrays(right, down, depths), axis=-1) @ self.optical_to_enu.T
        )
        return points + self.position_enu_m

    def pixels(self, points_enu_m: npt.ArrayLike) -> FloatArray:
        """(n, 3) column, row and depth of points of the map; NaN for points that are not in front."""
        away = np.asarray(points_enu_m, dtype=np.float64).reshape(-1, 3) - self.position_enu_m
        right, down, depth = (away @ self.optical_to_enu).T
        depth = np.where(depth > 0.0, depth, np.nan)
        return np.stack([self.cx + self.fx * right / depth, self.cy + self.fy * down / depth, depth], axis=-1)

    def depth_image_m(self, cloud_enu_m: npt.ArrayLike) -> Float32Array:
        """(height, width) depth image of a cloud: the nearest point of each pixel, NaN where there is none."""
        seen = self.pixels(cloud_enu_m)
        seen = seen[np.isfinite(seen).all(axis=1)]
        columns, rows = np.rint(seen[:, :2]).T
        inside = (columns >= 0) & (columns < self.width) & (rows >= 0) & (rows < self.height)
        image = np.full((self.height, self.width), np.inf)
        at = rows[inside].astype(np.int64), columns[inside].astype(np.int64)
        np.minimum.at(image, at, seen[inside, 2])
        image[np.isinf(image)] = np.nan
        shown = image.astype(np.float32)
        shown.setflags(write=False)
        return shown
