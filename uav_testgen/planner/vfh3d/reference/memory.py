"""Filter of the newest clouds and memory of what left the view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import FieldOfView, Float32Array, IntArray, PlannerMemory
from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.planner.vfh3d.reference import polar
from uav_testgen.planner.vfh3d.reference import view as fov

MEMORY_CELL_DEG = 2
_COLUMNS = 360 // MEMORY_CELL_DEG
_CELLS = (180 // MEMORY_CELL_DEG) * _COLUMNS


@dataclass(frozen=True, slots=True)
class Body:
    """Pose of the vehicle as the planner sees it."""

    position: Float32Array
    yaw_deg: np.float32
    pitch_deg: np.float32


@dataclass(frozen=True, slots=True)
class ProcessedCloud:
    """The kept points with where they came from."""

    points: Float32Array
    age_s: Float32Array
    kept_new: IntArray
    kept_memory: IntArray


def process_clouds(
    memory: PlannerMemory,
    clouds: Sequence[Float32Array],
    fovs: Sequence[FieldOfView],
    body: Body,
    config: PlannerConfig,
    elapsed_s: np.float32,
) -> ProcessedCloud:
    """New points that pass the noise filter, then remembered points that are still worth keeping.

    The order of the output matters: it decides float32 sums and who survives in the next cycle.
    """
    new = np.concatenate(clouds) if clouds else np.zeros((0, 3), F32)
    needed = config.min_num_points_per_cell
    kept_new, counts = _filter_new(new, body.position, config, needed)
    kept_memory = _filter_memory(memory, counts, fovs, body, config, needed)
    return ProcessedCloud(
        points=np.concatenate([new[kept_new], memory.points_enu_m[kept_memory]]),
        age_s=np.concatenate([np.zeros(len(kept_new), F32), memory.age_s[kept_memory] + elapsed_s]),
        kept_new=kept_new,
        kept_memory=kept_memory,
    )


def _cells(points: Float32Array, position: Float32Array) -> IntArray:
    seen = polar.cartesian_to_polar(points, position)
    row, column = polar.polar_to_index(seen.elevation_deg, seen.azimuth_deg, MEMORY_CELL_DEG)
    return row * _COLUMNS + column


def _filter_new(
    new: Float32Array, position: Float32Array, config: PlannerConfig, needed: int
) -> tuple[IntArray, IntArray]:
    """Indices of the ``needed``-th point of each 2 degree cell, and how many points each cell received.

    NaN points fail both range comparisons and so count nowhere.
    """
    low, high = F32(config.min_sensor_range_m), F32(config.max_sensor_range_m)
    with np.errstate(over="ignore", invalid="ignore"):  # far or infinite points are just out of range
        squared = polar.squared_norm(new - position)
    in_range = np.flatnonzero((squared > low * low) & (squared < high * high))
    cells = _cells(new[in_range], position)
    counts = np.bincount(cells, minlength=_CELLS).astype(np.int64)
    by_cell = np.argsort(cells, kind="stable")
    first_of_cell = np.concatenate([[0], np.cumsum(counts)[:-1]])
    rank_in_cell = np.empty(len(cells), np.int64)
    rank_in_cell[by_cell] = np.arange(len(cells)) - first_of_cell[cells[by_cell]]
    return in_range[rank_in_cell == needed - 1], counts


def _filter_memory(
    memory: PlannerMemory,
    counts: IntArray,
    fovs: Sequence[FieldOfView],
    body: Body,
    config: PlannerConfig,
    needed: int,
) -> IntArray:
    """Indices of remembered points to keep: in range, young, outside every view, first of a free cell.

    What is in view but was not measured again is gone at once. There is no minimum range here, and the age is
    tested before this cycle's time is added.
    """
    points, high = memory.points_enu_m, F32(config.max_sensor_range_m)
    with np.errstate(over="ignore", invalid="ignore"):
        in_range = np.flatnonzero(polar.squared_norm(points - body.position) < high * high)
    near = points[in_range]
    cells = _cells(near, body.position)
    elevation, azimuth = fov.relative_to_body(near, body.position, body.yaw_deg, body.pitch_deg)
    young = memory.age_s[in_range] < F32(config.max_point_age_s)
    wanted = (counts[cells] < needed) & young & ~fov.inside(fovs, elevation, azimuth)
    candidates, candidate_cells = in_range[wanted], cells[wanted]
    _, first = np.unique(candidate_cells, return_index=True)
    kept: IntArray = candidates[np.sort(first)]
    return kept
