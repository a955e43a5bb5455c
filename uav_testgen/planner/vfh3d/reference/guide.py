"""State machine that turns path, goal and flight mode into one setpoint per cycle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import (
    NOMINAL_FOV,
    FieldOfView,
    Float32Array,
    NavState,
    Waypoint,
    WaypointInput,
    WaypointState,
    finite_vector,
)
from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.planner.vfh3d.reference import polar
from uav_testgen.planner.vfh3d.reference.guide_smoothing import SetpointSmoother, Situation
from uav_testgen.planner.vfh3d.reference.path_setpoint import setpoint_from_path

_CLIMB_STEP_M: Final = F32(1.0)
_SLOW_MPS: Final = F32(0.5)
_RTL_HEIGHT_MARGIN_M: Final = F32(0.8)


def _vector(value: npt.ArrayLike) -> Float32Array:
    return np.array(value, dtype=F32)


def _nan3() -> Float32Array:
    return np.full(3, np.nan, F32)


@dataclass(slots=True)
class _State:
    """The newest values told to the generator."""

    position: Float32Array
    velocity: Float32Array
    goal: Float32Array
    desired_velocity: Float32Array
    yaw_rad: np.float32
    pitch_deg: np.float32
    stay: bool
    airborne: bool
    nav_state: NavState
    is_land_waypoint: bool
    is_takeoff_waypoint: bool


@dataclass(slots=True)
class _Output:
    """The values sent last; some survive from one cycle to the next."""

    goto: Float32Array
    adapted: Float32Array
    smoothed: Float32Array
    position_wp: Float32Array
    linear_velocity: Float32Array


class ReferenceWaypointGenerator:
    """The readable implementation of :class:`uav_testgen.planner.vfh3d.base.WaypointGenerator`.

    NaN in goals or desired velocities has a meaning to the autopilot and runs through as in the original;
    pose and time must be finite. ``get`` before the first ``update`` hovers at the origin.
    """

    def __init__(self, config: PlannerConfig, fovs: Sequence[FieldOfView] = (NOMINAL_FOV,)) -> None:
        self.config = config
        self._fovs = tuple(fovs)
        self.reset()

    def reset(self) -> None:
        """Back to the state after construction (LOITER, no path)."""
        self._smoother = SetpointSmoother(self.config)
        self._current = WaypointState.LOITER
        self._state_changed = False
        self._hover_position = _nan3()
        self._change_position = _nan3()
        self._change_yaw_rad = F32(np.nan)
        self._auto_land = False
        self._reached_offboard_altitude = False
        self._path = np.zeros((0, 3), F32)
        self._last_path_time_s = 0.0
        self._cruise_mps = F32(np.nan)
        zero = np.zeros(3, F32)
        self._out = _Output(zero, zero, zero, zero, _nan3())
        self._state = _State(
            zero, zero, zero, _nan3(), F32(0), F32(0), False, False, NavState.NONE, False, False
        )

    def set_fovs(self, fovs: Sequence[FieldOfView]) -> None:
        """Replace the fields of view."""
        self._fovs = tuple(fovs)

    def set_path(
        self, path_enu_m: npt.ArrayLike, last_path_time_s: float, cruise_velocity_mps: float
    ) -> None:
        """Take the planner's newest output."""
        self._path = _vector(path_enu_m).reshape(-1, 3)
        self._last_path_time_s = last_path_time_s
        self._cruise_mps = F32(cruise_velocity_mps)

    def update(self, state: WaypointInput) -> None:
        """Take the newest vehicle state and goal; on the ground the smoothing starts afresh."""
        yaw_deg, pitch_deg = polar.yaw_pitch_deg(finite_vector(state.quaternion_wxyz, 4, "quaternion"))
        self._state = _State(
            position=_vector(finite_vector(state.position_enu_m, 3, "position")),
            velocity=_vector(finite_vector(state.velocity_enu_mps, 3, "velocity")),
            goal=_vector(state.goal_enu_m),
            desired_velocity=_vector(state.desired_velocity_enu_mps),
            yaw_rad=F32(yaw_deg * polar.DEG_TO_RAD),
            pitch_deg=pitch_deg,
            stay=state.stay,
            airborne=state.airborne,
            nav_state=state.nav_state,
            is_land_waypoint=state.is_land_waypoint,
            is_takeoff_waypoint=state.is_takeoff_waypoint,
        )
        if not state.airborne or not self._smoother.is_finite():
            self._smoother.restart(self._state.position, self._state.yaw_rad)
            self._reached_offboard_altitude = False
        if self._auto_land:
            self._smoother.restart_location(self._state.position)

    def get(self, time_s: float) -> Waypoint:
        """Run the function of the current state once, then apply the transition."""
        finite_vector([time_s], 1, "time")
        self._out.linear_velocity = _nan3()
        self._smoother.advance_clock(time_s)
        run = {
            WaypointState.TRY_PATH: self._try_path,
            WaypointState.DIRECT: self._direct,
            WaypointState.LOITER: self._loiter,
            WaypointState.ALTITUDE_CHANGE: self._altitude_change,
        }[self._current]
        following = run()
        self._state_changed = following is not self._current
        self._current = following
        half_yaw = float(self._smoother.yaw_rad) / 2
        return Waypoint(
            state=self._current,
            goto_enu_m=self._out.goto,
            adapted_enu_m=self._out.adapted,
            smoothed_enu_m=self._out.smoothed,
            position_enu_m=self._out.position_wp,
            orientation_wxyz=_vector([np.cos(half_yaw), 0.0, 0.0, np.sin(half_yaw)]),
            linear_velocity_enu_mps=self._out.linear_velocity,
            yaw_rad=float(self._smoother.yaw_rad),
            yaw_rate_radps=float(self._smoother.yaw_rate_radps),
            speed_mps=float(self._smoother.speed_mps),
        )

    # The four states. Each sets goto, builds the message and answers the state to follow.

    def _try_path(self) -> WaypointState:
        valid, setpoint = self._setpoint_from_path()
        self._out.goto = self._one_metre_towards(setpoint)
        self._build_message()
        if self._state.stay:
            return WaypointState.LOITER
        if self._altitude_change_needed():
            return WaypointState.ALTITUDE_CHANGE
        return WaypointState.TRY_PATH if valid else WaypointState.DIRECT

    def _direct(self) -> WaypointState:
        self._out.goto = self._one_metre_towards(self._state.goal)
        self._build_message()
        valid, _ = self._setpoint_from_path()
        if valid:
            return WaypointState.TRY_PATH
        if self._altitude_change_needed():
            return WaypointState.ALTITUDE_CHANGE
        return WaypointState.LOITER if self._state.stay else WaypointState.DIRECT

    def _loiter(self) -> WaypointState:
        if self._state_changed or np.isnan(self._hover_position).any():
            self._hover_position = self._state.position
        self._out.goto = self._hover_position
        self._build_message()
        return WaypointState.LOITER if self._state.stay else WaypointState.TRY_PATH

    def _altitude_change(self) -> WaypointState:
        state = self._state
        if self._state_changed:
            self._change_yaw_rad = state.yaw_rad
            self._change_position = state.position
        if state.nav_state is NavState.OFFBOARD:
            self._climb_or_sink_offboard()
        elif polar.norm(state.velocity[:2]) > _SLOW_MPS:
            self._slow_down()
        else:
            self._change_to_goal_height()
        self._build_message()
        if state.stay:
            return WaypointState.LOITER
        return WaypointState.ALTITUDE_CHANGE if self._altitude_change_needed() else WaypointState.TRY_PATH

    def _climb_or_sink_offboard(self) -> None:
        """Straight up or down; the goal is taken to be above or below the vehicle for this cycle."""
        state = self._state
        goto = state.position.copy()
        state.goal = _vector([state.position[0], state.position[1], state.goal[2]])
        if state.airborne:
            goto[2] += _CLIMB_STEP_M if state.position[2] <= state.goal[2] else -_CLIMB_STEP_M
        self._out.goto = goto

    def _slow_down(self) -> None:
        """Too fast sideways to change height: stop here first."""
        position = self._state.position
        self._out.linear_velocity = _vector([0.0, 0.0, np.nan])
        self._out.goto = self._out.adapted = self._out.smoothed = position
        self._change_position = position

    def _change_to_goal_height(self) -> None:
        """Up or down over the remembered place, with the vertical speed the autopilot wishes."""
        target = _vector([self._change_position[0], self._change_position[1], self._state.goal[2]])
        self._out.goto = target
        if self._auto_land:
            self._out.adapted = self._out.smoothed = target
        self._out.linear_velocity = self._state.desired_velocity

    def _setpoint_from_path(self) -> tuple[bool, Float32Array]:
        return setpoint_from_path(
            self._path,
            self._last_path_time_s,
            self._smoother.current_time_s,
            float(self._cruise_mps),
            self._state.position,
        )

    def _one_metre_towards(self, target: Float32Array) -> Float32Array:
        """Unit step; no step at all when the target is here or not finite."""
        position = self._state.position
        step = polar.unit(target - position)
        return np.asarray(position + step, F32) if np.isfinite(step).all() else position

    def _altitude_change_needed(self) -> bool:
        """Does the flight mode ask for a change of height? Also notes whether this is a landing."""
        state = self._state
        height, goal_height = state.position[2], state.goal[2]
        mission, rtl = state.nav_state is NavState.MISSION, state.nav_state is NavState.AUTO_RTL
        climb_rtl = bool(height <= goal_height - _RTL_HEIGHT_MARGIN_M)
        # The original's branches reach "descend" only when a height is NaN.
        descend_rtl = bool(np.isnan(height) or np.isnan(goal_height))
        takeoff = (
            state.nav_state is NavState.AUTO_TAKEOFF
            or (mission and state.is_takeoff_waypoint)
            or (rtl and climb_rtl)
        )
        self._auto_land = (
            state.nav_state is NavState.AUTO_LAND
            or (mission and state.is_land_waypoint)
            or (rtl and descend_rtl)
        )
        offboard = state.nav_state is NavState.OFFBOARD
        if not (takeoff or self._auto_land or (offboard and not self._reached_offboard_altitude)):
            return False
        if offboard and height >= goal_height:
            self._reached_offboard_altitude = True
            return False
        return True

    def _build_message(self) -> None:
        """Yaw, speed and position smoothing; while landing only the yaw is touched."""
        out, state = self._out, self._state
        out.adapted = out.goto
        changing = self._current is WaypointState.ALTITUDE_CHANGE
        now = Situation(
            position=state.position,
            velocity=state.velocity,
            goal=state.goal,
            yaw_rad=state.yaw_rad,
            pitch_deg=state.pitch_deg,
            changing_altitude=changing,
            cruise_mps=self._cruise_mps,
            fovs=self._fovs,
        )
        self._smoother.turn(now, out.goto, self._change_yaw_rad)
        if not self._auto_land:
            out.goto, out.adapted = self._smoother.adapt_speed(now, out.goto)
            out.smoothed = self._smoother.move(now, out.adapted)
        out.position_wp = out.smoothed
