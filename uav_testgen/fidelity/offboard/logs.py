"""Flights of a live PX4 in offboard mode, as tables of set-points, estimate and truth.

Two kinds of CSV file (plain or .gz), both in PX4's NED frame, told apart by their columns:

* a flight of a scene: `est_*`, `true_*`, `sp_*`, `nav_state`, `arming_state`; the scene is the .yaml file of the
  same name beside it;
* steps: ground truth (`north_m` ...) and the set-point then in force (`sp_n` ...), without a scene.

An empty cell of a set-point means: not controlled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SET_POSITION, SET_VELOCITY, SET_YAW, SET_YAW_RATE, SETPOINT_SIZE
from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.scenes import scene_beside
from uav_testgen.fidelity.tables import need_columns, read_table, sample_period_s, stem_of, tables_in
from uav_testgen.scenario.model import Scenario

_OFFBOARD, _ARMED = 14, 2
_FLIGHT_COLUMNS = (
    "t_s", "est_x", "est_y", "est_z", "est_vx", "est_vy", "est_vz", "true_x", "true_y", "true_z", "est_yaw",
    "sp_x", "sp_y", "sp_z", "sp_yaw", "nav_state", "arming_state",
)  # fmt: skip
_STEP_COLUMNS = (
    "t_s", "north_m", "east_m", "down_m", "vn", "ve", "vd", "yaw_rad", "sp_n", "sp_e", "sp_d", "sp_vn", "sp_ve",
    "sp_vd", "sp_yaw", "sp_yawspeed",
)  # fmt: skip
LIFTED_M = 5.0
"""Set-points are replayed from this height on: the take-off is PX4's own."""


@dataclass(frozen=True)
class OffboardLog:
    """One recording on an even time base, ENU, from where the vehicle stood: what flew, by set-points."""

    name: str
    period_s: float
    setpoints: FloatArray
    """(n, SETPOINT_SIZE): the set-point in force at each sample."""
    position_enu_m: FloatArray
    """What PX4 steers by: its estimate, or the truth where the sensors were made nearly perfect."""
    velocity_enu_mps: FloatArray
    yaw_rad: FloatArray
    true_enu_m: FloatArray
    scenario: Scenario | None = None
    """Of a flight of a scene."""

    @property
    def t_s(self) -> FloatArray:
        """Times of the samples."""
        return self.period_s * np.arange(len(self.position_enu_m), dtype=np.float64)

    @property
    def velocity_error_mps(self) -> FloatArray:
        """What PX4 takes for its velocity, less the motion of its position estimate."""
        return self.velocity_enu_mps - np.gradient(self.position_enu_m, self.period_s, axis=0)


def load_logs(folder: Path, plans: Path | None = None) -> list[OffboardLog]:
    """All recordings of a folder and of its sub-folders, by name; `plans` holds the .plan files scenes name."""
    files = tables_in(folder, "a flight of PX4 in offboard mode")
    return [load_log(path, plans) for path in files]


def load_log(path: Path, plans: Path | None = None) -> OffboardLog:
    """One recording; InputFileError names the column that is missing or wrong."""
    columns, table = read_table(path)
    if "est_x" in columns:
        return _flight(path, need_columns(path, columns, table, _FLIGHT_COLUMNS), plans)
    if "north_m" in columns:
        return _steps(path, need_columns(path, columns, table, _STEP_COLUMNS))
    raise InputFileError(f"{path}: neither column 'est_x' (a flight) nor 'north_m' (steps) is there")


def _flight(path: Path, data: dict[str, FloatArray], plans: Path | None) -> OffboardLog:
    estimate, truth = _enu(data, "est_x", "est_y", "est_z"), _enu(data, "true_x", "true_y", "true_z")
    on_pad = data["arming_state"] != _ARMED
    # The local origin is not the take-off spot: where it stood before arming is.
    first = int(np.argmin(on_pad)) if not on_pad.all() else 0
    if first == 0:
        raise InputFileError(f"{path}: column 'arming_state': rows before and after arming are expected")
    estimate, zero = estimate - estimate[:first].mean(axis=0), estimate[:first].mean(axis=0)
    truth = truth - truth[:first].mean(axis=0)
    flown = (data["nav_state"] == _OFFBOARD) & ~on_pad & (estimate[:, 2] > LIFTED_M)
    rows = np.flatnonzero(flown)
    if len(rows) < 20:
        raise InputFileError(f"{path}: column 'nav_state': no flight in offboard mode above {LIFTED_M:g} m")
    setpoints = np.full((len(estimate), SETPOINT_SIZE), np.nan)
    setpoints[:, SET_POSITION : SET_POSITION + 3] = _enu(data, "sp_x", "sp_y", "sp_z") - zero
    if "sp_vx" in data:
        setpoints[:, SET_VELOCITY : SET_VELOCITY + 3] = _enu(data, "sp_vx", "sp_vy", "sp_vz")
    setpoints[:, SET_YAW] = _yaw(data["sp_yaw"])
    part = slice(rows[0], rows[-1] + 1)
    setpoints = _between(setpoints[part])
    velocity = _enu(data, "est_vx", "est_vy", "est_vz")
    return OffboardLog(
        name=stem_of(path),
        period_s=sample_period_s(path, data["t_s"]),
        setpoints=setpoints,
        position_enu_m=estimate[part],
        velocity_enu_mps=velocity[part],
        yaw_rad=_yaw(data["est_yaw"])[part],
        true_enu_m=truth[part],
        scenario=scene_beside(path, plans),
    )


def _between(setpoints: FloatArray) -> FloatArray:
    """PX4's log keeps one set-point in 0.2 s of a stream that is faster: between two of them they move evenly."""
    moved = np.any(np.diff(np.nan_to_num(setpoints), axis=0) != 0.0, axis=1)
    known = np.concatenate([[0], 1 + np.flatnonzero(moved)])
    rows = np.arange(len(setpoints))
    filled = np.array(setpoints)
    for column in (*range(SET_POSITION, SET_POSITION + 3), SET_YAW):
        values = setpoints[known, column]
        if np.isfinite(values).all():
            values = np.unwrap(values) if column == SET_YAW else values
            filled[:, column] = np.interp(rows, known, values)
    return filled


def _steps(path: Path, data: dict[str, FloatArray]) -> OffboardLog:
    truth = _enu(data, "north_m", "east_m", "down_m")
    setpoints = np.full((len(truth), SETPOINT_SIZE), np.nan)
    setpoints[:, SET_POSITION : SET_POSITION + 3] = _enu(data, "sp_n", "sp_e", "sp_d")
    setpoints[:, SET_VELOCITY : SET_VELOCITY + 3] = _enu(data, "sp_vn", "sp_ve", "sp_vd")
    setpoints[:, SET_YAW] = _yaw(data["sp_yaw"])
    setpoints[:, SET_YAW_RATE] = -data["sp_yawspeed"]
    # While no axis is controlled, another mode flies; the vehicle is at its height when the first step comes.
    demanded = np.isfinite(setpoints[:, SET_POSITION]) | np.isfinite(setpoints[:, SET_VELOCITY])
    rows = np.flatnonzero(demanded & (truth[:, 2] > LIFTED_M))
    if len(rows) < 20:
        raise InputFileError(f"{path}: no set-points above {LIFTED_M:g} m")
    part = slice(rows[0], rows[-1] + 1)
    return OffboardLog(
        name=stem_of(path),
        period_s=sample_period_s(path, data["t_s"]),
        setpoints=setpoints[part],
        position_enu_m=truth[part],
        velocity_enu_mps=_enu(data, "vn", "ve", "vd")[part],
        yaw_rad=_yaw(data["yaw_rad"])[part],
        true_enu_m=truth[part],
    )


def _enu(data: dict[str, FloatArray], north: str, east: str, down: str) -> FloatArray:
    return np.column_stack([data[east], data[north], -data[down]])


def _yaw(yaw_ned_rad: FloatArray) -> FloatArray:
    return np.asarray(0.5 * math.pi - yaw_ned_rad)
