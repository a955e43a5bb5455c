"""The small functions of the reference planner under the names the unit vectors are replayed with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import FieldOfView, Float32Array
from uav_testgen.planner.vfh3d.reference import candidates, path_setpoint, polar, smoothing
from uav_testgen.planner.vfh3d.reference import cost as cost_matrix
from uav_testgen.planner.vfh3d.reference import view as fov
from uav_testgen.testing.golden.unit_helpers import CostSample


class ReferenceFunctions:
    """See ``uav_testgen.testing.golden.unit_helpers.UnitHelpers`` for what each function answers."""

    def cartesian_to_polar(self, point: Float32Array, origin: Float32Array) -> Float32Array:
        """Histogram convention."""
        return np.array(polar.cartesian_to_polar(point, origin), F32)

    def cartesian_to_polar_fcu(self, point: Float32Array, origin: Float32Array) -> Float32Array:
        """FCU convention."""
        return np.array(polar.cartesian_to_polar_fcu(point, origin), F32)

    def polar_to_cartesian(self, polar_point: Float32Array, origin: Float32Array) -> Float32Array:
        """Histogram convention."""
        return polar.polar_to_cartesian(polar.Polar(*polar_point), origin)

    def wrap_polar(self, elevation_deg: float, azimuth_deg: float) -> tuple[float, float]:
        """Folded direction."""
        elevation, azimuth = polar.wrap_polar(elevation_deg, azimuth_deg)
        return float(elevation), float(azimuth)

    def polar_to_index(self, elevation_deg: float, azimuth_deg: float, cell_deg: int) -> tuple[int, int]:
        """(row, column)."""
        row, column = polar.polar_to_index(elevation_deg, azimuth_deg, cell_deg)
        return int(row), int(column)

    def angle_difference(self, a_deg: float, b_deg: float) -> float:
        """Signed difference."""
        return float(polar.angle_difference(a_deg, b_deg))

    def wrap_180(self, angle_deg: float) -> float:
        """Wrapped degrees."""
        return float(polar.wrap_180(angle_deg))

    def wrap_pi(self, angle_rad: float) -> float:
        """Wrapped radians."""
        return float(polar.wrap_pi(angle_rad))

    def scale_to_fov(self, fovs: Sequence[FieldOfView], elevation_deg: float, azimuth_deg: float) -> float:
        """Speed factor; only the azimuth matters."""
        return float(fov.scale_to_fov(fovs, azimuth_deg))

    def inside_fov(self, fovs: Sequence[FieldOfView], elevation_deg: float, azimuth_deg: float) -> bool:
        """Seen by any camera."""
        return bool(fov.inside(fovs, elevation_deg, azimuth_deg))

    def setpoint_from_path(
        self, path: Float32Array, path_time_s: float, now_s: float, velocity_mps: float, initial: Float32Array
    ) -> tuple[bool, Float32Array]:
        """(valid, setpoint)."""
        return path_setpoint.setpoint_from_path(path, path_time_s, now_s, velocity_mps, initial)

    def pad_matrix(self, matrix: Float32Array, radius: int) -> Float32Array:
        """Padded matrix."""
        return smoothing.pad_matrix(matrix, radius)

    def smooth_matrix(self, matrix: Float32Array, radius: int) -> Float32Array:
        """Smoothed matrix."""
        return smoothing.smooth_matrix(matrix, radius)

    def cost_function(self, sample: CostSample) -> tuple[float, float]:
        """(obstacle cost, other cost)."""
        weights = cost_matrix.CostWeights(
            F32(sample.pitch_cost_param),
            F32(sample.yaw_cost_param),
            F32(sample.velocity_cost_param),
            F32(sample.obstacle_cost_param_m),
        )
        state = cost_matrix.CostState(sample.position, sample.velocity, sample.goal, sample.closest_point)
        elevation, azimuth = np.array([sample.elevation_deg], F32), np.array([sample.azimuth_deg], F32)
        distance = np.array([sample.obstacle_distance_m], F32)
        directions = cost_matrix.direction_vectors(elevation, azimuth)
        other = cost_matrix.other_cost(
            elevation,
            azimuth,
            directions,
            sample.velocity,
            cost_matrix.Bearings.of(state),
            weights,
            sample.facing,
        )
        obstacle = cost_matrix.obstacle_cost(distance, weights.obstacle_m)
        return float(obstacle[0]), float(other[0])

    def best_candidates(self, matrix: Float32Array, count: int) -> Float32Array:
        """(n, 3) rows [cost, elevation, azimuth]."""
        best = candidates.best_candidates(matrix, count)
        return np.array([(c.cost, c.elevation_deg, c.azimuth_deg) for c in best], F32).reshape(-1, 3)
