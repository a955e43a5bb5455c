"""How alike the tests of a suite are: overlap of obstacle areas, test against test."""

from __future__ import annotations

from collections.abc import Sequence

from uav_testgen.scenario.footprint import obstacle_iou
from uav_testgen.scenario.model import Scenario


def overlap_matrix(scenarios: Sequence[Scenario]) -> list[list[float]]:
    """Intersection over union of every pair; 1 on the diagonal."""
    matrix = [[1.0] * len(scenarios) for _ in scenarios]
    for i, one in enumerate(scenarios):
        for j in range(i):
            matrix[i][j] = matrix[j][i] = obstacle_iou(one.obstacles, scenarios[j].obstacles)
    return matrix
