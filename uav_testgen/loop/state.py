"""The state of a flight between two steps: everything the future depends on, as NumPy records and arrays.

A state can be copied, compared and put back, so a flight can be resumed at any step, stopped from outside by
setting `stop`, or branched into several. What does not change during a flight is in `LoopSetup`; buffers whose
contents mean nothing between steps are in `Scratch`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from uav_testgen.core.arrays import Float32Array, FloatArray, IntArray

CLOCK = np.dtype(
    [
        ("step", np.int64),  # steps flown
        ("cycle", np.int64),  # cycles of the vehicle flown
        ("n_memory", np.int64),  # points the planner remembers
        ("planned_at_s", np.float64),  # time of the planner's last cycle
        ("path_length", np.int64),
        ("path_time_s", np.float64),
        ("waiting_length", np.int64),  # the path of the step before, for guides that come late
        ("waiting_time_s", np.float64),
        ("code", np.int64),  # FLYING, or why the flight is over
        ("stop", np.int64),  # set to 1 from outside: end after this step
    ]
)


class LoopState(NamedTuple):
    """Everything that changes during a flight."""

    clock: Any
    """One record of CLOCK."""
    body: FloatArray
    setpoint: FloatArray
    progress: Any
    """One record of `vehicle.mission.PROGRESS`."""
    poses: FloatArray
    """The last poses, for images that are older than the plan."""
    vehicle: Any
    """Memory of the vehicle."""
    guide: Any
    """Memory of the guide."""
    points: Any
    """Points the planner remembers."""
    path: Float32Array
    waiting_path: Float32Array
    cameras: tuple[Any, ...]
    """Clouds on their way to the planner."""


class Log(NamedTuple):
    """What is written down of every step."""

    track: FloatArray
    """(n, 9) the body before step k; the last row is where the flight ended."""
    record: FloatArray
    """(n, 4) points seen and kept, planned or not, distance to the nearest obstacle."""
    waypoint_steps: IntArray
    """The step that reached route point i, or -1."""


N_POINTS, N_KEPT, PLANNED, DISTANCE = range(4)
"""Columns of `Log.record`."""
RECORD_SIZE = 4


def new_log(capacity: int, corners: int, body_size: int) -> Log:
    """Room for a flight of so many samples."""
    return Log(
        np.empty((capacity, body_size)), np.empty((capacity, RECORD_SIZE)), np.full(corners, -1, np.int64)
    )


def arrays_of(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(name, array) of every array in nested named tuples."""
    if isinstance(value, np.ndarray):
        yield path, value
    elif isinstance(value, tuple):
        names = getattr(value, "_fields", range(len(value)))
        for name, part in zip(names, value, strict=True):
            yield from arrays_of(part, f"{path}.{name}" if path else str(name))


def copy_state(state: LoopState) -> LoopState:
    """An independent copy."""
    copied: LoopState = _mapped(state)
    return copied


def _mapped(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    parts = [_mapped(part) for part in value]
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def restore_state(state: LoopState, saved: LoopState) -> None:
    """Put a copy back into the arrays a flight works with."""
    for (name, array), (_, kept) in zip(arrays_of(state), arrays_of(saved), strict=True):
        if array.shape != kept.shape or array.dtype != kept.dtype:
            raise ValueError(f"the state of another flight: {name} differs in shape or type")
        array[...] = kept


def differing(one: LoopState, other: LoopState) -> list[str]:
    """Names of the arrays in which two states differ; points beyond those remembered do not count."""
    n = int(one.clock["n_memory"][0])
    names = []
    for (name, array), (_, kept) in zip(arrays_of(one), arrays_of(other), strict=True):
        left, right = (array[:n], kept[:n]) if name.startswith("points.") else (array, kept)
        if left.shape != right.shape or left.tobytes() != right.tobytes():
            names.append(name)
    return names
