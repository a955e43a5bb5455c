"""What PX4 is told: the planner's demand, up in the take-off, else to stay where it is."""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SET_POSITION, SET_YAW, SETPOINT_SIZE, TAKEOFF
from uav_testgen.core.frames import Vector3
from uav_testgen.planner.follow import demand
from uav_testgen.ros.convert.motion import Motion, pose_of
from uav_testgen.ros.px4.bridge_config import Px4BridgeConfig
from uav_testgen.ros.px4.latest import Latest
from uav_testgen.ros.px4.mission_flight import MissionFlight, takeoff_waypoint
from uav_testgen.vehicle.px4_offboard.carrot import steer


class Steering:
    """The next set-point (the vector of `core.body`), in the mission's frame."""

    def __init__(self, config: Px4BridgeConfig) -> None:
        self._config = config
        self._setpoint: Latest[FloatArray] = Latest()
        self._hold: Vector3 | None = None
        self._yaw_rad = 0.0
        self._silent = False
        self.events: list[str] = []
        """What the planner did, since `begin`."""

    def begin(self, motion: Motion | None) -> None:
        """A flight starts here; what the planner said before does not count."""
        self._setpoint.clear()
        self._yaw_rad = motion.attitude_rad[2] if motion else 0.0
        self._silent, self.events = False, []

    def follow(self, setpoint: FloatArray, now_s: float) -> None:
        """The planner's newest answer."""
        self._setpoint.put(setpoint, now_s)

    def release(self) -> None:
        """What was held is not held any more."""
        self._hold = None

    def stay(self, motion: Motion) -> FloatArray:
        """The present place, for a vehicle that stands on the ground."""
        self._yaw_rad = motion.attitude_rad[2]
        return _place(motion.position_enu_m, self._yaw_rad)

    def hold(self, motion: Motion) -> FloatArray:
        """The place where holding began."""
        if self._hold is None:
            self._hold = motion.position_enu_m
        return _place(self._hold, self._yaw_rad)

    def fly(self, flight: MissionFlight, motion: Motion, now_s: float, t_s: float) -> FloatArray:
        """What the planner demands; a place alone is flown to at the speed of the mission."""
        wanted = (
            _place(*takeoff_waypoint(flight))
            if flight.phase == TAKEOFF
            else self._planned(flight, motion, now_s, t_s)
        )
        if wanted is None:
            return self.hold(motion)
        self._hold = None
        self._yaw_rad = steer(
            wanted,
            *motion.position_enu_m,
            motion.attitude_rad[2],
            self._yaw_rad,
            1.0 / self._config.stream_hz,
            self._config.carrot.numbers(flight.scenario.mission.speed_mps),
        )
        return wanted

    def _planned(self, flight: MissionFlight, motion: Motion, now_s: float, t_s: float) -> FloatArray | None:
        """The planner's demand; none while the planner is silent."""
        setpoint = self._setpoint.fresh(now_s, self._config.setpoint_max_age_s)
        if (setpoint is None) is not self._silent:
            self._silent = setpoint is None
            state = "gives no setpoint; holding position" if self._silent else "is back"
            self.events.append(f"the planner {state} at {t_s:.1f} s")
        if setpoint is None:
            return None
        return demand(setpoint, pose_of(motion), flight.goal, turns=False)


def _place(position_enu_m: Vector3, yaw_rad: float) -> FloatArray:
    setpoint = np.full(SETPOINT_SIZE, np.nan)
    setpoint[SET_POSITION : SET_POSITION + 3] = position_enu_m
    setpoint[SET_YAW] = yaw_rad
    return setpoint
