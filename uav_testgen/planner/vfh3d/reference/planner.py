"""One planning cycle: cloud memory, histogram, closest point on the track, tree, speed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from numpy import float32 as F32

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.vfh3d.base import (
    NOMINAL_FOV,
    CostTrace,
    FieldOfView,
    Float32Array,
    PlannerMemory,
    PlannerResult,
    PlannerTrace,
    Tree,
    cloud_array,
    finite_vector,
)
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters
from uav_testgen.planner.vfh3d.reference import polar
from uav_testgen.planner.vfh3d.reference.candidates import best_candidates
from uav_testgen.planner.vfh3d.reference.cost import CostState, CostWeights, cost_matrices
from uav_testgen.planner.vfh3d.reference.histogram import is_empty, make_histogram
from uav_testgen.planner.vfh3d.reference.memory import Body, ProcessedCloud, process_clouds
from uav_testgen.planner.vfh3d.reference.obstacle_distance import compress_histogram, obstacle_distances
from uav_testgen.planner.vfh3d.reference.tree import StarPlanner, path_of

_SAME_GOAL_M: Final = F32(0.001)


class ReferencePlanner:
    """The readable implementation of :class:`uav_testgen.planner.vfh3d.base.Planner`."""

    def __init__(
        self, config: PlannerConfig, px4: Px4Parameters, fovs: Sequence[FieldOfView] = (NOMINAL_FOV,)
    ) -> None:
        self.config = config
        self.px4 = px4
        self._fovs = tuple(fovs)
        self._mission_item_speed_mps = math.nan
        self.reset()

    def reset(self) -> None:
        """Forget memory, path and goals; parameters and fields of view stay."""
        self._memory = PlannerMemory()
        self._goal = np.array([0.0, 0.0, self.config.goal_z_m], F32)
        self._previous_goal = np.zeros(3, F32)
        self._path = np.zeros((0, 3), F32)
        self._last_path_time_s = 0.0
        self._tree_size = 0

    def set_fovs(self, fovs: Sequence[FieldOfView]) -> None:
        """Replace the fields of view."""
        self._fovs = tuple(fovs)

    def set_goal(self, goal_enu_m: npt.ArrayLike, previous_goal_enu_m: npt.ArrayLike) -> None:
        """Fly to ``goal`` along the line from ``previous_goal``."""
        self._goal = finite_vector(goal_enu_m, 3, "goal").astype(F32)
        self._previous_goal = finite_vector(previous_goal_enu_m, 3, "previous goal").astype(F32)

    def set_mission_item_speed(self, speed_mps: float) -> None:
        """Speed demanded by the mission; NaN = none."""
        self._mission_item_speed_mps = speed_mps

    def get_memory(self) -> PlannerMemory:
        """The remembered cloud."""
        return self._memory

    def set_memory(self, memory: PlannerMemory) -> None:
        """Continue from a remembered cloud."""
        points, age_s = cloud_array(memory.points_enu_m), np.asarray(memory.age_s, F32)
        if age_s.shape != (len(points),):
            raise PlannerInputError(f"{len(points)} remembered points need as many ages, not {age_s.shape}")
        self._memory = PlannerMemory(points, age_s, memory.last_process_time_s)

    def plan(
        self,
        time_s: float,
        position_enu_m: npt.ArrayLike,
        velocity_enu_mps: npt.ArrayLike,
        quaternion_wxyz: npt.ArrayLike,
        clouds: Sequence[npt.ArrayLike],
        *,
        trace: bool = False,
    ) -> PlannerResult:
        """One cycle; see the protocol."""
        finite_vector([time_s], 1, "time")
        position = finite_vector(position_enu_m, 3, "position").astype(F32)
        velocity = finite_vector(velocity_enu_mps, 3, "velocity").astype(F32)
        yaw_deg, pitch_deg = polar.yaw_pitch_deg(finite_vector(quaternion_wxyz, 4, "quaternion"))
        body = Body(position, yaw_deg, pitch_deg)

        cloud = self._take_in(time_s, [cloud_array(points) for points in clouds], body)
        histogram = make_histogram(cloud.points, position)
        closest = closest_point_on_track(
            position, self._goal, self._previous_goal, F32(self.px4.mpc_xy_cruise_mps)
        )
        planned = not is_empty(histogram)
        tree: Tree | None = None
        if planned:  # otherwise the old path and its time stay, as in the original
            tree = StarPlanner(self.config, cloud.points, self._goal, closest).build(position, velocity)
            self._path = path_of(tree)
            self._last_path_time_s = time_s
            self._tree_size = len(tree)

        compressed = compress_histogram(histogram, position)
        return PlannerResult(
            time_s=time_s,
            cloud_enu_m=cloud.points,
            cloud_age_s=cloud.age_s,
            histogram_m=histogram,
            closest_point_enu_m=closest,
            planned_now=planned,
            path_enu_m=self._path,
            last_path_time_s=self._last_path_time_s,
            tree_size=self._tree_size,
            cruise_velocity_mps=self._cruise_velocity(),
            obstacle_distance_m=self._obstacle_distances(compressed, body),
            trace=self._trace(body, velocity, cloud, histogram, closest, compressed, tree) if trace else None,
        )

    def _take_in(self, time_s: float, clouds: list[Float32Array], body: Body) -> ProcessedCloud:
        """Update the memory. The first cycle's elapsed time is the absolute clock; nothing is old then."""
        elapsed_s = F32(time_s - self._memory.last_process_time_s)
        cloud = process_clouds(self._memory, clouds, self._fovs, body, self.config, elapsed_s)
        self._memory = PlannerMemory(cloud.points, cloud.age_s, time_s)
        return cloud

    def _cruise_velocity(self) -> float:
        """Mission or cruise speed, at most what still allows a stop within sensor range."""
        mission = self._mission_item_speed_mps
        speed = F32(mission if math.isfinite(mission) else self.px4.mpc_xy_cruise_mps)
        limit = stopping_speed_limit(self.px4, self.config.max_sensor_range_m)
        return float(limit if limit < speed else speed)

    def _obstacle_distances(self, compressed: Float32Array, body: Body) -> Float32Array | None:
        if not self.px4.cp_dist_m > 0:
            return None
        return obstacle_distances(
            compressed,
            self._fovs,
            body.position,
            body.yaw_deg,
            self.config.min_sensor_range_m,
            self.config.max_sensor_range_m,
        )

    def _trace(
        self,
        body: Body,
        velocity: Float32Array,
        cloud: ProcessedCloud,
        histogram: Float32Array,
        closest: Float32Array,
        compressed: Float32Array,
        tree: Tree | None,
    ) -> PlannerTrace:
        costs = None
        if tree is not None:
            state = CostState(body.position, velocity, self._goal, closest)
            matrices = cost_matrices(histogram, state, CostWeights.of(self.config), self.config)
            costs = CostTrace(
                matrices.facing,
                matrices.raw_obstacle,
                matrices.raw_other,
                matrices.cost,
                best_candidates(matrices.cost, self.config.children_per_node),
                tree,
            )
        return PlannerTrace(
            yaw_deg=float(body.yaw_deg),
            pitch_deg=float(body.pitch_deg),
            kept_new=cloud.kept_new,
            kept_memory=cloud.kept_memory,
            compressed_row_m=compressed,
            costs=costs,
        )


def closest_point_on_track(
    position: Float32Array, goal: Float32Array, previous_goal: Float32Array, cruise_mps: np.float32
) -> Float32Array:
    """Foot of the perpendicular on the line from the previous goal to the goal, at goal height.

    Near the track the goal itself is returned, so that the line pulls only when the vehicle strayed; the
    cruise speed, read as metres, is the threshold. A NaN speed never counts as near.
    """
    goal_xy, previous_xy, position_xy = goal[:2], previous_goal[:2], position[:2]
    along = polar.unit(goal_xy - previous_xy)
    offset = position_xy - previous_xy
    foot_xy = previous_xy + along * (along[0] * offset[0] + along[1] * offset[1])
    near_track = polar.norm(position_xy - foot_xy) < cruise_mps
    if near_track or polar.norm(goal_xy - previous_xy) < _SAME_GOAL_M:
        return np.array(goal, F32)
    return np.array([foot_xy[0], foot_xy[1], goal[2]], F32)


def stopping_speed_limit(px4: Px4Parameters, range_m: float) -> np.float32:
    """Speed from which the vehicle can stop within ``range_m`` with its acceleration and jerk limits."""
    acceleration = F32(px4.mpc_acc_hor_mps2)
    with np.errstate(divide="ignore", invalid="ignore"):
        ramp_s = acceleration / F32(px4.mpc_jerk_max_mps3)
        b = F32(2) * acceleration * ramp_s
        c = F32(-2) * acceleration * F32(range_m)
        limit: np.float32 = F32((-b + np.sqrt(b * b - F32(4) * c)) / F32(2))
    return limit
