from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.planner.vfh3d.reference import candidates, polar
from uav_testgen.planner.vfh3d.reference.cost import CostState, CostWeights, cost_matrices, obstacle_cost
from uav_testgen.planner.vfh3d.reference.histogram import is_empty, make_histogram
from uav_testgen.planner.vfh3d.reference.interpolation import column_step, fill_skipped_columns
from uav_testgen.planner.vfh3d.reference.smoothing import kernel, pad_matrix, smooth_matrix, smoothing_radius

CONFIG = PlannerConfig()


def _state(position: tuple[float, ...] = (0, 0, 5), goal: tuple[float, ...] = (30, 0, 5)) -> CostState:
    at, to = np.array(position, np.float32), np.array(goal, np.float32)
    return CostState(at, np.array([1, 0, 0], np.float32), to, to)


def test_histogram_is_the_mean_distance() -> None:
    points = np.array([[4, 0.01, 0.01], [6, 0.01, 0.01], [0.01, 3, 0.01]], np.float32)
    histogram = make_histogram(points, np.zeros(3, np.float32))
    assert np.count_nonzero(histogram) == 2
    assert histogram[15, 44] == pytest.approx(5, abs=1e-3)
    assert histogram[15, 30] == pytest.approx(3, abs=1e-3)
    assert is_empty(make_histogram(points[:0], np.zeros(3, np.float32)))


@pytest.mark.parametrize(
    ("elevation", "step"), [(3, 1), (45, 1), (51, 2), (63, 2), (69, 3), (75, 4), (81, 6), (87, 19), (-87, 19)]
)
def test_steep_rows_are_sampled_sparsely(elevation: float, step: int) -> None:
    assert column_step(elevation) == step


def test_interpolation_closes_the_circle() -> None:
    matrix = np.zeros((30, 60), np.float32)
    matrix[29, 57], matrix[29, 0], matrix[29, 5] = 3.0, 9.0, 1000.0
    filled = fill_skipped_columns(matrix)
    assert filled[29, 58:].tolist() == [5.0, 7.0]
    assert filled[29, 19] == 0
    assert filled[29, 5] == pytest.approx(9 - 9 * 5 / 19)  # the obstacle in a skipped column is not seen


def test_obstacle_cost_is_a_sigmoid() -> None:
    cost = obstacle_cost(np.array([0, 0.3, 8.5, 15], np.float32), np.float32(8.5))
    assert cost[0] == 0
    assert cost[1] == pytest.approx(9963, abs=1)
    assert cost[2] == 5000
    assert cost[3] == pytest.approx(58, abs=1)


def test_kernel_is_not_normalised() -> None:
    assert smoothing_radius(40) == 7
    assert kernel(7).tolist() == [i / 8 for i in (1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1)]
    assert smooth_matrix(np.ones((30, 60), np.float32), 7) == pytest.approx(np.full((30, 60), 64.0))


@pytest.mark.parametrize("radius", [0, 1, 4, 7, 15])
def test_smoothing_equals_plain_sums(radius: int) -> None:
    matrix = np.random.default_rng(radius).random((30, 60)).astype(np.float32)
    weights = np.array([1 + radius - abs(i) for i in range(-radius, radius + 1)]) / (1 + radius)
    padded = pad_matrix(matrix, radius).astype(np.float64)
    expected = np.zeros((30, 60))
    for i, down in enumerate(weights):
        for j, across in enumerate(weights):
            expected += down * across * padded[i : i + 30, j : j + 60]
    assert smooth_matrix(matrix, radius) == pytest.approx(expected, rel=1e-5)


def test_padding_looks_over_the_pole() -> None:
    matrix = np.arange(1800, dtype=np.float32).reshape(30, 60)
    padded = pad_matrix(matrix, 2)
    assert padded[1, 2] == matrix[0, 30]
    assert padded[0, 2] == matrix[1, 30]
    assert padded[32, 2 + 45] == matrix[29, 15]
    assert padded[5, 0] == matrix[3, 58]
    assert padded[5, 63] == matrix[3, 1]


def test_obstacle_towards_the_goal_switches_the_line_off() -> None:
    histogram = np.zeros((30, 60), np.float32)
    histogram[17, 49] = 6.0  # two rows and five columns from the goal direction (row 15, column 44/45)
    assert cost_matrices(histogram, _state(), CostWeights.of(CONFIG), CONFIG).facing
    histogram[17, 49], histogram[17, 52] = 0, 6.0
    assert not cost_matrices(histogram, _state(), CostWeights.of(CONFIG), CONFIG).facing
    histogram[15, 45] = 0.2  # not farther than the minimum range
    assert not cost_matrices(histogram, _state(), CostWeights.of(CONFIG), CONFIG).facing


def test_goal_exactly_here_costs_infinity_without_warning() -> None:
    state = _state(position=(1, 2, 3), goal=(1, 2, 3))
    matrices = cost_matrices(np.zeros((30, 60), np.float32), state, CostWeights.of(CONFIG), CONFIG)
    assert not np.isfinite(matrices.cost).any()


# Few different values make ties, at the border of the selection too.
COSTS = hnp.arrays(np.float32, (30, 60), elements=st.integers(0, 40).map(float), fill=st.just(100.0))


@given(COSTS, st.integers(1, 30))
def test_candidates_are_the_cheapest_in_order(cost: np.ndarray, count: int) -> None:
    best = candidates.best_cells(cost, count)
    assert [value for value, _ in best] == sorted(cost.ravel().tolist())[:count]
    assert all(cost.ravel()[cell] == value for value, cell in best)
    assert best == candidates.best_cells_by_heap(cost.ravel(), count)


def test_shortcut_equals_the_heap_without_ties() -> None:
    cost = np.random.default_rng(3).permutation(1800).astype(np.float32).reshape(30, 60)
    assert candidates.best_cells(cost, 8) == candidates.best_cells_by_heap(cost.ravel(), 8)


def test_more_candidates_than_cells() -> None:
    assert len(candidates.best_cells(np.zeros((2, 3), np.float32), 100)) == 6


def test_nan_costs_do_not_break_the_selection() -> None:
    cost = np.full((30, 60), np.nan, np.float32)
    assert len(candidates.best_candidates(cost, 8)) == 8


def test_equal_costs_come_out_as_from_the_library_heap() -> None:
    # By hand. Pushing equal keys never sifts: [0 1 2 3].
    # Pop 0: 3 is taken off, the right child 2 moves up, 3 fills its place: [2 1 3].
    # Pop 2: 3 is taken off, the only child 1 moves up, 3 fills its place: [1 3]. Pop 1, pop 3.
    found = [cell for _, cell in candidates.best_cells_by_heap(np.zeros(4, np.float32), 4)]
    assert found == [3, 1, 2, 0]  # ascending order is the reverse of popping


def test_no_candidates_wanted() -> None:
    assert candidates.best_cells(np.zeros((30, 60), np.float32), 0) == []


def test_candidate_angles_are_cell_centres() -> None:
    cost = np.ones((30, 60), np.float32)
    cost[4, 50] = 0
    (best,) = candidates.best_candidates(cost, 1)
    assert (best.elevation_deg, best.azimuth_deg) == (-63.0, 123.0)
    assert polar.polar_to_index(best.elevation_deg, best.azimuth_deg, 6) == (4, 50)
