"""The small compiled functions as the adapter that unit vectors are replayed on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uav_testgen.planner.vfh3d.base import FieldOfView, Float32Array
from uav_testgen.planner.vfh3d.compiled import (
    candidates,
    cost,
    goal,
    guide_kernel,
    obstacle_cost,
    polar,
    smoothing,
    view,
)
from uav_testgen.planner.vfh3d.compiled.grid import (
    BLOCKS,
    COLUMN_DEG,
    COLUMNS,
    LEFT,
    PADDED,
    ROW_DEG,
    ROWS,
    STRIDE,
)
from uav_testgen.planner.vfh3d.compiled.planner import fov_array

f32 = np.float32
_ALL_ROWS = (1 << ROWS) - 1


def _padded(matrix: Float32Array) -> Float32Array:
    rows = np.zeros((ROWS, STRIDE), np.float32)
    rows[:, :COLUMNS] = matrix
    return rows.ravel()


class CompiledFunctions:
    """Every function is pure; numbers are rounded to float32 on entry."""

    def cartesian_to_polar(self, point: Float32Array, origin: Float32Array) -> Float32Array:
        """Polar triple of a point, histogram convention."""
        d = np.asarray(point, f32) - np.asarray(origin, f32)
        e, z = polar.direction_angles(*d)
        return np.array([e, z, np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])], f32)

    def cartesian_to_polar_fcu(self, point: Float32Array, origin: Float32Array) -> Float32Array:
        """Polar triple of a point, body convention."""
        e, z, r = self.cartesian_to_polar(point, origin)
        return np.array([*polar.body_angles(e, z), r], f32)

    def polar_to_cartesian(self, polar_triple: Float32Array, origin: Float32Array) -> Float32Array:
        """Point at a polar triple, histogram convention."""
        e, z, r = np.asarray(polar_triple, f32)
        return np.array(polar.polar_to_cartesian(e, z, r, *np.asarray(origin, f32)), f32)

    def wrap_polar(self, elevation_deg: float, azimuth_deg: float) -> tuple[float, float]:
        """Angles folded into their ranges."""
        e, z = polar.wrap_polar(f32(elevation_deg), f32(azimuth_deg))
        return float(e), float(z)

    def polar_to_index(self, elevation_deg: float, azimuth_deg: float, cell_deg: int) -> tuple[int, int]:
        """(row, column) of a direction."""
        row, column = polar.polar_index(f32(elevation_deg), f32(azimuth_deg), cell_deg)
        return int(row), int(column)

    def angle_difference(self, a_deg: float, b_deg: float) -> float:
        """Signed a - b."""
        return float(polar.angle_difference(f32(a_deg), f32(b_deg)))

    def wrap_180(self, angle_deg: float) -> float:
        """Angle in [-180, 180)."""
        return float(polar.wrap_180(f32(angle_deg)))

    def wrap_pi(self, angle_rad: float) -> float:
        """Angle in [-pi, pi)."""
        return float(polar.wrap_pi(f32(angle_rad)))

    def scale_to_fov(self, fovs: Sequence[FieldOfView], elevation_deg: float, azimuth_deg: float) -> float:
        """Speed factor for a direction."""
        return float(view.scale_to_fov(fov_array(fovs), f32(azimuth_deg)))

    def inside_fov(self, fovs: Sequence[FieldOfView], elevation_deg: float, azimuth_deg: float) -> bool:
        """Is a direction seen by any camera?"""
        return bool(view.inside_any(fov_array(fovs), f32(elevation_deg), f32(azimuth_deg)))

    def setpoint_from_path(
        self, path: Float32Array, path_time_s: float, now_s: float, velocity_mps: float, initial: Float32Array
    ) -> tuple[bool, Float32Array]:
        """(valid, setpoint) on a path."""
        points = np.ascontiguousarray(np.asarray(path, f32).reshape(-1, 3))
        out = np.array(initial, f32)
        valid = guide_kernel.setpoint_from_path(
            points, len(points), float(path_time_s), float(now_s), f32(velocity_mps), out
        )
        return bool(valid), out

    def pad_matrix(self, matrix: Float32Array, radius: int) -> Float32Array:
        """Matrix with polar padding; the kernels index instead, with the same rule (smooth_vertically)."""
        source = np.asarray(matrix, f32)
        rows = np.arange(-radius, ROWS + radius)
        below, above = rows < 0, rows >= ROWS
        mirrored = np.where(below, -1 - rows, np.where(above, 2 * ROWS - 1 - rows, rows))
        columns = np.arange(-radius, COLUMNS + radius) % COLUMNS
        turned = (columns + COLUMNS // 2) % COLUMNS
        return np.where((below | above)[:, None], source[mirrored][:, turned], source[mirrored][:, columns])

    def smooth_matrix(self, matrix: Float32Array, radius: int) -> Float32Array:
        """Matrix spread by the triangular kernel."""
        offset = np.abs(np.arange(2 * radius + 1) - radius)
        weights = (1 + radius - offset).astype(f32) * (f32(1) / f32(1 + radius))
        rows = np.zeros((ROWS, PADDED), f32)
        rows[:, LEFT : LEFT + COLUMNS] = matrix
        source = rows.ravel()
        vertical, smoothed = np.zeros(3 * STRIDE, f32), np.zeros(STRIDE, f32)
        out = np.zeros((ROWS, COLUMNS), f32)
        for row in range(ROWS):
            smoothing.smooth_vertically(source, _ALL_ROWS, row, weights, radius, vertical)
            smoothing.smooth_horizontally(vertical, weights, radius, smoothed)
            out[row] = smoothed[:COLUMNS]
        return out

    def cost_function(self, sample: Any) -> tuple[float, float]:
        """(obstacle cost, other cost) of one direction."""
        row, column = polar.polar_index(f32(sample.elevation_deg), f32(sample.azimuth_deg), 6)
        position, velocity = np.asarray(sample.position, f32), np.asarray(sample.velocity, f32)
        e_goal, z_goal, distance, z_line = goal.goal_geometry(
            *position, np.asarray(sample.goal, f32), np.asarray(sample.closest_point, f32)
        )
        yaw_cost, line_cost, other = (np.zeros(STRIDE, f32) for _ in range(3))
        cost.azimuth_costs(
            z_goal,
            z_line,
            sample.facing,
            f32(sample.yaw_cost_param),
            yaw_cost,
            line_cost,
            np.zeros(BLOCKS, f32),
        )
        pitch = cost.pitch_cost(ROW_DEG[row], e_goal, distance, f32(sample.pitch_cost_param))
        cost.other_row(
            row, *velocity, polar.norm3(*velocity), f32(sample.velocity_cost_param), yaw_cost, line_cost,
            pitch, other,
        )  # fmt: skip
        obstacle = obstacle_cost.obstacle_cost(
            f32(sample.obstacle_distance_m), f32(sample.obstacle_cost_param_m)
        )
        return float(obstacle), float(other[column])

    def best_candidates(self, matrix: Float32Array, count: int) -> Float32Array:
        """(n, 3) rows [cost, elevation, azimuth] of the cheapest cells."""
        costs, cells = np.zeros(count + 2, f32), np.zeros(count + 2, np.int32)
        n = candidates.exact_selection(_padded(matrix), count, costs, cells)
        return np.stack([costs[:n], ROW_DEG[cells[:n] // STRIDE], COLUMN_DEG[cells[:n] % STRIDE]], axis=1)
