"""From the estimator's samples to one clean trajectory: NED to ENU, the flight only, its start as origin.

What is repaired, and noted:

* samples without a valid or finite position are left out, unless that leaves a hole in the flight;
* velocities and headings that are absent or impossible are taken from the positions;
* a shift of the estimate that the estimator announces (its reset counter changes) stays if it is small,
  because it corrects an error of the samples before it; a large one is taken out;
* of several flights in one log the longest is taken.

A jump that nobody announced, a hole or a flight that never leaves the ground is an error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.ulog.topics import Columns

MAX_HOLE_S = 2.0
KEPT_RESET_M = 2.0
MAX_SPEED_MPS = 40.0
MIN_HEIGHT_M = 0.5
MIN_DURATION_S = 3.0
MAX_DISTANCE_M = 10_000.0
_LANDED_HEIGHT_M = 0.3
_CUT_HEIGHT_M = 1.0


@dataclass(frozen=True, slots=True)
class Track:
    """The flight, where its origin lies in the estimator's NED frame, and what was repaired."""

    trajectory: Trajectory
    origin_ned_m: tuple[float, float, float]
    reference_deg: tuple[float, float, float] | None
    ends_in_air: bool
    begin_us: float
    end_us: float
    notes: tuple[str, ...]


def make_track(source: str, position: Columns, landed: Columns | None) -> Track:
    """The one flight in the samples; InputFileError names what is wrong with them."""
    missing = [name for name in ("timestamp", "x", "y", "z") if name not in position]
    if missing:
        raise InputFileError(f"{source}: vehicle_local_position has no {', '.join(missing)}")
    notes: list[str] = []
    t_s, ned, velocity, heading, resets, reference = _samples(source, position, notes)
    ned = _without_jumps(source, t_s, ned, resets, notes)
    first, last = _flight(source, t_s, ned, landed, notes)
    origin = ned[first].copy()
    relative = ned[first : last + 1] - origin
    up = -relative[:, 2]
    if float(np.max(up)) < MIN_HEIGHT_M or t_s[last] - t_s[first] < MIN_DURATION_S:
        raise InputFileError(
            f"{source}: no flight in it: {t_s[last] - t_s[first]:.1f} s long and {float(np.max(up)):.2f} m "
            f"high at most (at least {MIN_DURATION_S:g} s and {MIN_HEIGHT_M:g} m are needed)"
        )
    if float(np.max(np.abs(relative))) > MAX_DISTANCE_M:
        raise InputFileError(f"{source}: the flight leaves the {MAX_DISTANCE_M:g} m around its start")
    part = slice(first, last + 1)
    trajectory = Trajectory(
        t_s=t_s[part] - t_s[first],
        position_enu_m=np.column_stack([relative[:, 1], relative[:, 0], up]),
        velocity_enu_mps=np.column_stack([velocity[part, 1], velocity[part, 0], -velocity[part, 2]]),
        yaw_rad=0.5 * np.pi - heading[part],
    )
    place = None if reference is None else tuple(float(value) for value in reference[first])
    return Track(
        trajectory=trajectory,
        origin_ned_m=(float(origin[0]), float(origin[1]), float(origin[2])),
        reference_deg=place,  # type: ignore[arg-type]
        ends_in_air=bool(last == len(t_s) - 1 and up[-1] > _CUT_HEIGHT_M),
        begin_us=float(1e6 * t_s[first]),
        end_us=float(1e6 * t_s[last]),
        notes=tuple(notes),
    )


def _samples(
    source: str, position: Columns, notes: list[str]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray | None]:
    """(time, position, velocity, heading, reset counters, reference) of the usable samples."""
    t_s = position["timestamp"] * 1e-6
    ned = np.column_stack([position[name] for name in ("x", "y", "z")])
    usable = np.all(np.isfinite(ned), axis=1) & np.isfinite(t_s)
    for flag in ("xy_valid", "z_valid"):
        if flag in position:
            usable &= position[flag] > 0.0
    usable[1:] &= np.diff(t_s) > 0.0
    count = int(np.sum(usable))
    if count < 2:
        raise InputFileError(
            f"{source}: {len(t_s)} samples of vehicle_local_position, but none with a valid position; the "
            "vehicle had no position estimate"
        )
    if count < len(t_s):
        notes.append(f"{len(t_s) - count} of {len(t_s)} position samples are not valid and were left out")
    t_s = t_s[usable]
    if not bool(np.all(np.diff(t_s) > 0.0)):
        raise InputFileError(f"{source}: the times of vehicle_local_position run backwards")

    def column(name: str, otherwise: FloatArray, most: float = np.inf) -> FloatArray:
        values = position[name][usable] if name in position else otherwise
        return np.where(np.isfinite(values) & (np.abs(values) <= most), values, otherwise)

    ned = ned[usable]
    slope = np.gradient(ned, t_s, axis=0)
    # A value no multicopter can have is taken from the positions instead, as one that is absent.
    velocity = np.column_stack(
        [column(name, slope[:, axis], MAX_SPEED_MPS) for axis, name in enumerate(("vx", "vy", "vz"))]
    )
    course = np.arctan2(slope[:, 1], slope[:, 0])
    counters = np.column_stack(
        [column(name, np.zeros(count)) for name in ("xy_reset_counter", "z_reset_counter")]
    )
    reference = None
    if all(name in position for name in ("ref_lat", "ref_lon", "ref_alt")):
        reference = np.column_stack([position[name][usable] for name in ("ref_lat", "ref_lon", "ref_alt")])
        if not np.all(np.isfinite(reference)) or not np.any(reference[:, :2]):
            reference = None
    return t_s, ned, velocity, column("heading", course, 2.0 * np.pi), counters, reference


def _without_jumps(
    source: str, t_s: FloatArray, ned: FloatArray, resets: FloatArray, notes: list[str]
) -> FloatArray:
    """Positions without the large shifts of the estimate."""
    steps, dt_s = np.diff(ned, axis=0), np.diff(t_s)
    lengths = np.linalg.norm(steps, axis=1)
    announced = np.any(np.diff(resets, axis=0) != 0.0, axis=1)
    jumps = (lengths > KEPT_RESET_M) & (lengths > MAX_SPEED_MPS * dt_s)
    unannounced = np.flatnonzero(jumps & ~announced)
    if len(unannounced):
        index = int(unannounced[0])
        raise InputFileError(
            f"{source}: the position jumps by {lengths[index]:.1f} m at {t_s[index + 1] - t_s[0]:.2f} s "
            "without an estimator reset; this is no usable record of a flight"
        )
    taken_out = np.zeros_like(ned)
    for index in np.flatnonzero(jumps & announced).tolist():
        taken_out[index + 1 :] += steps[index]
        notes.append(
            f"the estimate was reset by {lengths[index]:.1f} m at {t_s[index + 1] - t_s[0]:.2f} s; taken out"
        )
    kept = announced & ~jumps & (lengths > 0.25)
    if np.any(kept):
        notes.append(
            f"{int(np.sum(kept))} small estimator reset(s), {lengths[kept].max():.2f} m at most, kept"
        )
    return np.asarray(ned - taken_out)


def _flight(
    source: str, t_s: FloatArray, ned: FloatArray, landed: Columns | None, notes: list[str]
) -> tuple[int, int]:
    """Indices of the last sample on the ground before the flight and of the first one after it."""
    if landed is not None and len(landed.get("landed", ())) and len(landed.get("timestamp", ())):
        known_s, values = landed["timestamp"] * 1e-6, landed["landed"]
        airborne = values[np.clip(np.searchsorted(known_s, t_s, side="right") - 1, 0, None)] < 0.5
    else:
        airborne = (ned[0, 2] - ned[:, 2]) > _LANDED_HEIGHT_M
        notes.append("no land detector in the log: the flight is what lies above 0.3 m")
    changes = np.flatnonzero(np.diff(np.concatenate([[0], airborne.astype(np.int8), [0]])))
    starts, ends = changes[0::2], changes[1::2]
    if len(starts) == 0:
        raise InputFileError(f"{source}: no flight in it: the vehicle never leaves the ground")
    if len(starts) > 1:
        notes.append(f"{len(starts)} flights in the log; the longest is taken")
    longest = int(np.argmax(t_s[np.minimum(ends, len(t_s) - 1)] - t_s[starts]))
    first, last = max(int(starts[longest]) - 1, 0), min(int(ends[longest]), len(t_s) - 1)
    holes = np.diff(t_s[first : last + 1])
    if len(holes) and float(np.max(holes)) > MAX_HOLE_S:
        at_s = t_s[first + int(np.argmax(holes))] - t_s[first]
        raise InputFileError(
            f"{source}: {float(np.max(holes)):.1f} s without a valid position, {at_s:.1f} s after take-off; "
            f"at most {MAX_HOLE_S:g} s are accepted"
        )
    return first, last
