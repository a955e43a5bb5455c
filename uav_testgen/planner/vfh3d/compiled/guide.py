"""The compiled waypoint generator behind the planner contract."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from uav_testgen.core.errors import PlannerInputError
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
from uav_testgen.planner.vfh3d.compiled import guide_kernel as kernel
from uav_testgen.planner.vfh3d.compiled.planner import fov_array
from uav_testgen.planner.vfh3d.config import PlannerConfig

NAV_CODES = {
    NavState.MISSION: kernel.NAV_MISSION,
    NavState.AUTO_TAKEOFF: kernel.NAV_TAKEOFF,
    NavState.AUTO_LAND: kernel.NAV_LAND,
    NavState.AUTO_RTL: kernel.NAV_RTL,
    NavState.AUTO_RTGS: kernel.NAV_RTGS,
    NavState.AUTO_LOITER: kernel.NAV_LOITER,
    NavState.OFFBOARD: kernel.NAV_OFFBOARD,
    NavState.NONE: kernel.NAV_NONE,
}
_STATES = {
    kernel.TRY_PATH: WaypointState.TRY_PATH,
    kernel.ALTITUDE_CHANGE: WaypointState.ALTITUDE_CHANGE,
    kernel.LOITER: WaypointState.LOITER,
    kernel.DIRECT: WaypointState.DIRECT,
}


class CompiledWaypointGenerator:
    """Turns the planner's path into one smooth position setpoint per cycle."""

    def __init__(self, config: PlannerConfig, fovs: Sequence[FieldOfView] = (NOMINAL_FOV,)) -> None:
        self.config = config
        self._gain_xy = np.float32(config.smoothing_speed_xy)
        self._gain_z = np.float32(config.smoothing_speed_z)
        self._state = kernel.make_generator_state()
        self.set_fovs(fovs)
        self.reset()

    def reset(self) -> None:
        """Back to the state after construction."""
        kernel.reset_generator(self._state)
        self._path: Float32Array = np.zeros((0, 3), np.float32)
        self._path_time_s = 0.0
        self._cruise = np.float32(math.nan)

    def set_fovs(self, fovs: Sequence[FieldOfView]) -> None:
        """Replace the fields of view."""
        self._fovs = fov_array(fovs)

    def set_path(
        self, path_enu_m: npt.ArrayLike, last_path_time_s: float, cruise_velocity_mps: float
    ) -> None:
        """Take the planner's newest output."""
        self._path = np.ascontiguousarray(np.asarray(path_enu_m, np.float32).reshape(-1, 3))
        self._path_time_s = float(last_path_time_s)
        self._cruise = np.float32(cruise_velocity_mps)

    def update(self, state: WaypointInput) -> None:
        """Take the newest vehicle state and goal."""
        quaternion = finite_vector(state.quaternion_wxyz, 4, "quaternion").astype(np.float32)
        kernel.update_generator(
            self._state,
            finite_vector(state.position_enu_m, 3, "position").astype(np.float32),
            finite_vector(state.velocity_enu_mps, 3, "velocity").astype(np.float32),
            *quaternion,
            np.asarray(state.goal_enu_m, np.float32).reshape(3),
            np.asarray(state.desired_velocity_enu_mps, np.float32).reshape(3),
            int(state.stay),
            int(state.airborne),
            NAV_CODES[state.nav_state],
            int(state.is_land_waypoint),
            int(state.is_takeoff_waypoint),
        )

    def get(self, time_s: float) -> Waypoint:
        """Run the state machine once."""
        if not math.isfinite(time_s):
            raise PlannerInputError(f"time must be finite, got {time_s}")
        kernel.run_generator(
            self._state, self._path, len(self._path), self._path_time_s, self._cruise, float(time_s),
            self._gain_xy, self._gain_z, self._fovs,
        )  # fmt: skip
        g = self._state[0]
        return Waypoint(
            state=_STATES[int(g["mode"])],
            goto_enu_m=g["goto"].copy(),
            adapted_enu_m=g["adapted"].copy(),
            smoothed_enu_m=g["smoothed"].copy(),
            position_enu_m=g["out_position"].copy(),
            orientation_wxyz=g["out_orientation"].copy(),
            linear_velocity_enu_mps=g["out_velocity"].copy(),
            yaw_rad=float(g["yaw_setpoint"]),
            yaw_rate_radps=float(g["yaw_velocity"]),
            speed_mps=float(g["speed"]),
        )
