"""What both implementations of the planner are asked of the recorded vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from uav_testgen.testing.golden.records import Record, read_record
from uav_testgen.testing.golden.report import CaseCheck
from uav_testgen.testing.golden.stage import plan_stage


def stem(path: Path) -> str:
    """Name of a recorded file, for test ids."""
    return path.name.split(".")[0]


def assert_passed(check: CaseCheck) -> None:
    """Something was compared, and all of it agrees."""
    assert check.worst, "nothing was compared"
    assert not check.failures, "\n".join(
        f"{f.quantity}: {f.value} > {f.tolerance} {f.detail}" for f in check.failures
    )


def assert_stage_bit_for_bit(path: Path, implementation: str) -> None:
    """Costs of every candidate, tree and path are the recorded float32 numbers, ties included."""
    record = read_record(path)
    result = plan_stage(record, implementation)
    output = record.record("output")
    assert np.array_equal(result.histogram_m, output.matrix("histogram").astype(np.float32))
    assert np.array_equal(result.path_enu_m, f32(output, "path", (None, 3)))
    assert result.trace is not None
    if result.trace.costs is None:
        assert output.flag("histogram_empty")
        return
    costs, tree = result.trace.costs, output.record("tree")
    assert np.array_equal(costs.raw_other_cost, f32(output, "raw_other_cost", (30, 60)))
    assert np.array_equal(costs.cost_matrix, f32(output, "cost_matrix", (30, 60)))
    assert np.array_equal(costs.tree.parent, tree.integers("parent"))
    assert np.array_equal(costs.tree.position_enu_m, f32(tree, "position", (None, 3)))
    assert np.array_equal(costs.tree.total_cost, f32(tree, "total_cost", (None,)))
    for ours, recorded in zip(costs.tree.expansions, output.records("expansions"), strict=True):
        expected = recorded.array("candidates", (None, 3)).astype(np.float32)
        found = [[c.cost, c.elevation_deg, c.azimuth_deg] for c in ours.candidates]
        assert np.array_equal(np.array(found, np.float32), expected)


def f32(record: Record, name: str, shape: tuple[int | None, ...]) -> np.ndarray:
    """A recorded array in the planner's own precision."""
    return record.array(name, shape).astype(np.float32)
