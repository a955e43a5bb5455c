"""Where PX4 is told to go: to the planner's waypoint, up in the take-off, else where it is."""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SET_POSITION, SET_YAW, TAKEOFF
from uav_testgen.core.frames import Vector3
from uav_testgen.ros.convert.motion import Motion, pose_of
from uav_testgen.ros.convert.setpoint import with_position
from uav_testgen.ros.px4.bridge_config import Px4BridgeConfig
from uav_testgen.ros.px4.carrot import draw_near, turn_towards
from uav_testgen.ros.px4.latest import Latest
from uav_testgen.ros.px4.mission_flight import MissionFlight, takeoff_waypoint


class Steering:
    """The position and heading of the next set-point, in the mission's frame."""

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

    def stay(self, motion: Motion) -> tuple[Vector3, float]:
        """The present place, for a vehicle that stands on the ground."""
        self._yaw_rad = motion.attitude_rad[2]
        return motion.position_enu_m, self._yaw_rad

    def hold(self, motion: Motion) -> tuple[Vector3, float]:
        """The place where holding began."""
        if self._hold is None:
            self._hold = motion.position_enu_m
        return self._hold, self._yaw_rad

    def fly(self, flight: MissionFlight, motion: Motion, now_s: float, t_s: float) -> tuple[Vector3, float]:
        """On to the planner's waypoint, at the speed of the mission."""
        waypoint, yaw = self._waypoint(flight, motion, now_s, t_s)
        if waypoint is None:
            return self.hold(motion)
        self._hold = None
        self._yaw_rad = turn_towards(self._yaw_rad, yaw, 1.0 / self._config.stream_hz, self._config.carrot)
        cruise_mps = self._cruise_mps(flight)
        return draw_near(motion.position_enu_m, waypoint, cruise_mps, self._config.carrot), self._yaw_rad

    def _waypoint(
        self, flight: MissionFlight, motion: Motion, now_s: float, t_s: float
    ) -> tuple[Vector3 | None, float]:
        if flight.phase == TAKEOFF:
            return takeoff_waypoint(flight)
        return self._planned(flight, motion, now_s, t_s)

    def _planned(
        self, flight: MissionFlight, motion: Motion, now_s: float, t_s: float
    ) -> tuple[Vector3 | None, float]:
        """The planner's waypoint; none while the planner is silent."""
        setpoint = self._setpoint.fresh(now_s, self._config.setpoint_max_age_s)
        if (setpoint is None) is not self._silent:
            self._silent = setpoint is None
            state = "gives no setpoint; holding position" if self._silent else "is back"
            self.events.append(f"the planner {state} at {t_s:.1f} s")
        if setpoint is None:
            return None, math.nan
        full = with_position(setpoint, pose_of(motion), flight.goal)
        x, y, z = full[SET_POSITION : SET_POSITION + 3].tolist()
        return (x, y, z), float(full[SET_YAW])

    def _cruise_mps(self, flight: MissionFlight) -> float:
        return flight.scenario.mission.speed_mps or self._config.carrot.cruise_mps
