"""One step of the planner side: flight step and clouds in, set-point out."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import LAND, LEG, TAKEOFF
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.flight.sample import sample_scenario
from uav_testgen.loop.autopilot import system_for
from uav_testgen.loop.decide import Decider
from uav_testgen.loop.planner_of import PlannerNotMade, make_system_planner, planner_setup
from uav_testgen.loop.planner_watch import InterruptsOrEnds, PlannerHangs, PlannerLimits, Unwatched
from uav_testgen.loop.system import System
from uav_testgen.planner.base import Observation, Plan, Planner
from uav_testgen.planner.camera import Camera
from uav_testgen.planner.follow import complete
from uav_testgen.planner.vfh3d.planner import Vfh3dPlanner
from uav_testgen.ros.convert.motion import Motion, guide_motion_from_step, pose_of
from uav_testgen.ros.convert.parts import xyz_from_msg
from uav_testgen.scenario.model import Scenario

START_S: Final = 60.0
"""Making and resetting a planner may import a large library, but ends before nodes are given up that do not start."""


class StepAnswer(NamedTuple):
    """What the planner side says to one step."""

    plan: Plan
    setpoint: FloatArray


class SeenClouds(NamedTuple):
    """What the cameras saw, one cloud each if they are told apart, and when the message says it was seen."""

    clouds_enu_m: tuple[NDArray[np.float32], ...]
    stamp_ns: int


class PlannerSteps:
    """The planner of a system, one flight after the other."""

    def __init__(self, system: System, timeout_s: float = math.inf, start_s: float = START_S) -> None:
        """How long a planner that is not ours may take: for a call, and for being made and reset."""
        self.system = system
        limits = PlannerLimits(late_s=timeout_s, timeout_s=timeout_s, start_s=start_s)
        # What is written to the standard error is in the log of the node, where the backend looks.
        self._watch = Unwatched() if system.planner.is_shipped else InterruptsOrEnds(limits, sys.__stderr__)
        self.begin(sample_scenario())

    @property
    def planner(self) -> Planner:
        """The planner of the present flight."""
        return self._decider.planner

    def begin(self, scenario: Scenario) -> None:
        """A new flight with a new planner. Of the scenario only speed, autopilot parameters and seed count."""
        system = system_for(self.system, scenario)
        planner = self._started(system, scenario)
        # Said as it was demanded: whoever flies to positions only (`ros.vehicle_flight`) completes it.
        self._decider = Decider(planner, self._watch, positions_only=False)

    def _started(self, system: System, scenario: Scenario) -> Planner:
        """Made and reset; PlannerNotMade says where a planner that is not ours failed."""
        if system.planner.is_shipped:
            planner = make_system_planner(system, scenario.mission.speed_mps)
            planner.reset(planner_setup(system, scenario, scenario.seed))
            return planner
        try:
            with self._watch.start():
                planner = make_system_planner(system, scenario.mission.speed_mps)
                planner.reset(planner_setup(system, scenario, scenario.seed))
        except UavTestgenError:
            raise
        except (Exception, SystemExit, PlannerHangs) as error:
            raise PlannerNotMade(system.planner.name, error) from error
        return planner

    def warm_up(self) -> None:
        """Compile everything now: a step must not wait for a compiler."""
        # Somebody else's planner is called in flights only.
        if not self.system.planner.is_shipped:
            return
        step = FlightStep(time=1.0)
        step.goal.x = 10.0
        ahead = np.array([[4.0, y, z] for y in (-0.5, 0.0, 0.5) for z in (4.5, 5.0)], dtype=np.float32)
        still = Motion((0.0, 0.0, 5.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        self.answer(still, step, (ahead,), inspect=True)
        self.begin(sample_scenario())

    def answer(
        self,
        motion: Motion,
        step: FlightStep,
        clouds: tuple[NDArray[np.float32], ...],
        take_cameras: Callable[[], tuple[Camera, ...]] = tuple,
        inspect: bool = False,
    ) -> StepAnswer:
        """Plan with the pose of the step, guide with the newest one; `inspect` also keeps tree and costs."""
        pose, goal = pose_of(motion), np.array(xyz_from_msg(step.goal))
        newest, now_s = guide_motion_from_step(step, motion)
        if isinstance(self.planner, Vfh3dPlanner):
            self.planner.trace = inspect
        observation = Observation(
            t_s=step.time,
            position_enu_m=pose.position_enu_m,
            velocity_enu_mps=pose.velocity_enu_mps,
            attitude_rad=pose.attitude_rad,
            goal_enu_m=goal,
            previous_enu_m=np.array(xyz_from_msg(step.previous_goal)),
            clouds_enu_m=clouds,
            phase=phase_of(step),
            take_cameras=take_cameras,
        )
        plan = self._decider.plan(observation)
        return StepAnswer(
            plan, self._decider.guide(plan, pose_of(newest), goal, now_s, bool(step.guide_is_late))
        )


def phase_of(step: FlightStep) -> int:
    """TAKEOFF, LEG or LAND."""
    return TAKEOFF if step.is_takeoff else (LAND if step.is_land else LEG)


def path_of(answer: StepAnswer, motion: Motion) -> Any:
    """(n, 3) the planned path for display; from the vehicle to the set-point where there is none."""
    if answer.plan.path_enu_m is not None:
        return answer.plan.path_enu_m
    there = complete(answer.setpoint, pose_of(motion), np.array(motion.position_enu_m))
    return np.array([motion.position_enu_m, there[:3]])
