"""Cost of every direction: what deviates from goal, track and motion, plus smeared-out obstacles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, CELL_DEG, ELEVATION_ROWS, Float32Array
from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.planner.vfh3d.reference import polar
from uav_testgen.planner.vfh3d.reference.interpolation import fill_skipped_columns
from uav_testgen.planner.vfh3d.reference.smoothing import smooth_matrix, smoothing_radius

_NEAR_GOAL_M: Final = F32(5.0)
_LINE_WEIGHT: Final = F32(0.5)
_OBSTACLE_HALF_COST: Final = F32(5000)
_FACING_COLUMNS_DEG: Final = np.arange(-5, 6, dtype=F32) * F32(CELL_DEG)
_FACING_ROWS_DEG: Final = np.arange(-2, 3, dtype=F32) * F32(CELL_DEG)


@dataclass(frozen=True, slots=True)
class CostWeights:
    """The four weights, rounded to float32 once."""

    pitch: np.float32
    yaw: np.float32
    velocity: np.float32
    obstacle_m: np.float32

    @classmethod
    def of(cls, config: PlannerConfig) -> CostWeights:
        """The weights of a configuration."""
        return cls(
            F32(config.pitch_cost_param),
            F32(config.yaw_cost_param),
            F32(config.velocity_cost_param),
            F32(config.obstacle_cost_param_m),
        )


@dataclass(frozen=True, slots=True)
class CostState:
    """From where to where: the node being expanded, the goal and the closest point on the track."""

    position: Float32Array
    velocity: Float32Array
    goal: Float32Array
    closest_point: Float32Array


@dataclass(frozen=True, slots=True)
class Bearings:
    """Where goal and track lie as seen from a position."""

    goal_elevation_deg: Float32Array
    goal_azimuth_deg: Float32Array
    goal_distance_m: Float32Array
    track_azimuth_deg: Float32Array

    @classmethod
    def of(cls, state: CostState) -> Bearings:
        """The bearings of a state."""
        goal = polar.cartesian_to_polar(state.goal, state.position)
        track = polar.cartesian_to_polar(state.closest_point, state.position)
        distance = polar.norm(state.goal - state.position)
        return cls(goal.elevation_deg, goal.azimuth_deg, distance, track.azimuth_deg)


@dataclass(frozen=True, slots=True)
class CostMatrices:
    """Costs at one position. The raw ones are at every cell centre, before sub-sampling and smoothing."""

    facing: bool
    raw_obstacle: Float32Array
    raw_other: Float32Array
    cost: Float32Array


def direction_vectors(elevation_deg: Float32Array, azimuth_deg: Float32Array) -> Float32Array:
    """Unit vectors of directions, normalised once more as the original does (it changes the last bit)."""
    vectors = polar.polar_to_cartesian(
        polar.Polar(elevation_deg, azimuth_deg, np.ones_like(azimuth_deg)), np.zeros(3, F32)
    )
    return np.asarray(vectors / polar.norm(vectors)[..., None], F32)


_ELEVATION_DEG: Final = np.repeat(polar.ROW_ELEVATION_DEG[:, None], AZIMUTH_COLUMNS, axis=1)
_AZIMUTH_DEG: Final = np.repeat(polar.COLUMN_AZIMUTH_DEG[None, :], ELEVATION_ROWS, axis=0)
_DIRECTIONS: Final = direction_vectors(_ELEVATION_DEG, _AZIMUTH_DEG)


def obstacle_cost(distance_m: Float32Array, half_cost_distance_m: np.float32) -> Float32Array:
    """A sigmoid of distance: about 10000 at contact, 5000 at the parameter, towards 0 far away, 0 if free."""
    closeness = half_cost_distance_m - distance_m
    cost = _OBSTACLE_HALF_COST * (F32(1) + closeness / np.sqrt(F32(1) + closeness * closeness))
    return np.asarray(np.where(distance_m > 0, cost, F32(0)), F32)


def other_cost(
    elevation_deg: Float32Array,
    azimuth_deg: Float32Array,
    directions: Float32Array,
    velocity: Float32Array,
    bearings: Bearings,
    weights: CostWeights,
    facing: bool,
) -> Float32Array:
    """Velocity, goal azimuth, track azimuth and goal elevation costs, added in this order.

    The pull towards the track acts only when no obstacle is in the way of the goal.
    """
    line_share = F32(0) if facing else _LINE_WEIGHT

    along = directions[..., 0] * velocity[0] + (
        directions[..., 1] * velocity[1] + directions[..., 2] * velocity[2]
    )
    velocity_cost = weights.velocity * (polar.norm(velocity) - along)

    off_goal = polar.angle_difference(azimuth_deg, bearings.goal_azimuth_deg)
    yaw_cost = (F32(1) - line_share) * weights.yaw * off_goal * off_goal
    off_track = polar.angle_difference(azimuth_deg, bearings.track_azimuth_deg)
    line_cost = line_share * weights.yaw * off_track * off_track

    off_level = elevation_deg - bearings.goal_elevation_deg
    pitch_cost = weights.pitch * off_level * off_level
    if bearings.goal_distance_m < _NEAR_GOAL_M:
        # Near the goal height matters more; double precision here, infinite when the goal is reached exactly.
        share = np.float64(0.2) * np.float64(bearings.goal_distance_m)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            pitch_cost = np.asarray(pitch_cost.astype(np.float64) / (share * share), F32)
    return np.asarray(velocity_cost + yaw_cost + line_cost + pitch_cost, F32)


def obstacle_facing_goal(histogram_m: Float32Array, bearings: Bearings, config: PlannerConfig) -> bool:
    """Is there any obstacle within +-5 columns and +-2 rows around the goal direction?"""
    elevation = bearings.goal_elevation_deg + _FACING_ROWS_DEG
    azimuth = bearings.goal_azimuth_deg + _FACING_COLUMNS_DEG
    distance = histogram_m[polar.polar_to_index(elevation[:, None], azimuth, CELL_DEG)]
    in_range = (distance > F32(config.min_sensor_range_m)) & (distance < F32(config.max_sensor_range_m))
    return bool(in_range.any())


def cost_matrices(
    histogram_m: Float32Array, state: CostState, weights: CostWeights, config: PlannerConfig
) -> CostMatrices:
    """All costs at one position.

    Only the obstacle part is smeared, with a kernel that does not preserve the sum: one blocked region
    costs 64 times its own value, which is what keeps the drone well away from obstacles.
    """
    bearings = Bearings.of(state)
    facing = obstacle_facing_goal(histogram_m, bearings, config)
    raw_obstacle = obstacle_cost(histogram_m, weights.obstacle_m)
    raw_other = other_cost(
        _ELEVATION_DEG, _AZIMUTH_DEG, _DIRECTIONS, state.velocity, bearings, weights, facing
    )
    radius = smoothing_radius(config.smoothing_margin_deg)
    smeared = smooth_matrix(fill_skipped_columns(raw_obstacle), radius)
    cost = fill_skipped_columns(raw_other) + smeared
    return CostMatrices(facing, raw_obstacle, raw_other, cost)
