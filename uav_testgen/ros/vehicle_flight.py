"""The vehicle's half of the lock-step: a flight that waits for a set-point in every step.

The vehicle flies on with its old set-point until the guide speaks. That part of a step needs no answer, so
it is flown before the step is announced: planner and guide get both poses at once.
"""

from __future__ import annotations

from uav_testgen.core.arrays import FloatArray
from uav_testgen.loop.autopilot import system_for
from uav_testgen.loop.motion import Motion as Moving
from uav_testgen.loop.stepwise import pose_of
from uav_testgen.loop.system import System
from uav_testgen.loop.track import Tracker
from uav_testgen.planner.follow import demand
from uav_testgen.ros.convert.motion import Motion, motion_of, rates_between
from uav_testgen.ros.convert.setpoint import with_position
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.mission import FLYING


class VehicleFlight:
    """One flight; `tracker` knows its progress, its ending and its record."""

    def __init__(self, system: System, scenario: Scenario) -> None:
        system = system_for(system, scenario)
        self.dt_s = system.timing.dt_s
        self.image_age_s = system.timing.image_age_s
        self._positions_only = system.positions_only
        self.tracker = Tracker(scenario, system.mission)
        self._moving = Moving(system, scenario, scenario.seed)
        self.step = 0
        self._before: Motion | None = None
        self.tracker.begin(self._moving.body)
        self._fly_to_guide()

    @property
    def t_s(self) -> float:
        """Time of the step, computed as in the compiled flight so that both agree to the last bit."""
        return self.step * self.dt_s

    @property
    def is_late(self) -> bool:
        """Does the guide speak before planning has ended?"""
        return self._moving.moments.is_late

    def advance(self, setpoint: FloatArray) -> None:
        """Fly the rest of the step on the planner's answer, then up to the next one's moment."""
        pose = pose_of(self._moving.body)
        if self._positions_only:
            flown = with_position(setpoint, pose, self.tracker.goal)
        else:
            flown = demand(setpoint, pose, self.tracker.goal, turns=False)
        self._moving.after_guide(self.tracker, flown)
        self.step += 1
        self.tracker.after_step(self._moving.body, self.t_s)
        self._fly_to_guide()

    def _fly_to_guide(self) -> None:
        """Remember where the vehicle is; if the flight goes on, fly to where the guide speaks."""
        motion, before = motion_of(self._moving.body), self._before
        rates = rates_between(before, motion, self.dt_s) if before is not None else (0.0, 0.0, 0.0)
        self.motion: Motion = motion._replace(rates_radps=rates)
        self._before = self.motion
        self.image_pose: FloatArray = self._moving.image_pose
        self.guide_s = self.t_s
        if self.tracker.code == FLYING:
            self.guide_s = self._moving.before_guide(self.tracker, self.t_s)
        self.guide_motion: Motion = motion_of(self._moving.body)
