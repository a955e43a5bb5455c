"""A PX4 log as what a replication needs: trajectory, mission, place, parameters. `read_log(path)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.ulog.attitude import ATTITUDE, is_attitude, tilt_rad
from uav_testgen.flight.ulog.mission import logged_mission
from uav_testgen.flight.ulog.modes import refuse_flight_by_hand
from uav_testgen.flight.ulog.topics import Columns, RawLog, read_topics
from uav_testgen.flight.ulog.track import Track, make_track
from uav_testgen.scenario.formats.plan_file import GeoPoint, to_global_deg
from uav_testgen.scenario.model import Mission

_ROTARY_WING = 1
_KEPT = ("vehicle_local_position", ATTITUDE, "obstacle_distance")
_VEHICLE_TYPES = {0: "unknown", 1: "rotary wing", 2: "fixed wing", 3: "rover", 4: "airship"}
# MAV_TYPE: quadrotor, coaxial, helicopter, hexarotor, octorotor, tricopter.
_ROTARY_MAV_TYPES = {2, 3, 4, 13, 14, 15}


@dataclass(frozen=True, slots=True)
class FlightLog:
    """One logged flight, ENU from its take-off point; `home` is that point on the globe."""

    path: Path
    trajectory: Trajectory
    home: GeoPoint | None
    mission: Mission | None
    parameters: dict[str, float]
    vehicle: str
    ends_in_air: bool
    notes: tuple[str, ...]
    topics: Mapping[str, Columns] = field(default_factory=dict)
    """Further columns of the flight alone, with its time `t_s`; positions are those from the take-off point."""


def read_log(path: Path, *, accept_cut: bool = False) -> FlightLog:
    """Read a ULog file; InputFileError names the file, what is wrong with it and the way out."""
    raw = read_topics(path)
    vehicle = _vehicle(path, raw)
    position = raw.topics.get("vehicle_local_position")
    if position is None or len(position.get("timestamp", ())) == 0:
        raise InputFileError(
            f"{path}: no vehicle_local_position in it, so nobody knows where the vehicle flew; log with "
            "SDLOG_PROFILE 1 (default) and a position estimate"
        )
    track = make_track(str(path), position, raw.topics.get("vehicle_land_detected"))
    if track.ends_in_air and not accept_cut:
        height_m = float(track.trajectory.position_enu_m[-1, 2])
        raise InputFileError(
            f"{path}: the log ends in the air, {height_m:.1f} m above its start: it was cut. Take the whole "
            "log, or replicate the part there is with --accept-cut-log"
        )
    refuse_flight_by_hand(str(path), raw.topics.get("vehicle_status"), track.begin_us, track.end_us)
    home: GeoPoint | None = None
    if track.reference_deg is not None:
        north_m, east_m, down_m = track.origin_ned_m
        latitude, longitude = to_global_deg(east_m, north_m, track.reference_deg)
        home = (float(latitude), float(longitude), float(track.reference_deg[2] - down_m))
    mission = logged_mission(raw.topics.get("position_setpoint_triplet"), home) if home else None
    trajectory = _with_tilt(track, raw.topics.get(ATTITUDE))
    damaged = ("the file is damaged; what could be read is used",) if raw.damaged else ()
    return FlightLog(
        path=path,
        trajectory=trajectory,
        home=home,
        mission=mission,
        parameters=raw.parameters,
        vehicle=vehicle,
        ends_in_air=track.ends_in_air,
        notes=(*damaged, *track.notes),
        topics={name: _of_flight(raw.topics[name], track) for name in _KEPT if name in raw.topics},
    )


def _with_tilt(track: Track, attitude: Columns | None) -> Trajectory:
    """The trajectory with the logged roll and pitch, ours: nose down positive; as it is where none is logged."""
    trajectory = track.trajectory
    if attitude is None or not is_attitude(attitude) or len(attitude["timestamp"]) < 2:
        return trajectory
    t_s = 1e-6 * (attitude["timestamp"] - track.begin_us)
    roll, pitch = tilt_rad(attitude)
    known = np.isfinite(roll) & np.isfinite(pitch) & np.diff(t_s, prepend=-np.inf).astype(bool)
    if known.sum() < 2:
        return trajectory
    return replace(
        trajectory,
        roll_rad=np.interp(trajectory.t_s, t_s[known], roll[known]),
        pitch_rad=-np.interp(trajectory.t_s, t_s[known], pitch[known]),
    )


def _of_flight(columns: Columns, track: Track) -> Columns:
    stamps_us = columns["timestamp"]
    during = (stamps_us >= track.begin_us - 1.0) & (stamps_us <= track.end_us + 1.0)
    during[1:] &= np.diff(stamps_us) > 0.0
    found = {name: values[during] for name, values in columns.items()}
    if {"x", "y", "z"} <= found.keys():
        for name, origin_m in zip("xyz", track.origin_ned_m, strict=True):
            found[name] = found[name] - origin_m
    return {**found, "t_s": 1e-6 * (stamps_us[during] - track.begin_us)}


def _vehicle(path: Path, raw: RawLog) -> str:
    """The kind of vehicle; anything but a rotary wing is refused, because nothing here flies like it."""
    status = raw.topics.get("vehicle_status", {})
    kinds = status.get("vehicle_type")
    if kinds is not None and len(kinds):
        kind = int(kinds[-1])
        name = _VEHICLE_TYPES.get(kind, f"type {kind}")
        vtol = status.get("is_vtol")
        if vtol is not None and len(vtol) and vtol[-1] > 0.5:
            name, kind = "VTOL", -1
        if kind not in (0, _ROTARY_WING):
            raise InputFileError(f"{path}: logged by a {name}; only multicopters can be replicated")
        return name
    mav_type = raw.parameters.get("MAV_TYPE")
    if mav_type is not None and int(mav_type) not in _ROTARY_MAV_TYPES:
        raise InputFileError(
            f"{path}: logged by a vehicle of MAV_TYPE {int(mav_type)}; only multicopters can be replicated"
        )
    return "unknown" if mav_type is None else "rotary wing"
