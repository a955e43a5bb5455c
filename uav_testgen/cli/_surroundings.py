"""Can this process work at all? Asked first, because what lacks memory or descriptors fails anywhere."""

from __future__ import annotations

import contextlib
import os
import resource

from uav_testgen.core.errors import UnfitSurroundings

# `check` opens a handful of files; a campaign adds a few for each worker.
FEWEST_DESCRIPTORS = 64
_MIB = 1024 * 1024
# Measured: `check` maps 135 MiB, a flight whose kernels have to be compiled 755 MiB.
LEAST_MEMORY_MIB = {"check": 192, "score": 192}
LEAST_MEMORY_TO_FLY_MIB = 1024


def check_surroundings(command: str) -> None:
    """UnfitSurroundings where nothing could work: no working directory, few descriptors, little memory."""
    try:
        os.getcwd()
    except OSError:
        raise UnfitSurroundings(
            "the working directory no longer exists or cannot be entered; change to another one with cd"
        ) from None
    _check_descriptors()
    least = LEAST_MEMORY_MIB.get(command, LEAST_MEMORY_TO_FLY_MIB)
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < least * _MIB:
        raise UnfitSurroundings(
            f"this process may use {allowed // _MIB} MiB of memory, '{command}' needs at least {least} MiB; "
            "raise the limit (ulimit -v)"
        )


def _check_descriptors() -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most >= FEWEST_DESCRIPTORS > allowed:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (FEWEST_DESCRIPTORS, most))
            return
    if allowed < FEWEST_DESCRIPTORS:
        raise UnfitSurroundings(
            f"this process may open {allowed} files at a time, at least {FEWEST_DESCRIPTORS} are needed; "
            "raise the limit (ulimit -n)"
        )
