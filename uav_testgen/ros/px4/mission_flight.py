"""The mission on PX4's poses: goals, waypoint switching, collision, endings, and the record of the flight.

The rules are those of the simulated vehicles (`loop.track`); the motion is PX4's. Obstacles are not in PX4's
world, so running into one is found here, from the geometry. Landing is PX4's own business.
"""

from __future__ import annotations

import math
from typing import Any

from std_msgs.msg import Header
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import LAND, TAKEOFF
from uav_testgen.core.frames import Vector3
from uav_testgen.flight.model import Flight
from uav_testgen.loop.track import Tracker
from uav_testgen.ros.convert.motion import Motion, body_of
from uav_testgen.ros.convert.parts import point_to_msg, vector_to_msg
from uav_testgen.ros.px4.failures import Failure
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.config import MissionRules
from uav_testgen.vehicle.mission import FLYING, HIT_OBSTACLE

SYSTEM = "px4_live"
_NAV_STATES = {TAKEOFF: FlightStep.AUTO_TAKEOFF, LAND: FlightStep.AUTO_LAND}
_RECORD_EVERY_S = 0.05


class MissionFlight:
    """One flight of one scenario. `code` is FLYING until something ends it; LAND is left to PX4."""

    def __init__(self, scenario: Scenario, rules: MissionRules) -> None:
        self.scenario = scenario
        self._tracker = Tracker(scenario, rules, always_takes_off=True)
        self.step = 0

    @property
    def launch_enu_m(self) -> Vector3:
        """Where the vehicle stands before the flight: home, or the ground below a home in the air."""
        mission = self.scenario.mission
        x, y, z = mission.home_enu_m
        return (x, y, z if mission.takeoff else 0.0)

    @property
    def code(self) -> int:
        """FLYING, or why it is over."""
        return self._tracker.code

    @property
    def phase(self) -> int:
        """TAKEOFF, LEG or LAND."""
        return self._tracker.phase

    @property
    def goal(self) -> FloatArray:
        """Where the leg leads."""
        return self._tracker.goal

    @property
    def previous(self) -> FloatArray:
        """Where the leg began."""
        return self._tracker.previous

    @property
    def goal_index(self) -> int:
        """Corner of the route flown to."""
        return self._tracker.goal_index

    @property
    def waypoint_times_s(self) -> list[float]:
        """When the waypoints were reached."""
        return self._tracker.waypoint_times_s

    @property
    def least_m(self) -> float:
        """Nearest obstacle so far."""
        return self._tracker.least_m

    @property
    def landing(self) -> bool:
        """All waypoints are reached: PX4 may land."""
        return self.phase == LAND

    def take(self, motion: Motion, t_s: float) -> None:
        """A new pose: one row of the record and a look at the obstacles."""
        if self.code != FLYING or t_s - self._tracker.last_s < _RECORD_EVERY_S:
            return
        if self._tracker.see(body_of(motion), t_s) == 0.0:
            self._tracker.code = HIT_OBSTACLE

    def advance(self, motion: Motion, t_s: float, progress: bool = True) -> None:
        """One step of the mission; sets `code` when the flight is over.

        Without `progress` the step only counts: the vehicle arms, holds or lands.
        """
        self.step += 1
        if not self.landing and progress:
            self._tracker.progress_to(body_of(motion), t_s)

    def completed(self) -> None:
        """PX4 has landed where the mission says."""
        self._tracker.complete()

    def record(self, failure: Failure | None, details: dict[str, Any]) -> Flight:
        """The flight so far."""
        return self._tracker.flight(
            backend="px4",
            system=SYSTEM,
            seed=self.scenario.seed,
            details={"steps": self.step, **details},
            ending=(failure.ending, str(failure)) if failure is not None else None,
        )


def takeoff_waypoint(flight: MissionFlight) -> tuple[Vector3, float]:
    """Straight up from the launch point, turning to the mission's heading: no avoidance in a take-off."""
    assert flight.phase == TAKEOFF
    x, y, _ = flight.launch_enu_m
    return (x, y, float(flight.goal[2])), flight.scenario.mission.home_yaw_rad


def step_message(
    flight: MissionFlight, motion: Motion, t_s: float, header: Header, airborne: bool
) -> FlightStep:
    """The mission's progress as vehicle_node would publish it."""
    speed_mps = flight.scenario.mission.speed_mps
    return FlightStep(
        header=header,
        step=flight.step,
        time=t_s,
        position=point_to_msg(motion.position_enu_m),
        velocity=vector_to_msg(motion.velocity_enu_mps),
        attitude=vector_to_msg(motion.attitude_rad),
        goal=point_to_msg(flight.goal),
        previous_goal=point_to_msg(flight.previous),
        goal_index=flight.goal_index,
        nav_state=_NAV_STATES.get(flight.phase, FlightStep.MISSION),
        is_takeoff=flight.phase == TAKEOFF,
        is_land=flight.phase == LAND,
        airborne=airborne,
        speed=math.nan if speed_mps is None else speed_mps,
    )
