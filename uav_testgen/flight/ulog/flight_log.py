"""A flight as the log PX4 would have written: the topics and units that readers of flight logs look for.

Rates are those of PX4's default logging profile; fields are those of PX4 1.12, the version behind Aerialist.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.frames import quaternion_wxyz_from_euler
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.flight.ulog.sectors import NOTHING_IN_RANGE, SECTOR_COUNT, sector_distances_m
from uav_testgen.flight.ulog.writer import Samples, ulog_bytes
from uav_testgen.scenario.formats.plan_file import SITL_HOME, GeoPoint, to_global_deg
from uav_testgen.scenario.model import Scenario

START_US: Final = 11_200_000
"""PX4's clock counts from its start; the simulated one begins to log about ten seconds later."""
RANGE_M: Final = 15.0
_SLOW_S, _STATUS_S, _LAND_S = 0.2, 0.5, 1.0
_MISSION, _LOITER, _ARMED, _STANDBY, _ROTARY_WING, _QUADROTOR = 3, 4, 2, 1, 1, 2
_BODY_FRAME, _DEPTH_CAMERA = 12, 0

_LOCAL_POSITION = (
    "uint64_t timestamp;uint64_t timestamp_sample;uint64_t ref_timestamp;double ref_lat;double ref_lon;float x;"
    "float y;float z;float[2] delta_xy;float delta_z;float vx;float vy;float vz;float z_deriv;float[2] delta_vxy;"
    "float delta_vz;float ax;float ay;float az;float heading;float delta_heading;float ref_alt;float dist_bottom;"
    "float eph;float epv;float evh;float evv;float vxy_max;float vz_max;float hagl_min;float hagl_max;bool xy_valid;"
    "bool z_valid;bool v_xy_valid;bool v_z_valid;uint8_t xy_reset_counter;uint8_t z_reset_counter;"
    "uint8_t vxy_reset_counter;uint8_t vz_reset_counter;uint8_t heading_reset_counter;bool xy_global;bool z_global;"
    "bool dist_bottom_valid"
)
_FORMATS: Final = {
    "vehicle_local_position": _LOCAL_POSITION,
    "vehicle_local_position_groundtruth": _LOCAL_POSITION,
    "vehicle_attitude": "uint64_t timestamp;uint64_t timestamp_sample;float[4] q;float[4] delta_q_reset;"
    "uint8_t quat_reset_counter",
    "vehicle_global_position": "uint64_t timestamp;uint64_t timestamp_sample;double lat;double lon;float alt;"
    "float alt_ellipsoid;float delta_alt;float eph;float epv;float terrain_alt;uint8_t lat_lon_reset_counter;"
    "uint8_t alt_reset_counter;bool terrain_alt_valid;bool dead_reckoning",
    "home_position": "uint64_t timestamp;double lat;double lon;float alt;float x;float y;float z;float yaw;"
    "bool valid_alt;bool valid_hpos;bool valid_lpos;bool manual_home",
    "obstacle_distance": f"uint64_t timestamp;float increment;float angle_offset;uint16_t[{SECTOR_COUNT}] distances;"
    "uint16_t min_distance;uint16_t max_distance;uint8_t frame;uint8_t sensor_type",
    "mission_result": "uint64_t timestamp;uint32_t instance_count;int32_t seq_reached;uint16_t seq_current;"
    "uint16_t seq_total;uint16_t item_changed_index;uint16_t item_do_jump_remaining;bool valid;bool warning;"
    "bool finished;bool failure;bool stay_in_failsafe;bool flight_termination;bool item_do_jump_changed;"
    "uint8_t execution_mode",
    "vehicle_status": "uint64_t timestamp;uint64_t nav_state_timestamp;uint64_t armed_time;uint64_t takeoff_time;"
    "uint8_t nav_state;uint8_t arming_state;uint8_t hil_state;bool failsafe;uint8_t system_type;uint8_t system_id;"
    "uint8_t component_id;uint8_t vehicle_type;bool is_vtol;bool mission_failure",
    "commander_state": "uint64_t timestamp;uint16_t main_state_changes;uint8_t main_state",
    "actuator_armed": "uint64_t timestamp;bool armed;bool prearmed;bool ready_to_arm;bool lockdown;"
    "bool manual_lockdown;bool force_failsafe;bool in_esc_calibration_mode;bool soft_stop",
    "vehicle_land_detected": "uint64_t timestamp;float alt_max;bool freefall;bool ground_contact;bool maybe_landed;"
    "bool landed;bool in_ground_effect",
}


def flight_log_bytes(
    scenario: Scenario,
    flight: Flight,
    *,
    parameters: Mapping[str, float] | None = None,
    home: GeoPoint = SITL_HOME,
    true_offset_enu_m: tuple[float, float] = (0.0, 0.0),
) -> bytes:
    """The log of a flight. The true position is the logged (estimated) one plus an offset, east and north."""
    trajectory = flight.trajectory
    stamps = START_US + np.round(1e6 * (trajectory.t_s - trajectory.t_s[0])).astype(np.uint64)
    on_ground = _on_ground(trajectory, flight.ending)
    columns: dict[str, dict[str, Any]] = {
        "vehicle_local_position": _local_position(trajectory, stamps, home, (0.0, 0.0)),
        "vehicle_local_position_groundtruth": _local_position(trajectory, stamps, home, true_offset_enu_m),
        "vehicle_attitude": {"timestamp": stamps, "timestamp_sample": stamps, "q": _attitude(trajectory)},
        "vehicle_global_position": _global_position(trajectory, stamps, home),
        "home_position": {
            "timestamp": stamps[:1], "lat": home[0], "lon": home[1], "alt": home[2],
            "valid_alt": 1, "valid_hpos": 1, "valid_lpos": 1,
        },
        "obstacle_distance": _obstacle_distance(scenario, trajectory, stamps),
        "mission_result": _mission_result(scenario, flight, stamps),
        **_states(trajectory, stamps, on_ground, flight.ending),
    }  # fmt: skip
    topics = [Samples(name, fields, columns[name]) for name, fields in _FORMATS.items()]
    information: dict[str, str | int] = {
        "sys_name": "PX4",
        "ver_hw": "PX4_SITL",
        "sys_os_name": "Linux",
        "simulated_by": f"uav_testgen {flight.backend}",
    }
    given = {"MAV_TYPE": _QUADROTOR, "SYS_AUTOSTART": 10016, **(parameters or {})}
    return ulog_bytes(topics, start_us=START_US, information=information, parameters=given)


def _every(trajectory: Trajectory, period_s: float) -> np.ndarray[Any, Any]:
    """Indices of the first sample in each period, and of the last sample of all."""
    slots = np.floor((trajectory.t_s - trajectory.t_s[0]) / period_s + 1e-6)
    first = np.flatnonzero(np.diff(slots, prepend=-1.0) > 0.0)
    return np.unique(np.append(first, len(trajectory) - 1))


def _on_ground(trajectory: Trajectory, ending: Ending) -> np.ndarray[Any, Any]:
    """Before take-off, and after a landing or a fall."""
    up = trajectory.position_enu_m[:, 2]
    airborne = np.flatnonzero(up > up[0] + 0.05)
    ground = np.ones(len(trajectory), dtype=bool)
    if len(airborne):
        ground[airborne[0] : airborne[-1] + 1] = False
    return ground


def _local_position(
    trajectory: Trajectory, stamps: np.ndarray[Any, Any], home: GeoPoint, offset_enu_m: tuple[float, float]
) -> dict[str, Any]:
    enu, velocity = trajectory.position_enu_m, trajectory.velocity_enu_mps
    acceleration = np.gradient(velocity, trajectory.t_s, axis=0) if len(trajectory) > 1 else 0.0 * velocity
    return {
        "timestamp": stamps, "timestamp_sample": stamps, "ref_timestamp": START_US,
        "ref_lat": home[0], "ref_lon": home[1], "ref_alt": home[2],
        "x": enu[:, 1] + offset_enu_m[1], "y": enu[:, 0] + offset_enu_m[0], "z": -enu[:, 2],
        "vx": velocity[:, 1], "vy": velocity[:, 0], "vz": -velocity[:, 2], "z_deriv": -velocity[:, 2],
        "ax": acceleration[:, 1], "ay": acceleration[:, 0], "az": -acceleration[:, 2],
        "heading": _wrapped(0.5 * np.pi - trajectory.yaw_rad),
        "dist_bottom": np.maximum(enu[:, 2], 0.0), "eph": 0.3, "epv": 0.3, "evh": 0.1, "evv": 0.1,
        "vxy_max": np.inf, "vz_max": np.inf, "hagl_min": np.inf, "hagl_max": np.inf,
        "xy_valid": 1, "z_valid": 1, "v_xy_valid": 1, "v_z_valid": 1, "xy_global": 1, "z_global": 1,
    }  # fmt: skip


def _wrapped(angle_rad: FloatArray) -> FloatArray:
    return np.asarray((angle_rad + np.pi) % (2.0 * np.pi) - np.pi)


def _attitude(trajectory: Trajectory) -> FloatArray:
    """Body (front, right, down) to north, east, down; level where the flight does not tell."""
    roll, pitch = np.nan_to_num(trajectory.roll_rad), np.nan_to_num(trajectory.pitch_rad)
    yaw = 0.5 * np.pi - trajectory.yaw_rad
    angles = zip(roll.tolist(), (-pitch).tolist(), yaw.tolist(), strict=True)
    return np.array([quaternion_wxyz_from_euler(*one) for one in angles])


def _global_position(trajectory: Trajectory, stamps: np.ndarray[Any, Any], home: GeoPoint) -> dict[str, Any]:
    keep = _every(trajectory, _SLOW_S)
    enu = trajectory.position_enu_m[keep]
    places = np.array([to_global_deg(east, north, home) for east, north in enu[:, :2].tolist()])
    return {
        "timestamp": stamps[keep], "timestamp_sample": stamps[keep], "lat": places[:, 0], "lon": places[:, 1],
        "alt": home[2] + enu[:, 2], "alt_ellipsoid": home[2] + enu[:, 2], "eph": 0.9, "epv": 1.8,
        "terrain_alt": home[2], "terrain_alt_valid": 1,
    }  # fmt: skip


def _obstacle_distance(
    scenario: Scenario, trajectory: Trajectory, stamps: np.ndarray[Any, Any]
) -> dict[str, Any]:
    """Centimetres to what lies at the vehicle's height, clockwise from the nose; one more than the range: free."""
    keep = _every(trajectory, _SLOW_S)
    metres = sector_distances_m(
        scenario, trajectory.position_enu_m[keep], trajectory.yaw_rad[keep], trajectory.t_s[keep], RANGE_M
    )
    free = metres == NOTHING_IN_RANGE
    limit_cm = round(100.0 * RANGE_M)
    centimetres = np.where(free, limit_cm + 1, np.round(100.0 * np.where(free, 0.0, metres)))
    return {
        "timestamp": stamps[keep], "increment": 360.0 / SECTOR_COUNT, "distances": centimetres,
        "min_distance": 20, "max_distance": limit_cm, "frame": _BODY_FRAME, "sensor_type": _DEPTH_CAMERA,
    }  # fmt: skip


def _mission_result(scenario: Scenario, flight: Flight, stamps: np.ndarray[Any, Any]) -> dict[str, Any]:
    """One message at the start, one for each item reached, one at the end."""
    trajectory = flight.trajectory
    items = (1 if scenario.mission.takeoff else 0) + len(scenario.mission.waypoints)
    reached_s = [float(t_s) for t_s in flight.details.get("waypoint_times_s", ())][:items]
    reached = [-1, *range(len(reached_s))]
    times = [stamps[0], *(np.interp(t_s, trajectory.t_s, stamps.astype(np.float64)) for t_s in reached_s)]
    complete = flight.ending is Ending.GOAL_REACHED
    times.append(stamps[-1])
    reached.append(items - 1 if complete else reached[-1])
    current = [min(seq + 1, items - 1) for seq in reached]
    return {
        "timestamp": np.array(times, dtype=np.uint64), "instance_count": 1, "seq_reached": reached,
        "seq_current": current, "seq_total": items, "valid": 1,
        "finished": [*([0] * (len(times) - 1)), int(complete)],
    }  # fmt: skip


def _states(
    trajectory: Trajectory, stamps: np.ndarray[Any, Any], on_ground: np.ndarray[Any, Any], ending: Ending
) -> dict[str, dict[str, Any]]:
    """Armed and on a mission until it stands on the ground again."""
    takeoff = int(np.argmin(on_ground))
    after = on_ground & (np.arange(len(trajectory)) > takeoff)
    keep, land = _every(trajectory, _STATUS_S), _every(trajectory, _LAND_S)
    land = np.unique(np.concatenate([land, np.flatnonzero(np.diff(on_ground.astype(np.int8))) + 1]))
    done = after[keep]
    return {
        "vehicle_status": {
            "timestamp": stamps[keep], "nav_state_timestamp": START_US, "armed_time": START_US,
            "takeoff_time": stamps[takeoff], "nav_state": np.where(done, _LOITER, _MISSION),
            "arming_state": np.where(done, _STANDBY, _ARMED), "system_type": _QUADROTOR, "system_id": 1,
            "component_id": 1, "vehicle_type": _ROTARY_WING,
        },
        "commander_state": {"timestamp": stamps[keep], "main_state_changes": 1, "main_state": _MISSION},
        "actuator_armed": {"timestamp": stamps[keep], "armed": ~done, "ready_to_arm": 1},
        "vehicle_land_detected": {
            "timestamp": stamps[land], "alt_max": 5000.0, "ground_contact": on_ground[land],
            "maybe_landed": on_ground[land], "landed": on_ground[land],
            "freefall": (ending is Ending.COLLISION) & (trajectory.velocity_enu_mps[land, 2] < -3.0),
        },
    }  # fmt: skip
