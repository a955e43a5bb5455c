"""How functions of compiled flights are compiled."""

from __future__ import annotations

from typing import Any, Final

from numba import njit

from uav_testgen.core import compile_watch as compile_watch  # from here on compiling is announced

KERNEL: Final[dict[str, Any]] = {"cache": True, "nogil": True, "error_model": "numpy"}
"""Kept on disk, runnable in threads, division by zero as in NumPy. No fast math: the order of floating-point
operations is part of every result."""

kernel = njit(**KERNEL)
"""Decorator of a function that compiled flights are made of."""
