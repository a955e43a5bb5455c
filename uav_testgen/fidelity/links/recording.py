"""Flights of which every link was recorded: pose, truth, the planner's waypoint, PX4's set-point.

Times in seconds, ten rows a second or more; Aerialist's test frame (x north, y east, z up, metres, from the spawn
point), angles in radians of PX4 (yaw from north, clockwise; pitch nose up). The columns:

t_s                     time
x y z vx vy vz          PX4's estimate
roll pitch yaw          attitude
gt_x gt_y gt_z          truth
ts_x ts_y ts_z ts_vx ts_vy ts_vz ts_yaw   PX4's trajectory set-point
wp_x wp_y wp_z wp_yaw   the planner's waypoint
wp_age_s                how old it is at the row (may be absent)
des_z                   what PX4 asked the planner for; empty while it lands
mission_item            number of the item that is flown

The scene is the .yaml file of the same name beside the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from uav_testgen.core.arrays import FloatArray, IntArray
from uav_testgen.core.body import BODY_SIZE, LAND, LEG, PITCH, POSITION, ROLL, TAKEOFF, VELOCITY, YAW
from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.scenes import scene_beside
from uav_testgen.fidelity.tables import need_columns, read_table, sample_period_s, stem_of, tables_in
from uav_testgen.scenario.model import Scenario

COLUMNS = (
    "t_s", "x", "y", "z", "vx", "vy", "vz", "roll", "pitch", "yaw", "gt_x", "gt_y", "gt_z",
    "ts_x", "ts_y", "ts_z", "ts_vx", "ts_vy", "ts_vz", "ts_yaw", "wp_x", "wp_y", "wp_z", "wp_yaw",
    "des_z", "mission_item",
)  # fmt: skip
STEP_S = 0.1
"""Planner and waypoints run at 10 Hz; finer recordings are thinned."""
_LIFTED_M = 0.3


@dataclass(frozen=True)
class LinkRecording:
    """One flight from before take-off, ENU, one row in 0.1 s. NaN: not published yet, or no longer."""

    name: str
    scenario: Scenario
    body: FloatArray
    """(n, BODY_SIZE): what PX4 believes."""
    truth_enu_m: FloatArray
    waypoint_enu_m: FloatArray
    waypoint_yaw_rad: FloatArray
    waypoint_age_s: FloatArray
    """How long ago that waypoint arrived."""
    setpoint_enu_m: FloatArray
    setpoint_enu_mps: FloatArray
    setpoint_yaw_rad: FloatArray
    phase: IntArray
    goal_index: IntArray
    """Corner of the route flown to."""

    @property
    def legs(self) -> FloatArray:
        """Rows on a leg between two corners of the route, with everything recorded."""
        known = np.isfinite(self.waypoint_enu_m[:, 0]) & np.isfinite(self.setpoint_enu_mps[:, 0])
        return np.asarray(known & (self.phase == LEG))

    def goal_enu_m(self, row: int) -> tuple[FloatArray, FloatArray]:
        """(corner flown to, corner before it) at a row, as PX4's navigator has them."""
        route = np.array(self.scenario.mission.route_enu_m)
        home = np.array(self.scenario.mission.home_enu_m)
        if self.phase[row] == TAKEOFF:
            return route[0], home
        if self.phase[row] == LAND:
            goal = route[-1].copy()
            goal[2] = home[2]
            return goal, route[-1]
        index = int(self.goal_index[row])
        return route[index], route[index - 1]


def load_recordings(folder: Path, plans: Path | None = None) -> list[LinkRecording]:
    """Every flight of a folder and of its sub-folders, by name."""
    return [
        load_recording(path, plans) for path in tables_in(folder, "a flight with waypoints and set-points")
    ]


def load_recording(path: Path, plans: Path | None = None) -> LinkRecording:
    """One flight; InputFileError names the column that is missing or wrong."""
    columns, table = read_table(path)
    data = need_columns(path, columns, table, COLUMNS)
    period_s = sample_period_s(path, data["t_s"])
    thin = round(STEP_S / period_s)
    if thin < 1 or abs(thin * period_s - STEP_S) > 1e-3:
        raise InputFileError(
            f"{path}: column 't_s': steps of {period_s:g} s; 0.1 s or a whole part of it is expected"
        )
    data = {name: values[::thin] for name, values in data.items()}
    for name in ("x", "y", "z", "vx", "vy", "vz"):
        if not np.all(np.isfinite(data[name])):
            raise InputFileError(f"{path}: column '{name}': every row needs a number")
    scenario = scene_beside(path, plans)
    up = np.flatnonzero(data["z"] > _LIFTED_M)
    if len(up) == 0 or not np.any(np.isfinite(data["wp_x"])) or not np.any(np.isfinite(data["ts_vx"])):
        raise InputFileError(f"{path}: no flight with waypoints and set-points in it")
    body = np.zeros((len(data["t_s"]), BODY_SIZE))
    body[:, POSITION : POSITION + 3] = _enu(data, "x", "y", "z")
    body[:, VELOCITY : VELOCITY + 3] = _enu(data, "vx", "vy", "vz")
    body[:, ROLL], body[:, PITCH] = _held(data["roll"]), -_held(data["pitch"])
    body[:, YAW] = 0.5 * math.pi - _held(data["yaw"])
    phase, goal_index = _progress(path, data, scenario)
    return LinkRecording(
        name=stem_of(path),
        scenario=scenario,
        body=body,
        truth_enu_m=_enu(data, "gt_x", "gt_y", "gt_z"),
        waypoint_enu_m=_enu(data, "wp_x", "wp_y", "wp_z"),
        waypoint_yaw_rad=0.5 * math.pi - data["wp_yaw"],
        waypoint_age_s=np.nan_to_num(data["wp_age_s"]) if "wp_age_s" in data else np.zeros(len(body)),
        setpoint_enu_m=_enu(data, "ts_x", "ts_y", "ts_z"),
        setpoint_enu_mps=_enu(data, "ts_vx", "ts_vy", "ts_vz"),
        setpoint_yaw_rad=0.5 * math.pi - data["ts_yaw"],
        phase=phase,
        goal_index=goal_index,
    )


def _enu(data: dict[str, FloatArray], north: str, east: str, up: str) -> FloatArray:
    return np.column_stack([data[east], data[north], data[up]])


def _held(values: FloatArray) -> FloatArray:
    """Gaps filled with the nearest earlier value; 0 before the first (level, facing north)."""
    known = np.isfinite(values)
    before = np.maximum.accumulate(np.where(known, np.arange(len(values)), -1))
    return np.where(before >= 0, values[np.maximum(before, 0)], 0.0)


def _progress(path: Path, data: dict[str, FloatArray], scenario: Scenario) -> tuple[IntArray, IntArray]:
    """Phase and goal from the numbers of mission items: each change above the ground is the next corner."""
    corners = len(scenario.mission.route_enu_m)
    height_m = scenario.mission.route_enu_m[0][2] - 1.0
    item = data["mission_item"]
    changed = np.flatnonzero((np.diff(item, prepend=item[0]) != 0.0) & (data["z"] > height_m))
    begins = changed[: corners - 1]
    if len(begins) < corners - 1:
        raise InputFileError(
            f"{path}: column 'mission_item': {len(begins)} items begin at height, but the mission has "
            f"{corners - 1} legs"
        )
    rows = np.arange(len(item))
    goal_index = np.searchsorted(begins, rows, side="right").astype(np.int64)
    phase = np.where(goal_index == 0, TAKEOFF, LEG).astype(np.int64)
    over = np.flatnonzero(~np.isfinite(data["des_z"]) & (goal_index == corners - 1))
    if len(over):
        phase[over[0] :] = LAND
    return phase, goal_index
