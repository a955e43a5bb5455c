"""Small PX4 logs made for tests: real ULog bytes with the topics a replication reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.ulog.writer import Samples, ulog_bytes

_FORMATS = {
    "vehicle_local_position": (
        "uint64_t timestamp;double ref_lat;double ref_lon;float x;float y;float z;float vx;float vy;float vz;"
        "float heading;float ref_alt;uint8_t xy_valid;uint8_t z_valid;uint8_t xy_reset_counter;"
        "uint8_t z_reset_counter"
    ),
    "vehicle_land_detected": "uint64_t timestamp;uint8_t landed",
    "vehicle_status": "uint64_t timestamp;uint8_t vehicle_type;uint8_t is_vtol;uint8_t nav_state",
}
_TRUTH = "vehicle_local_position_groundtruth"
_TRUTH_FORMAT = "uint64_t timestamp;float x;float y;float z"
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
    columns = {
        "vehicle_local_position": _position(
            trajectory, invalid, jump_ned_m, jump_at, announced, offset_ned_m
        ),
        "vehicle_land_detected": _landed(trajectory),
        "vehicle_status": {
            "timestamp": [_stamp_us(from_s) for from_s, _ in nav_states],
            "vehicle_type": vehicle_type,
            "is_vtol": is_vtol,
            "nav_state": [state for _, state in nav_states],
        },
    }
    samples = [Samples(name, _FORMATS[name], columns[name]) for name in topics]
    if truth is not None:
        enu = truth.position_enu_m
        ned = {"x": enu[:, 1], "y": enu[:, 0], "z": -enu[:, 2]}
        stamps = [_stamp_us(t_s) for t_s in truth.t_s]
        samples.append(Samples(_TRUTH, _TRUTH_FORMAT, {"timestamp": stamps, **ned}))
    return ulog_bytes(samples, parameters=parameters or {"MAV_TYPE": 2.0})


def _position(
    trajectory: Trajectory,
    invalid: Sequence[int],
    jump_ned_m: tuple[float, float, float],
    jump_at: int | None,
    announced: bool,
    offset_ned_m: tuple[float, float, float],
) -> dict[str, object]:
    count = len(trajectory)
    enu, velocity = trajectory.position_enu_m, trajectory.velocity_enu_mps
    shifted = np.arange(count) >= (count if jump_at is None else jump_at)
    ned = np.column_stack([enu[:, 1], enu[:, 0], -enu[:, 2]]) + np.array(offset_ned_m)
    ned = np.where(shifted[:, None], ned + np.array(jump_ned_m), ned)
    valid = ~np.isin(np.arange(count), list(invalid))
    resets = shifted & announced
    return {
        "timestamp": [_stamp_us(t_s) for t_s in trajectory.t_s],
        "ref_lat": REFERENCE_DEG[0],
        "ref_lon": REFERENCE_DEG[1],
        "ref_alt": REFERENCE_DEG[2],
        **dict(zip("xyz", ned.T, strict=True)),
        "vx": velocity[:, 1],
        "vy": velocity[:, 0],
        "vz": -velocity[:, 2],
        "heading": 0.5 * np.pi - trajectory.yaw_rad,
        "xy_valid": valid,
        "z_valid": valid,
        "xy_reset_counter": resets,
        "z_reset_counter": resets,
    }


def _landed(trajectory: Trajectory) -> dict[str, object]:
    stamps, landed = [_BEGIN_US], [0]
    if trajectory.position_enu_m[-1, 2] < 0.5:
        stamps.append(_stamp_us(trajectory.t_s[-1]) - 1)
        landed.append(1)
    return {"timestamp": stamps, "landed": landed}


def _stamp_us(t_s: float) -> int:
    return _BEGIN_US + round(1e6 * float(t_s))
