"""The vehicle's half of the lock-step: mission, motion, collision, in the order of the compiled flight."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.backend.lfs.backend import landing_height_m
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.backend.lfs.endings import ENDINGS
from uav_testgen.backend.lfs.kernel import collision_code, least_distance
from uav_testgen.backend.lfs.stepwise import make_vehicle
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.ros.convert.motion import Motion
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.base import PITCH, POSITION, ROLL, VELOCITY, YAW, StepInput, body_at
from uav_testgen.vehicle.mission import (
    FLYING,
    NEXT,
    PHASE,
    STARTS_INSIDE,
    TIME_UP,
    after_step,
    new_mission_state,
    pack_mission,
    set_goal,
)
from uav_testgen.world.packed import pack


class VehicleFlight:
    """One flight, step by step. `code` is FLYING until something ends it."""

    def __init__(self, config: LfsConfig, scenario: Scenario) -> None:
        self.scenario = scenario
        self.vehicle = make_vehicle(config, scenario, scenario.seed)
        self.dt_s = config.dt_s
        self._world = pack(scenario)
        self._mission = pack_mission(
            scenario.mission, config.mission, landing_height_m(self._world, scenario)
        )
        self._state = new_mission_state(self._mission)
        self._body = body_at(scenario.mission.home_enu_m, scenario.mission.home_yaw_rad)
        self._track = [self._body.copy()]
        self._waypoint_times_s: list[float] = []
        self.goal, self.previous = np.zeros(3), np.zeros(3)
        set_goal(self._mission, self._state, self.goal, self.previous)
        self._least_m = self._distance(0.0)
        self.code = STARTS_INSIDE if self._least_m == 0.0 else FLYING

    @property
    def step(self) -> int:
        """Steps flown."""
        return len(self._track) - 1

    @property
    def t_s(self) -> float:
        """Flight time, computed as in the compiled flight so that both agree to the last bit."""
        return self.step * self.dt_s

    @property
    def phase(self) -> int:
        """TAKEOFF, LEG or LAND."""
        return int(self._state.counters[PHASE])

    @property
    def goal_index(self) -> int:
        """Corner of the route flown to."""
        return int(self._state.counters[NEXT])

    @property
    def image_pose(self) -> NDArray[np.float64]:
        """Position, roll, pitch and yaw when the image was taken that is planned with now."""
        return self.vehicle.image_pose(self._body)

    @property
    def motion(self) -> Motion:
        """State of the body."""
        body = self._body
        return Motion(
            tuple(body[POSITION : POSITION + 3].tolist()),
            tuple(body[VELOCITY : VELOCITY + 3].tolist()),
            (float(body[ROLL]), float(body[PITCH]), float(body[YAW])),
        )

    def advance(self, command: dict[str, Any]) -> None:
        """Move by one step on the planner's answer; sets `code` when the flight is over."""
        phase, before = self.phase, self.goal_index
        step_input = StepInput(
            t_s=self.t_s,
            dt_s=self.dt_s,
            phase=phase,
            goal_enu_m=self.goal,
            previous_enu_m=self.previous,
            **command,
        )
        self.vehicle.step(self._body, step_input)
        self._track.append(self._body.copy())
        self.code = after_step(self._mission, self._state, self._body, self.t_s)
        if self.code == FLYING and self.goal_index > before:
            self._waypoint_times_s.append(round(self.t_s, 6))
        distance_m = self._distance(self.t_s)
        self._least_m = min(self._least_m, distance_m)
        if self.code == FLYING:
            self.code = collision_code(distance_m, self._world.ground, self._body, phase)
        if self.code == FLYING and self.t_s >= self._mission.time_limit_s - 1e-9:
            self.code = TIME_UP
        set_goal(self._mission, self._state, self.goal, self.previous)

    def record(self, details: dict[str, Any]) -> Flight:
        """The flight so far; ABORTED while it is not over."""
        ending, reason = ENDINGS.get(self.code, (Ending.ABORTED, "the flight was stopped"))
        track: NDArray[np.float64] = np.array(self._track)
        return Flight(
            scenario_id=self.scenario.id,
            backend="graph",
            vehicle=self.vehicle.name,
            seed=self.scenario.seed,
            ending=ending,
            reason=reason,
            trajectory=Trajectory(
                t_s=self.dt_s * np.arange(len(track), dtype=np.float64),
                position_enu_m=track[:, POSITION : POSITION + 3],
                velocity_enu_mps=track[:, VELOCITY : VELOCITY + 3],
                yaw_rad=track[:, YAW],
            ),
            details={
                "steps": self.step,
                "least_sampled_distance_m": self._least_m if math.isfinite(self._least_m) else None,
                "waypoint_times_s": self._waypoint_times_s,
                **details,
            },
        )

    def _distance(self, t_s: float) -> float:
        placed = self._world.placed_at(t_s) if self._world.moving else self._world.obstacles
        return float(least_distance(placed, self._body))
