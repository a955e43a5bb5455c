"""Copies between arrays inside kernels."""

from __future__ import annotations

from typing import Any

from uav_testgen.core.kernel import inlined


@inlined
def copy_numbers(source: Any, target: Any) -> None:
    """`target[:] = source` for vectors of one length.

    The assignment itself would compile Numba's check of shapes with it, and the text of its message: seconds.
    """
    for index in range(source.shape[0]):
        target[index] = source[index]
