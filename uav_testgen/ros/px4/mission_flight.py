"""The mission on PX4's poses: goals, waypoint switching, collision, endings, and the record of the flight.

The rules are those of the simulated vehicles (`vehicle.mission`); the motion is PX4's. Obstacles are not in
PX4's world, so running into one is found here, from the geometry. Landing is PX4's own business.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from std_msgs.msg import Header
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.backend.lfs.backend import landing_height_m
from uav_testgen.backend.lfs.endings import ENDINGS
from uav_testgen.backend.lfs.kernel import least_distance
from uav_testgen.core.frames import Vector3
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.ros.convert.motion import Motion
from uav_testgen.ros.convert.parts import point_to_msg, vector_to_msg
from uav_testgen.ros.px4.failures import Failure
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.base import BODY_SIZE, LAND, LEG, POSITION, ROLL, TAKEOFF, VELOCITY
from uav_testgen.vehicle.config import MissionRules
from uav_testgen.vehicle.mission import (
    FLYING,
    HIT_OBSTACLE,
    NEXT,
    PHASE,
    REACHED,
    TIME_UP,
    after_step,
    new_mission_state,
    pack_mission,
    set_goal,
)
from uav_testgen.world.packed import pack

VEHICLE = "px4_live"
_NAV_STATES = {TAKEOFF: FlightStep.AUTO_TAKEOFF, LAND: FlightStep.AUTO_LAND}
_RECORD_EVERY_S = 0.05


class MissionFlight:
    """One flight of one scenario. `code` is FLYING until something ends it; LAND is left to PX4."""

    def __init__(self, scenario: Scenario, rules: MissionRules) -> None:
        self.scenario = scenario
        mission = scenario.mission
        self._world = pack(scenario)
        self._mission = pack_mission(mission, rules, landing_height_m(self._world, scenario))
        if not mission.takeoff:
            # The real vehicle stands on the ground: it climbs to where the mission begins.
            self._mission = self._mission._replace(takeoff=True)
        self._state = new_mission_state(self._mission)
        self._rows: list[tuple[float, ...]] = []
        self._body = np.zeros(BODY_SIZE)
        self.waypoint_times_s: list[float] = []
        self.least_m = math.inf
        self.code = FLYING
        self.step = 0
        self.goal, self.previous = np.zeros(3), np.zeros(3)
        set_goal(self._mission, self._state, self.goal, self.previous)

    @property
    def launch_enu_m(self) -> Vector3:
        """Where the vehicle stands before the flight: home, or the ground below a home in the air."""
        mission = self.scenario.mission
        x, y, z = mission.home_enu_m
        return (x, y, z if mission.takeoff else 0.0)

    @property
    def phase(self) -> int:
        """TAKEOFF, LEG or LAND."""
        return int(self._state.counters[PHASE])

    @property
    def goal_index(self) -> int:
        """Corner of the route flown to."""
        return int(self._state.counters[NEXT])

    @property
    def landing(self) -> bool:
        """All waypoints are reached: PX4 may land."""
        return self.phase == LAND

    def take(self, motion: Motion, t_s: float) -> None:
        """A new pose: one row of the record and a look at the obstacles."""
        if self.code != FLYING or (self._rows and t_s - self._rows[-1][0] < _RECORD_EVERY_S):
            return
        self._rows.append((t_s, *motion.position_enu_m, *motion.velocity_enu_mps, motion.attitude_rad[2]))
        self._load(motion)
        placed = self._world.placed_at(t_s) if self._world.moving else self._world.obstacles
        distance_m = float(least_distance(placed, self._body))
        self.least_m = min(self.least_m, distance_m)
        if distance_m == 0.0:
            self.code = HIT_OBSTACLE

    def advance(self, motion: Motion, t_s: float, progress: bool = True) -> None:
        """One step of the mission; sets `code` when the flight is over.

        Without `progress` the step only counts: the vehicle arms, holds or lands.
        """
        self.step += 1
        if self.code != FLYING or self.landing or not progress:
            return
        self._load(motion)
        before = (self.phase, self.goal_index)
        self.code = after_step(self._mission, self._state, self._body, t_s)
        if before[0] == LEG and (self.phase, self.goal_index) != before:
            self.waypoint_times_s.append(round(t_s, 3))
        if self.code == FLYING and t_s >= self._mission.time_limit_s:
            self.code = TIME_UP
        set_goal(self._mission, self._state, self.goal, self.previous)

    def completed(self) -> None:
        """PX4 has landed where the mission says."""
        if self.code == FLYING:
            self.code = REACHED

    def record(self, failure: Failure | None, details: dict[str, Any]) -> Flight:
        """The flight so far."""
        ending, reason = ENDINGS.get(self.code, (Ending.ABORTED, "the flight was stopped"))
        if failure is not None and self.code == FLYING:
            ending, reason = failure.ending, str(failure)
        table = np.array(self._rows, dtype=np.float64).reshape(-1, 8)
        return Flight(
            scenario_id=self.scenario.id,
            backend="px4",
            vehicle=VEHICLE,
            seed=self.scenario.seed,
            ending=ending,
            reason=reason,
            trajectory=Trajectory(table[:, 0], table[:, 1:4], table[:, 4:7], table[:, 7]),
            details={
                "steps": self.step,
                "least_sampled_distance_m": self.least_m if math.isfinite(self.least_m) else None,
                "waypoint_times_s": self.waypoint_times_s,
                **details,
            },
        )

    def _load(self, motion: Motion) -> None:
        self._body[POSITION : POSITION + 3] = motion.position_enu_m
        self._body[VELOCITY : VELOCITY + 3] = motion.velocity_enu_mps
        self._body[ROLL : ROLL + 3] = motion.attitude_rad


def takeoff_waypoint(flight: MissionFlight) -> tuple[Vector3, float]:
    """Straight up from the launch point, turning to the mission's heading: no avoidance in a take-off."""
    assert flight.phase == TAKEOFF
    x, y, _ = flight.launch_enu_m
    return (x, y, float(flight.goal[2])), flight.scenario.mission.home_yaw_rad


def step_message(
    flight: MissionFlight, motion: Motion, t_s: float, header: Header, airborne: bool
) -> FlightStep:
    """The mission's progress as vehicle_node would publish it."""
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
        speed=float("nan"),
    )
