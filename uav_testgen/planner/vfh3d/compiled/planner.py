"""The compiled planner behind the planner contract."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.vfh3d.base import (
    AZIMUTH_COLUMNS,
    ELEVATION_ROWS,
    NOMINAL_FOV,
    Candidate,
    CostTrace,
    Expansion,
    FieldOfView,
    Float32Array,
    PlannerMemory,
    PlannerResult,
    PlannerTrace,
    Tree,
    cloud_array,
    finite_vector,
)
from uav_testgen.planner.vfh3d.compiled.cycle import planning_cycle
from uav_testgen.planner.vfh3d.compiled.grid import COLUMN_DEG, FINE_CELLS, ROW_DEG, STRIDE
from uav_testgen.planner.vfh3d.compiled.inspection import (
    compress_histogram,
    cost_matrices,
    dense_histogram,
    obstacle_distances,
)
from uav_testgen.planner.vfh3d.compiled.polar import attitude_deg
from uav_testgen.planner.vfh3d.compiled.workspace import make_parameters, make_workspace
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters

_MATRIX = (ELEVATION_ROWS, AZIMUTH_COLUMNS)
_NO_INDICES = np.zeros(0, np.int64)


class CompiledPlanner:
    """3DVFH* in compiled code; same results as the reference planner."""

    def __init__(
        self, config: PlannerConfig, px4: Px4Parameters, fovs: Sequence[FieldOfView] = (NOMINAL_FOV,)
    ) -> None:
        self.config = config
        self.px4 = px4
        self._parameters = make_parameters(config, px4)
        self._workspace = make_workspace(self._parameters)
        self._no_trace = np.zeros((0, 0, 2), np.float32)
        self._mission_speed_mps = math.nan
        self.set_fovs(fovs)
        self.reset()

    def reset(self) -> None:
        """Forget memory, path and goals; parameters and fields of view stay."""
        self._n_memory = 0
        self._last_process_time_s = 0.0
        self._goal: Float32Array = np.array([0.0, 0.0, self.config.goal_z_m], np.float32)
        self._previous_goal: Float32Array = np.zeros(3, np.float32)
        self._path: Float32Array = np.zeros((0, 3), np.float32)
        self._last_path_time_s = 0.0
        self._tree_size = 0

    def set_fovs(self, fovs: Sequence[FieldOfView]) -> None:
        """Replace the fields of view."""
        self._fovs = fov_array(fovs)

    def set_goal(self, goal_enu_m: npt.ArrayLike, previous_goal_enu_m: npt.ArrayLike) -> None:
        """Fly to ``goal`` along the line from ``previous_goal``."""
        self._goal = finite_vector(goal_enu_m, 3, "goal").astype(np.float32)
        self._previous_goal = finite_vector(previous_goal_enu_m, 3, "previous goal").astype(np.float32)

    def set_mission_item_speed(self, speed_mps: float) -> None:
        """Speed demanded by the mission; NaN = none."""
        self._mission_speed_mps = float(speed_mps)

    def get_memory(self) -> PlannerMemory:
        """The remembered cloud."""
        memory, n = self._workspace.memory, self._n_memory
        points = np.stack([memory.x[:n], memory.y[:n], memory.z[:n]], axis=1)
        return PlannerMemory(points, memory.age[:n].copy(), self._last_process_time_s)

    def set_memory(self, memory: PlannerMemory) -> None:
        """Continue from a remembered cloud."""
        points = cloud_array(memory.points_enu_m)
        n = len(points)
        if n > FINE_CELLS:
            raise PlannerInputError(f"memory holds {n} points, at most {FINE_CELLS} (one per 2 deg cell)")
        if len(memory.age_s) != n:
            raise PlannerInputError(f"{len(memory.age_s)} ages do not fit {n} remembered points")
        buffers = self._workspace.memory
        buffers.x[:n], buffers.y[:n], buffers.z[:n] = points.T
        buffers.age[:n] = memory.age_s
        self._n_memory = n
        self._last_process_time_s = memory.last_process_time_s

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
        """One cycle: take in the clouds, plan if anything is near."""
        if not math.isfinite(time_s):
            raise PlannerInputError(f"time must be finite, got {time_s}")
        position = finite_vector(position_enu_m, 3, "position")
        velocity = finite_vector(velocity_enu_mps, 3, "velocity")
        quaternion = finite_vector(quaternion_wxyz, 4, "quaternion").astype(np.float32)
        state = np.concatenate([position, velocity]).astype(np.float32)
        yaw, pitch = attitude_deg(*quaternion)
        arrays = [cloud_array(cloud) for cloud in clouds]
        points = arrays[0] if len(arrays) == 1 else np.concatenate([*arrays, np.zeros((0, 3), np.float32)])
        points = np.ascontiguousarray(points)
        p, workspace = self._parameters, self._workspace
        candidates = np.zeros((p.expansions, p.children, 2), np.float32) if trace else self._no_trace
        kept_new = np.zeros(FINE_CELLS, np.int64) if trace else _NO_INDICES
        kept_memory = np.zeros(FINE_CELLS, np.int64) if trace else _NO_INDICES
        line_point = np.zeros(3, np.float32)
        n_new, n, planned, nodes, expanded, length = planning_cycle(
            points, self._n_memory, state, yaw, pitch, self._fovs,
            np.float32(time_s - self._last_process_time_s), self._goal, self._previous_goal, p, workspace,
            line_point, candidates, kept_new, kept_memory,
        )  # fmt: skip
        self._last_process_time_s = time_s
        self._n_memory = n
        if planned:
            self._path = workspace.path[:length].copy()
            self._last_path_time_s = time_s
            self._tree_size = nodes
        histogram = np.zeros(_MATRIX, np.float32)
        dense_histogram(workspace.memory, n, state[0], state[1], state[2], workspace.grid, histogram)
        compressed, distances = self._distances(histogram, state, yaw, trace)
        found = None
        if trace:
            tree = self._tree(nodes, expanded, candidates) if planned else None
            found = PlannerTrace(
                float(yaw), float(pitch), kept_new[:n_new], kept_memory[: n - n_new], compressed,
                self._costs(n, state, line_point, tree) if tree is not None else None,
            )  # fmt: skip
        cloud = workspace.memory
        return PlannerResult(
            time_s=time_s,
            cloud_enu_m=np.stack([cloud.x[:n], cloud.y[:n], cloud.z[:n]], axis=1),
            cloud_age_s=cloud.age[:n].copy(),
            histogram_m=histogram,
            closest_point_enu_m=line_point,
            planned_now=bool(planned),
            path_enu_m=self._path,
            last_path_time_s=self._last_path_time_s,
            tree_size=self._tree_size,
            cruise_velocity_mps=cruise_velocity_mps(self.config, self.px4, self._mission_speed_mps),
            obstacle_distance_m=distances,
            trace=found,
        )

    def _distances(
        self, histogram: Float32Array, state: Float32Array, yaw: np.float32, trace: bool
    ) -> tuple[Float32Array, Float32Array | None]:
        """Compressed row (zeros unless asked for) and the obstacle-distance message."""
        compressed = np.zeros(AZIMUTH_COLUMNS, np.float32)
        wanted = self.px4.cp_dist_m > 0.0
        if wanted or trace:
            compress_histogram(histogram, state[0], state[1], state[2], compressed)
        if not wanted:
            return compressed, None
        distances = np.zeros(AZIMUTH_COLUMNS, np.float32)
        p = self._parameters
        obstacle_distances(
            compressed, self._fovs, state[0], state[1], state[2], yaw, p.min_range, p.max_range, distances
        )
        return compressed, distances

    def _tree(self, count: int, expanded: int, candidates: Float32Array) -> Tree:
        nodes = self._workspace.nodes
        order = nodes.order[:expanded].astype(np.int64)
        return Tree(
            position_enu_m=np.stack([nodes.x[:count], nodes.y[:count], nodes.z[:count]], axis=1),
            velocity_enu_mps=np.stack([nodes.vx[:count], nodes.vy[:count], nodes.vz[:count]], axis=1),
            total_cost=nodes.total[:count].copy(),
            heuristic=nodes.heuristic[:count].copy(),
            parent=nodes.parent[:count].astype(np.int64),
            closed=nodes.closed[:count].astype(np.bool_),
            depth=nodes.depth[:count].astype(np.int64),
            closed_order=order,
            expansions=tuple(
                Expansion(int(node), tuple(_candidate(row) for row in rows))
                for node, rows in zip(order, candidates, strict=False)
            ),
        )

    def _costs(self, n: int, state: Float32Array, line_point: Float32Array, tree: Tree) -> CostTrace:
        raw_obstacle, raw_other, final = (np.zeros(_MATRIX, np.float32) for _ in range(3))
        facing = cost_matrices(
            self._workspace.memory, n, state, self._goal, line_point, self._parameters, self._workspace,
            raw_obstacle, raw_other, final,
        )  # fmt: skip
        first = tree.expansions[0].candidates if tree.expansions else ()
        return CostTrace(bool(facing), raw_obstacle, raw_other, final, first, tree)


def _candidate(row: Float32Array) -> Candidate:
    cell = int(row[1])
    return Candidate(float(row[0]), float(ROW_DEG[cell // STRIDE]), float(COLUMN_DEG[cell % STRIDE]))


def fov_array(fovs: Sequence[FieldOfView]) -> Float32Array:
    """Fields of view as (n, 4) float32 rows."""
    rows = np.array([tuple(fov) for fov in fovs], np.float32).reshape(-1, 4)
    if not np.isfinite(rows).all():
        raise PlannerInputError(f"fields of view must be finite, got {rows.tolist()}")
    return rows


def cruise_velocity_mps(config: PlannerConfig, px4: Px4Parameters, mission_speed_mps: float) -> float:
    """Speed the path is meant to be flown at: mission or cruise speed, limited by the braking distance."""
    acceleration, jerk = np.float32(px4.mpc_acc_hor_mps2), np.float32(px4.mpc_jerk_max_mps3)
    with np.errstate(divide="ignore", invalid="ignore"):
        ramp = acceleration / jerk
        b = np.float32(2.0) * acceleration * ramp
        c = np.float32(-2.0) * acceleration * np.float32(config.max_sensor_range_m)
        limit = (-b + np.sqrt(b * b - np.float32(4.0) * c)) / np.float32(2.0)
    speed: Any = np.float32(mission_speed_mps if math.isfinite(mission_speed_mps) else px4.mpc_xy_cruise_mps)
    return float(limit if limit < speed else speed)
