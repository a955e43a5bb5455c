"""Kernels of a flight neither allocate nor count references."""

from __future__ import annotations

from pathlib import Path

import uav_testgen
from uav_testgen.core.kernel import KERNEL

MAY_ALLOCATE = {"core/kernel.py", "fidelity/offboard/replay.py", "flight/similarity.py", "sensing/refine.py"}
"""Called once for a flight or an image from Python, never in a step of a compiled flight."""


def test_kernels_do_without_the_runtime_that_counts_references() -> None:
    assert KERNEL["_nrt"] is False


def test_only_what_is_called_outside_a_flight_allocates() -> None:
    root = Path(uav_testgen.__file__).parent
    users = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if "allocating_kernel" in path.read_text()
    }
    assert users == MAY_ALLOCATE
