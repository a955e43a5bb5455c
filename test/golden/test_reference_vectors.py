"""The reference planner reproduces everything that was recorded from the real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from test.golden.checks import assert_passed, assert_stage_bit_for_bit, stem
from test.golden.vectors import files
from uav_testgen.testing.golden.closed_loop import replay_free, replay_teacher_forced
from uav_testgen.testing.golden.records import read_record
from uav_testgen.testing.golden.replay import replay_file

QUICK_LOOPS = ("loop_00", "loop_06", "loop_17", "loop_19")
"""One easy flight, the closest pass, one along the other axis, one that splits under small changes."""


def _loop(path: Path) -> object:
    marks = () if stem(path) in QUICK_LOOPS else (pytest.mark.slow,)
    return pytest.param(path, marks=marks, id=stem(path))


def test_unit_samples() -> None:
    checks = [check for path in files("unit") for check in replay_file("unit", path, "reference")]
    assert len(checks) == 795
    for check in checks:
        assert_passed(check)


@pytest.mark.parametrize("path", files("stage"), ids=stem)
def test_stage(path: Path) -> None:
    for check in replay_file("stage", path, "reference"):
        assert_passed(check)


@pytest.mark.parametrize("path", files("stage"), ids=stem)
def test_stage_bit_for_bit(path: Path) -> None:
    assert_stage_bit_for_bit(path, "reference")


@pytest.mark.parametrize("path", files("sequence"), ids=stem)
def test_sequence(path: Path) -> None:
    for check in replay_file("sequence", path, "reference"):
        assert_passed(check)


@pytest.mark.parametrize("path", [_loop(path) for path in files("closed_loop")])
def test_closed_loop_free(path: Path) -> None:
    assert_passed(replay_free(read_record(path), path.name, "reference"))


@pytest.mark.parametrize("path", [_loop(path) for path in files("closed_loop")])
def test_closed_loop_teacher_forced(path: Path) -> None:
    assert_passed(replay_teacher_forced(read_record(path), path.name, "reference"))
