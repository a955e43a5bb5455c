"""Each link of the chain fed with what was recorded before it, so that no error of another link reaches it.

Link            fed with                                answers
planner         recorded poses and the scene            waypoints
set-point       recorded waypoints and positions        PX4's trajectory set-points
motion          recorded trajectory set-points          positions and attitudes

Each keeps its own memory over the whole flight, from before take-off on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import (
    LAND,
    PITCH,
    POSITION,
    ROLL,
    SET_POSITION,
    TAKEOFF,
    YAW,
)
from uav_testgen.core.errors import ConfigError
from uav_testgen.fidelity.links.recording import STEP_S, LinkRecording
from uav_testgen.loop.decide import Decider
from uav_testgen.loop.planner_of import make_system_planner, planner_setup
from uav_testgen.loop.setup import moments_of
from uav_testgen.loop.stepwise import make_renderer, pose_of
from uav_testgen.loop.system import System
from uav_testgen.planner.base import Observation
from uav_testgen.sensing.base import Pose as CameraPose
from uav_testgen.sensing.cloud import DepthSensor
from uav_testgen.vehicle.px4 import profile
from uav_testgen.vehicle.px4 import state as px4
from uav_testgen.vehicle.px4.body import step_body
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4.cycle import CYCLE_S
from uav_testgen.vehicle.px4.model import LIFT_OFF_M
from uav_testgen.vehicle.px4.setpoint import step_setpoint
from uav_testgen.world.wind import pack_wind, wind_at

_CYCLES = round(STEP_S / CYCLE_S)


class Setpoints(NamedTuple):
    """PX4's trajectory set-points, one row per row of the recording; NaN before the flight."""

    position_enu_m: FloatArray
    velocity_enu_mps: FloatArray


class Motion(NamedTuple):
    """Where the vehicle is and how it leans, one row per row of the recording; NaN before the flight."""

    position_enu_m: FloatArray
    attitude_rad: FloatArray
    """Roll, pitch (nose down positive), yaw."""


def check_links(system: System) -> Px4VehicleConfig:
    """The vehicle of a system whose links are those of PX4 with PX4-Avoidance in mission mode; ConfigError if not."""
    vehicle = system.vehicle
    if (
        not isinstance(vehicle, Px4VehicleConfig)
        or not system.planner.is_shipped
        or system.guide != "waypoint"
    ):
        raise ConfigError(
            f"system '{system.name}' has no waypoints and trajectory set-points to compare; choose one with the "
            "px4 vehicle, the vfh3d planner and its waypoint guide"
        )
    if system.timing.dt_s != STEP_S:
        raise ConfigError(f"system '{system.name}': timing.dt_s must be {STEP_S:g} for a comparison of links")
    return vehicle


def waypoints(recording: LinkRecording, system: System) -> FloatArray:
    """(n, 3): our planner's newest waypoint at each row, had it been where the vehicle was."""
    check_links(system)
    scenario, timing = recording.scenario, system.timing
    planner = make_system_planner(system, scenario.mission.speed_mps)
    planner.reset(planner_setup(system, scenario, 0))
    decider = Decider(planner)
    sensor = DepthSensor.of(scenario, system.rig, make_renderer("analytic"), seed=0)
    is_late = moments_of(system).is_late
    rows = np.arange(len(recording.body), dtype=np.float64)
    bodies = np.array(recording.body)
    bodies[:, YAW] = np.unwrap(bodies[:, YAW])
    image = at_rows(bodies, rows - timing.image_age_s / STEP_S)
    newest = at_rows(bodies, rows + timing.plan_age_s / STEP_S)
    found = np.full((len(rows), 3), np.nan)
    begin = int(np.argmax(np.isfinite(recording.waypoint_enu_m[:, 0])))
    for row in range(begin, len(rows)):
        t_s = STEP_S * (row - begin)
        seen = image[row]
        pose = CameraPose(
            (float(seen[POSITION]), float(seen[POSITION + 1]), float(seen[POSITION + 2])),
            float(seen[YAW]), float(seen[PITCH]), float(seen[ROLL]),
        )  # fmt: skip
        clouds = tuple(frame.points_enu_m for frame in sensor.frames(t_s, pose, row - begin))
        goal, previous = recording.goal_enu_m(row)
        body = pose_of(bodies[row])
        plan = decider.plan(
            Observation(
                t_s=t_s,
                position_enu_m=body.position_enu_m,
                velocity_enu_mps=body.velocity_enu_mps,
                attitude_rad=body.attitude_rad,
                goal_enu_m=goal,
                previous_enu_m=previous,
                clouds_enu_m=clouds,
                phase=int(recording.phase[row]),
            )
        )
        setpoint = decider.guide(plan, pose_of(newest[row]), goal, t_s + timing.plan_age_s, is_late)
        found[row] = setpoint[SET_POSITION : SET_POSITION + 3]
    # They are sent `plan_age_s` into the step.
    return at_rows(found, rows - timing.plan_age_s / STEP_S)


def setpoints(recording: LinkRecording, system: System) -> Setpoints:
    """What our flight task makes of the recorded waypoints where the vehicle was."""
    k = check_links(system).constants()
    bodies, begin = recording.body, _lift_off(recording)
    state = px4.new_state(bodies[begin, POSITION : POSITION + 3], float(bodies[begin, YAW]))
    profiles = _profiles(state)
    found = Setpoints(*(np.full((len(bodies), 3), np.nan) for _ in range(2)))
    fine = at_rows(bodies[:, POSITION : POSITION + 3], np.arange(len(bodies) * _CYCLES) / _CYCLES)
    for row in range(begin, len(bodies)):
        found.position_enu_m[row] = profiles[:, profile.POSITION]
        found.velocity_enu_mps[row] = profiles[:, profile.VELOCITY]
        waypoint = recording.waypoint_enu_m[row]
        if not np.all(np.isfinite(waypoint)):
            continue
        goal, previous = recording.goal_enu_m(row)
        for cycle in range(_CYCLES):
            state[px4.POS : px4.POS + 3] = fine[row * _CYCLES + cycle]
            step_setpoint(
                state, waypoint, float(recording.waypoint_yaw_rad[row]), previous, goal,
                _item(int(recording.phase[row])), CYCLE_S, k,
            )  # fmt: skip
    return found


def motion(recording: LinkRecording, system: System) -> Motion:
    """How our controllers and airframe follow the recorded set-points, from lift-off on."""
    k = check_links(system).constants()
    bodies, begin = recording.body, _lift_off(recording)
    state = px4.new_state(bodies[begin, POSITION : POSITION + 3], float(bodies[begin, YAW]))
    profiles = _profiles(state)
    pad_m, pad_yaw_rad = float(state[px4.POS + 2]), float(state[px4.YAW])
    wanted = np.column_stack(
        [
            recording.setpoint_enu_m,
            recording.setpoint_enu_mps,
            np.gradient(recording.setpoint_enu_mps, STEP_S, axis=0),
            _unwrapped(recording.setpoint_yaw_rad),
        ]
    )
    fine = at_rows(wanted, np.arange(len(bodies) * _CYCLES) / _CYCLES)
    wind_row = pack_wind(recording.scenario.wind)
    found = Motion(*(np.full((len(bodies), 3), np.nan) for _ in range(2)))
    for row in range(begin, len(bodies)):
        found.position_enu_m[row] = state[px4.POS : px4.POS + 3]
        found.attitude_rad[row] = state[px4.ROLL], state[px4.PITCH], state[px4.YAW]
        wind = np.array(wind_at(wind_row, 0, STEP_S * (row - begin)))
        for cycle in range(_CYCLES):
            demanded = fine[row * _CYCLES + cycle]
            if not np.all(np.isfinite(demanded)):
                continue
            profiles[:, profile.POSITION] = demanded[0:3]
            profiles[:, profile.VELOCITY] = demanded[3:6]
            profiles[:, profile.ACCELERATION] = demanded[6:9]
            state[px4.YAW_SETPOINT] = demanded[9]
            step_body(state, wind, CYCLE_S, k)
            if state[px4.POS + 2] < pad_m + LIFT_OFF_M:
                state[px4.YAW], state[px4.YAW_RATE] = pad_yaw_rad, 0.0
    return found


def at_rows(values: FloatArray, rows: FloatArray) -> FloatArray:
    """Columns between rows; the first and the last row hold beyond the ends, NaN stays where it is."""
    places = np.clip(rows, 0.0, len(values) - 1.0)
    low = np.floor(places).astype(np.int64)
    high = np.minimum(low + 1, len(values) - 1)
    share = (places - low)[:, None]
    between = values[low] + share * (values[high] - values[low])
    return np.where(share > 0.0, between, values[low])


def _unwrapped(angles_rad: FloatArray) -> FloatArray:
    known = np.isfinite(angles_rad)
    filled = np.array(angles_rad)
    filled[known] = np.unwrap(angles_rad[known])
    return filled


def _lift_off(recording: LinkRecording) -> int:
    """The first row with a set-point and a waypoint: PX4's task begins."""
    known = np.isfinite(recording.setpoint_enu_mps[:, 0]) & np.isfinite(recording.waypoint_enu_m[:, 0])
    return int(np.argmax(known))


def _profiles(state: FloatArray) -> FloatArray:
    """The part of the state that is PX4's set-point, one row per axis."""
    return state[px4.PROFILES : px4.PROFILES + 3 * profile.PROFILE_WIDTH].reshape(3, profile.PROFILE_WIDTH)


def _item(phase: int) -> int:
    return {TAKEOFF: px4.TAKEOFF_ITEM, LAND: px4.LAND_ITEM}.get(phase, px4.POSITION_ITEM)
