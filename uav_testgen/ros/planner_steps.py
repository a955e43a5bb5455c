"""One step of the planner side: goal in, planner cycle, waypoint generator, answer out.

The order is the one of the compiled flight: goal, cycle, path to the generator, waypoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.planner.vfh3d.base import (
    FieldOfView,
    NavState,
    PlannerResult,
    Waypoint,
    WaypointInput,
    make_planner,
    make_waypoint_generator,
)
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters
from uav_testgen.ros.convert.motion import Motion
from uav_testgen.ros.convert.parts import xyz_from_msg

NAV_STATES: Final = {
    FlightStep.MISSION: NavState.MISSION,
    FlightStep.AUTO_TAKEOFF: NavState.AUTO_TAKEOFF,
    FlightStep.AUTO_LAND: NavState.AUTO_LAND,
    FlightStep.AUTO_RTL: NavState.AUTO_RTL,
    FlightStep.AUTO_LOITER: NavState.AUTO_LOITER,
    FlightStep.OFFBOARD: NavState.OFFBOARD,
}


class StepAnswer(NamedTuple):
    """What the planner side says to one step."""

    result: PlannerResult
    waypoint: Waypoint
    target_enu_m: tuple[float, float, float]


class PlannerSteps:
    """Planner and waypoint generator of one vehicle."""

    def __init__(
        self,
        implementation: str,
        config: PlannerConfig,
        px4: Px4Parameters,
        fovs: Sequence[FieldOfView],
    ) -> None:
        self._planner = make_planner(implementation, config, px4, fovs)
        self._generator = make_waypoint_generator(implementation, config, fovs)

    def reset(self) -> None:
        """A new flight starts."""
        self._planner.reset()
        self._generator.reset()

    def warm_up(self) -> None:
        """Compile everything now: a step must not wait for a compiler."""
        step = FlightStep(time=1.0)
        step.goal.x = 10.0
        ahead = np.array([[4.0, y, z] for y in (-0.5, 0.0, 0.5) for z in (4.5, 5.0)], dtype=np.float32)
        still = Motion((0.0, 0.0, 5.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        self.answer(still, step, ahead, inspect=True)
        self.reset()

    def answer(
        self, motion: Motion, step: FlightStep, cloud: NDArray[np.float32], inspect: bool = False
    ) -> StepAnswer:
        """Plan at the time of the step; `inspect` also keeps tree and costs."""
        goal, previous = xyz_from_msg(step.goal), xyz_from_msg(step.previous_goal)
        quaternion = motion.quaternion_wxyz
        self._planner.set_goal(goal, previous)
        self._planner.set_mission_item_speed(step.speed)
        result = self._planner.plan(
            step.time, motion.position_enu_m, motion.velocity_enu_mps, quaternion, [cloud], trace=inspect
        )
        self._generator.set_path(result.path_enu_m, result.last_path_time_s, result.cruise_velocity_mps)
        self._generator.update(
            WaypointInput(
                position_enu_m=motion.position_enu_m,
                velocity_enu_mps=motion.velocity_enu_mps,
                quaternion_wxyz=quaternion,
                goal_enu_m=goal,
                previous_goal_enu_m=previous,
                airborne=step.airborne,
                nav_state=NAV_STATES[step.nav_state],
                is_land_waypoint=step.is_land,
                is_takeoff_waypoint=step.is_takeoff,
            )
        )
        path = result.path_enu_m
        target = goal
        if result.planned_now and len(path) >= 2:
            target = (float(path[-2, 0]), float(path[-2, 1]), float(path[-2, 2]))
        return StepAnswer(result, self._generator.get(step.time), target)
