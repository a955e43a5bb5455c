from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.planner.vfh3d.base import NOMINAL_FOV, PlannerMemory
from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.planner.vfh3d.reference.memory import Body, ProcessedCloud, process_clouds

LEVEL = Body(np.zeros(3, np.float32), np.float32(0), np.float32(0))


def _process(
    clouds: list[list[list[float]]],
    memory: list[list[float]] | None = None,
    body: Body = LEVEL,
    elapsed_s: float = 0.1,
    **config: float,
) -> ProcessedCloud:
    old = np.array(memory or [], np.float32).reshape(-1, 4)
    return process_clouds(
        PlannerMemory(old[:, :3], old[:, 3]),
        [np.array(cloud, np.float32).reshape(-1, 3) for cloud in clouds],
        [NOMINAL_FOV],
        body,
        PlannerConfig(**config),  # type: ignore[arg-type]
        np.float32(elapsed_s),
    )


def test_nan_infinite_near_and_far_points_are_dropped() -> None:
    nan, inf = math.nan, math.inf
    cloud = [
        [nan, 1, 1],
        [5, nan, 0],
        [inf, 0, 0],
        [0.1, 0, 0],
        [0.2, 0, 0],
        [15, 0, 0],
        [1e30, 0, 0],
        [5, 0, 0],
    ]
    assert _process([cloud]).kept_new.tolist() == [7]


def test_first_point_of_a_cell_stays_across_cameras() -> None:
    kept = _process([[[5, 0.01, 0.01], [6, 0.01, 0.01]], [[7, 0.01, 0.01], [7, 3, 0.01]]])
    assert kept.kept_new.tolist() == [0, 3]


def test_the_nth_point_of_a_cell_counts() -> None:
    cell = [[5 + 0.1 * i, 0.01, 0.01] for i in range(5)]
    assert _process([cell], min_num_points_per_cell=3).kept_new.tolist() == [2]
    assert len(_process([cell], min_num_points_per_cell=6).kept_new) == 0


def test_memory_waits_for_enough_new_points() -> None:
    behind = [-5.0, 0.1, 0.1]
    old = [[-6.0, 0.12, 0.12, 1.0]]
    assert _process([[behind]], old, min_num_points_per_cell=2).kept_memory.tolist() == [0]
    assert _process([[behind, behind]], old, min_num_points_per_cell=2).kept_memory.tolist() == []


def test_memory_in_view_is_gone_and_out_of_view_ages() -> None:
    old = [[5, 0, 0, 1.0], [-5, 0.1, 0.1, 2.0], [0, 5, 3, 3.0]]
    kept = _process([[]], old)
    assert kept.kept_memory.tolist() == [1, 2]
    assert kept.age_s == pytest.approx([2.1, 3.1])


def test_age_limit_is_tested_before_ageing() -> None:
    old = [[-5, 0.1, 0.1, 19.999], [0, 5, 3, 20.0]]
    kept = _process([[]], old, elapsed_s=4.0)
    assert kept.kept_memory.tolist() == [0]
    assert kept.age_s[0] == pytest.approx(23.999)


def test_memory_has_no_minimum_range_but_a_maximum() -> None:
    old = [[-0.05, 0.001, 0.001, 0.0], [-15.0, 0.1, 5.0, 0.0]]
    assert _process([[]], old).kept_memory.tolist() == [0]


def test_one_remembered_point_per_cell() -> None:
    old = [[-5, 0.1, 0.1, 1.0], [-6, 0.12, 0.12, 0.0], [-5, 2, 0.1, 0.0]]
    assert _process([[]], old).kept_memory.tolist() == [0, 2]


def test_pitch_moves_the_view() -> None:
    below = [[4, 0.1, -3.0, 0.0]]  # 37 degrees down: out of a level view, inside a view pitched down
    assert len(_process([[]], below).kept_memory) == 1
    nose_down = Body(LEVEL.position, np.float32(0), np.float32(25))
    assert len(_process([[]], below, nose_down).kept_memory) == 0


def test_no_cloud_at_all_only_ages_the_memory() -> None:
    kept = _process([], [[-5, 0.1, 0.1, 1.0]])
    assert kept.age_s == pytest.approx([1.1])
