"""The reference planner reproduces everything that was recorded from the real one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from test.golden.vectors import files
from uav_testgen.testing.golden.closed_loop import replay_free, replay_teacher_forced
from uav_testgen.testing.golden.records import Record, read_record
from uav_testgen.testing.golden.replay import replay_file
from uav_testgen.testing.golden.report import CaseCheck
from uav_testgen.testing.golden.stage import plan_stage

QUICK_LOOPS = ("loop_00", "loop_06", "loop_17", "loop_19")
"""One easy flight, the closest pass, one along the other axis, one that splits under small changes."""


def _stem(path: Path) -> str:
    return path.name.split(".")[0]


def _loop(path: Path) -> object:
    marks = () if _stem(path) in QUICK_LOOPS else (pytest.mark.slow,)
    return pytest.param(path, marks=marks, id=_stem(path))


def _assert_passed(check: CaseCheck) -> None:
    assert check.worst, "nothing was compared"
    assert not check.failures, "\n".join(
        f"{f.quantity}: {f.value} > {f.tolerance} {f.detail}" for f in check.failures
    )


def test_unit_samples() -> None:
    checks = [check for path in files("unit") for check in replay_file("unit", path, "reference")]
    assert len(checks) == 795
    for check in checks:
        _assert_passed(check)


@pytest.mark.parametrize("path", files("stage"), ids=_stem)
def test_stage(path: Path) -> None:
    for check in replay_file("stage", path, "reference"):
        _assert_passed(check)


@pytest.mark.parametrize("path", files("stage"), ids=_stem)
def test_stage_bit_for_bit(path: Path) -> None:
    """Not only within tolerance: costs, tree and path are the recorded float32 numbers, ties included."""
    record = read_record(path)
    result = plan_stage(record, "reference")
    output = record.record("output")
    assert np.array_equal(result.histogram_m, output.matrix("histogram").astype(np.float32))
    assert np.array_equal(result.path_enu_m, _f32(output, "path", (None, 3)))
    assert result.trace is not None
    if result.trace.costs is None:
        assert output.flag("histogram_empty")
        return
    costs, tree = result.trace.costs, output.record("tree")
    assert np.array_equal(costs.raw_other_cost, _f32(output, "raw_other_cost", (30, 60)))
    assert np.array_equal(costs.cost_matrix, _f32(output, "cost_matrix", (30, 60)))
    assert np.array_equal(costs.tree.parent, tree.integers("parent"))
    assert np.array_equal(costs.tree.position_enu_m, _f32(tree, "position", (None, 3)))
    assert np.array_equal(costs.tree.total_cost, _f32(tree, "total_cost", (None,)))


def _f32(record: Record, name: str, shape: tuple[int | None, ...]) -> np.ndarray:
    return record.array(name, shape).astype(np.float32)


@pytest.mark.parametrize("path", files("sequence"), ids=_stem)
def test_sequence(path: Path) -> None:
    for check in replay_file("sequence", path, "reference"):
        _assert_passed(check)


@pytest.mark.parametrize("path", [_loop(path) for path in files("closed_loop")])
def test_closed_loop_free(path: Path) -> None:
    _assert_passed(replay_free(read_record(path), path.name, "reference"))


@pytest.mark.parametrize("path", [_loop(path) for path in files("closed_loop")])
def test_closed_loop_teacher_forced(path: Path) -> None:
    _assert_passed(replay_teacher_forced(read_record(path), path.name, "reference"))
