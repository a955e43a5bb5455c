"""Small PX4 logs made for tests: real ULog bytes with the topics a replication reads."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

import numpy as np

from uav_testgen.flight.model import Trajectory

_FORMATS = {
    "vehicle_local_position": (
        "uint64_t timestamp;double ref_lat;double ref_lon;float x;float y;float z;float vx;float vy;float vz;"
        "float heading;float ref_alt;uint8_t xy_valid;uint8_t z_valid;uint8_t xy_reset_counter;"
        "uint8_t z_reset_counter;",
        "<Qdd" + "f" * 8 + "BBBB",
    ),
    "vehicle_land_detected": ("uint64_t timestamp;uint8_t landed;", "<QB"),
    "vehicle_status": ("uint64_t timestamp;uint8_t vehicle_type;uint8_t is_vtol;uint8_t nav_state;", "<QBBB"),
}
_TRUTH = "vehicle_local_position_groundtruth"
_TRUTH_FORMAT = ("uint64_t timestamp;float x;float y;float z;", "<Qfff")
_BEGIN_US = 1_000_000
REFERENCE_DEG = (47.4, 8.5, 500.0)


def log_bytes(
    trajectory: Trajectory,
    *,
    parameters: Mapping[str, float] | None = None,
    vehicle_type: int = 1,
    is_vtol: int = 0,
    nav_states: Sequence[tuple[float, int]] = ((0.0, 3),),
    invalid: Sequence[int] = (),
    jump_ned_m: tuple[float, float, float] = (0.0, 0.0, 0.0),
    jump_at: int | None = None,
    announced: bool = True,
    offset_ned_m: tuple[float, float, float] = (3.0, -2.0, 0.5),
    topics: Sequence[str] = tuple(_FORMATS),
    truth: Trajectory | None = None,
) -> bytes:
    """A log of a flight; samples in `invalid` carry no position, later ones than `jump_at` are shifted.

    `nav_states` are PX4's navigation states, each from a time on [s]; 3 is a mission. `truth` is where the
    vehicle really was, as a simulator logs it.
    """
    formats = {**_FORMATS, _TRUTH: _TRUTH_FORMAT}
    topics = (*topics, _TRUTH) if truth is not None else topics
    parts = [b"ULog\x01\x12\x35\x01" + struct.pack("<Q", 0)]
    for name in topics:
        parts.append(_message("F", f"{name}:{formats[name][0]}".encode()))
    for name, value in (parameters or {"MAV_TYPE": 2.0}).items():
        key = f"float {name}".encode()
        parts.append(_message("P", bytes([len(key)]) + key + struct.pack("<f", value)))
    for number, name in enumerate(topics):
        parts.append(_message("A", struct.pack("<BH", 0, number) + name.encode()))
    rows = _rows(trajectory, invalid, jump_ned_m, jump_at, announced, offset_ned_m)
    for from_s, nav_state in nav_states:
        row = (_BEGIN_US + round(1e6 * from_s), vehicle_type, is_vtol, nav_state)
        rows.append(("vehicle_status", row))
    if truth is not None:
        for t_s, (east, north, up) in zip(truth.t_s, truth.position_enu_m, strict=True):
            rows.append((_TRUTH, (_BEGIN_US + round(1e6 * float(t_s)), north, east, -up)))
    for name, values in rows:
        if name in topics:
            body = struct.pack("<H", topics.index(name)) + struct.pack(formats[name][1], *values)
            parts.append(_message("D", body))
    return b"".join(parts)


def _rows(
    trajectory: Trajectory,
    invalid: Sequence[int],
    jump_ned_m: tuple[float, float, float],
    jump_at: int | None,
    announced: bool,
    offset_ned_m: tuple[float, float, float],
) -> list[tuple[str, tuple[float, ...]]]:
    begin_us = _BEGIN_US
    rows: list[tuple[str, tuple[float, ...]]] = [("vehicle_land_detected", (begin_us, 0))]
    enu, velocity = trajectory.position_enu_m, trajectory.velocity_enu_mps
    for index, t_s in enumerate(trajectory.t_s):
        shifted = jump_at is not None and index >= jump_at
        jump = np.array(jump_ned_m if shifted else (0.0, 0.0, 0.0))
        ned = np.array([enu[index, 1], enu[index, 0], -enu[index, 2]]) + np.array(offset_ned_m) + jump
        speed = (velocity[index, 1], velocity[index, 0], -velocity[index, 2])
        valid = 0 if index in invalid else 1
        resets = 1 if shifted and announced else 0
        values = (*ned, *speed, 0.5 * np.pi - trajectory.yaw_rad[index], REFERENCE_DEG[2])
        row = (begin_us + round(1e6 * t_s), *REFERENCE_DEG[:2], *values, valid, valid, resets, resets)
        rows.append(("vehicle_local_position", tuple(row)))
    end_us = begin_us + round(1e6 * float(trajectory.t_s[-1])) - 1
    if enu[-1, 2] < 0.5:
        rows.append(("vehicle_land_detected", (end_us, 1)))
    return rows


def _message(kind: str, body: bytes) -> bytes:
    return struct.pack("<HB", len(body), ord(kind)) + body
