"""What the compiled planner leaves out or approximates never changes a result."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.planner.vfh3d.base import FieldOfView, make_planner
from uav_testgen.planner.vfh3d.compiled.bulk import (
    BLOCK,
    coarse_cells,
    exact_coarse_cell,
    exact_fine_cell,
    fine_cells,
)
from uav_testgen.planner.vfh3d.compiled.grid import FINE_COLUMNS, STRIDE
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters

pytestmark = pytest.mark.xdist_group("compiled")
f32 = np.float32
SEEDS = st.integers(0, 2**32 - 1)


def _border_points(rng: np.random.Generator, count: int) -> np.ndarray:
    """Points on and within a few float32 steps of cell borders, and on the axes."""
    angle = np.radians(
        rng.choice(np.arange(-180, 181, 2), count) + rng.choice([0.0, 1e-6, -1e-6, 1e-5], count)
    )
    rise = np.radians(rng.choice(np.arange(-90, 91, 2), count) + rng.choice([0.0, 1e-6, -1e-6, 1e-5], count))
    length = rng.uniform(0.1, 20.0, count)
    points = length * np.array([np.cos(rise) * np.sin(angle), np.cos(rise) * np.cos(angle), np.sin(rise)])
    points[rng.integers(0, 3), rng.random(count) < 0.2] = 0.0
    return points.astype(np.float32)


@given(seed=SEEDS, near_borders=st.booleans())
@settings(max_examples=60)
def test_cells_of_many_points_equal_the_c_library(seed: int, near_borders: bool) -> None:
    rng = np.random.default_rng(seed)
    n = 16 * BLOCK
    points = _border_points(rng, n) if near_borders else rng.normal(0, 8, (3, n)).astype(np.float32)
    origin = f32(0.0) if near_borders else f32(rng.uniform(-5, 5))
    x, y, z = (np.ascontiguousarray(row) for row in points)
    coarse, fine = np.zeros(n, np.int32), np.zeros(n, np.int32)
    scratch = [np.zeros(n, np.float32) for _ in range(4)]
    coarse_cells(x, y, z, n, origin, origin, origin, coarse, scratch[0])
    fine_cells(x, y, z, n, origin, origin, origin, fine, scratch[1], scratch[2], scratch[3])
    for i in range(n):
        d = (x[i] - origin, y[i] - origin, z[i] - origin)
        assert coarse[i] in (-1, exact_coarse_cell(*d))
        assert fine[i] in (-1, exact_fine_cell(*d))
    assert coarse.max() < 30 * STRIDE and fine.max() < 90 * FINE_COLUMNS
    if not near_borders:
        assert np.mean(coarse < 0) < 0.02  # else the approximation saves nothing


def _random_config(rng: np.random.Generator) -> PlannerConfig:
    return PlannerConfig(
        max_sensor_range_m=rng.uniform(5, 20),
        min_sensor_range_m=rng.uniform(0, 1),
        pitch_cost_param=rng.choice([0.0, 5.0, 25.0]),
        yaw_cost_param=rng.choice([0.0, 3.0, 20.0]),
        velocity_cost_param=rng.choice([0.0, 600.0, 6000.0]),
        obstacle_cost_param_m=rng.uniform(0, 20),
        smoothing_margin_deg=rng.choice([0.0, 5.0, 20.0, 40.0, 90.0]),
        children_per_node=int(rng.choice([0, 1, 3, 8, 12])),
        n_expanded_nodes=int(rng.choice([0, 1, 6])),
        tree_node_distance_m=rng.choice([0.0, 0.5, 2.0, 5.0]),
        min_num_points_per_cell=int(rng.choice([1, 1, 2, 3])),
        max_point_age_s=rng.choice([0.0, 0.3, 20.0]),
    )


@given(seed=SEEDS)
@settings(max_examples=40)
def test_compiled_equals_reference_over_several_cycles(seed: int) -> None:
    """Same kept points, histogram, path and tree size, bit for bit, for any parameters and clouds."""
    rng = np.random.default_rng(seed)
    config = _random_config(rng)
    px4 = Px4Parameters(mpc_xy_cruise_mps=rng.uniform(0.1, 6), cp_dist_m=rng.choice([-1.0, 4.0]))
    fovs = [FieldOfView(rng.choice([0.0, 60.0, 180.0]), rng.uniform(-20, 20), 59.0, 46.0) for _ in range(2)]
    planners = [make_planner(name, config, px4, fovs) for name in ("reference", "compiled")]
    goal, previous = rng.uniform(-30, 30, 3), rng.uniform(-30, 30, 3)
    position = goal.copy() if rng.random() < 0.1 else rng.uniform(-10, 10, 3)
    for planner in planners:
        planner.set_goal(goal, previous)
    for cycle in range(3):
        cloud = (position + rng.normal(0, 5, (rng.integers(0, 200), 3))).astype(np.float32)
        cloud[rng.random(len(cloud)) < 0.05] = np.nan
        cloud[rng.random(len(cloud)) < 0.02] = np.inf
        quaternion = rng.normal(size=4)
        quaternion /= np.linalg.norm(quaternion)
        velocity = rng.uniform(-3, 3, 3)
        reference, compiled = (
            planner.plan(10.0 + 0.1 * cycle, position, velocity, quaternion, [cloud]) for planner in planners
        )
        assert np.array_equal(reference.cloud_enu_m, compiled.cloud_enu_m)
        assert np.array_equal(reference.cloud_age_s, compiled.cloud_age_s)
        assert np.array_equal(reference.histogram_m, compiled.histogram_m)
        assert reference.planned_now == compiled.planned_now
        assert reference.tree_size == compiled.tree_size
        assert np.array_equal(reference.path_enu_m, compiled.path_enu_m)
        assert reference.cruise_velocity_mps == compiled.cruise_velocity_mps
        assert np.array_equal(reference.closest_point_enu_m, compiled.closest_point_enu_m)
        if reference.obstacle_distance_m is None:
            assert compiled.obstacle_distance_m is None
        else:
            assert np.array_equal(reference.obstacle_distance_m, compiled.obstacle_distance_m, equal_nan=True)
        position = position + rng.uniform(-0.5, 0.5, 3)


@given(seed=SEEDS, guess=st.sampled_from([0.0, 1.0, 3000.0, 1e5, 1e7]))
@settings(max_examples=20)
def test_the_guessed_bound_never_changes_the_answer(seed: int, guess: float) -> None:
    rng = np.random.default_rng(seed)
    cloud = rng.normal(0, 6, (150, 3)).astype(np.float32)
    results = []
    for bound in (5000.0, guess):
        planner = make_planner("compiled")
        planner.set_goal((25.0, 3.0, 0.0), (0.0, 0.0, 0.0))
        planner._workspace.selection.guess[0] = bound  # type: ignore[attr-defined]
        results.append(planner.plan(1.0, (0, 0, 0), (2.0, 0, 0), (1, 0, 0, 0), [cloud]))
    assert np.array_equal(results[0].path_enu_m, results[1].path_enu_m)
    assert results[0].tree_size == results[1].tree_size
