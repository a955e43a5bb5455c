"""Helpers of the compiled tree: hashed cubes, the next node to expand, and the bound before smoothing."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.planner.vfh3d.compiled import tree
from uav_testgen.planner.vfh3d.compiled.cost import pitch_cost, pitch_costs
from uav_testgen.planner.vfh3d.compiled.grid import COST_ROWS, PITCH, ROW_DEG, ROWS
from uav_testgen.planner.vfh3d.compiled.smoothing import DEFAULT_KERNEL, DEFAULT_RADIUS
from uav_testgen.planner.vfh3d.compiled.workspace import OCCUPIED_BITS, make_parameters, make_workspace
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters

F32 = np.float32


def test_a_near_node_is_never_overlooked() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        occupied = np.zeros(OCCUPIED_BITS // 64, np.uint64)
        node = rng.uniform(-20, 20, 3).astype(np.float32)
        tree._mark(occupied, *node)
        direction = rng.normal(size=3)
        child = (node + rng.uniform(0, 0.2) * direction / np.linalg.norm(direction)).astype(np.float32)
        assert tree._may_be_near(occupied, *child)


def test_a_far_node_seldom_needs_a_second_look() -> None:
    rng = np.random.default_rng(4)
    occupied = np.zeros(OCCUPIED_BITS // 64, np.uint64)
    tree._mark(occupied, F32(0.0), F32(0.0), F32(0.0))
    asked = [tree._may_be_near(occupied, *rng.uniform(2, 20, 3).astype(np.float32)) for _ in range(500)]
    assert sum(asked) < 25


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([np.inf, 7.0, 3.0, 3.0, 9.0], 2),
        ([np.inf, -1.0, -2.0, 3.0], 2),
        ([5.0, -0.0, 0.0], 1),
        ([np.inf, np.inf], -1),
    ],
)
def test_next_origin_is_the_first_cheapest_node(keys: list[float], expected: int) -> None:
    parameters = make_parameters(PlannerConfig(n_expanded_nodes=1), Px4Parameters())
    nodes = make_workspace(parameters).nodes
    nodes.key[: len(keys)] = keys
    assert tree._next_origin(nodes, len(keys)) == expected


@pytest.mark.parametrize("goal_distance_m", [30.0, 2.0])
def test_pitch_costs_are_those_of_each_row(goal_distance_m: float) -> None:
    costs = np.zeros(COST_ROWS, np.float32)
    pitch_costs(F32(11.0), F32(goal_distance_m), F32(25.0), costs)
    expected = [pitch_cost(e, F32(11.0), F32(goal_distance_m), F32(25.0)) for e in ROW_DEG]
    assert costs[PITCH : PITCH + ROWS].tolist() == expected


def test_written_out_kernel_is_the_configured_one() -> None:
    parameters = make_parameters(PlannerConfig(), Px4Parameters())
    assert parameters.radius == DEFAULT_RADIUS
    assert parameters.kernel[: DEFAULT_RADIUS + 1].tolist() == DEFAULT_KERNEL.tolist()
