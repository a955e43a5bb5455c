"""The planner's half of a step: plan with what was seen, guide with the newest pose.

The stepwise loop and `planner_node` share it, so a planner flies the same way in both.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.loop.planner_watch import Unwatched
from uav_testgen.planner.base import Guide, Observation, Plan, Planner, Pose, refuse_nothing_but_nan
from uav_testgen.planner.follow import complete, demand, setpoint_of
from uav_testgen.planner.vfh3d.planner import Vfh3dPlanner


class Decider:
    """A planner through one flight; remembers the plan of the step before for guides that come late.

    Most vehicles fly to positions: velocities become places. PX4 in offboard mode gets what was demanded.
    """

    def __init__(self, planner: Planner, watch: Unwatched | None = None, positions_only: bool = True) -> None:
        self.planner = planner
        self._watch = watch or Unwatched()
        self._complete = complete if positions_only else demand
        self._before: Plan | None = None

    def plan(self, observation: Observation) -> Plan:
        """One call of the planner."""
        with self._watch.call():
            plan = self.planner.plan(observation)
        if not isinstance(plan, Plan):
            raise TypeError(f"plan() must return a Plan, not {type(plan).__name__}")
        if not isinstance(self.planner, Guide):
            refuse_nothing_but_nan(plan)
        return plan

    def guide(
        self, plan: Plan, pose: Pose, goal_enu_m: FloatArray, now_s: float, is_late: bool
    ) -> FloatArray:
        """The set-point for the newest pose; a late guide follows the plan of the step before."""
        chosen = self._before if is_late else plan
        self._before = plan
        if isinstance(self.planner, Vfh3dPlanner):
            return self.planner.guide(chosen, pose, now_s)
        chosen = chosen or plan
        if not isinstance(self.planner, Guide):
            return self._complete(setpoint_of(chosen, pose), pose, goal_enu_m)
        with self._watch.call():
            answer = self.planner.guide(chosen, pose, now_s)
        if isinstance(answer, Plan):
            return self._complete(setpoint_of(answer, pose), pose, goal_enu_m)
        return self._complete(np.asarray(answer, dtype=np.float64), pose, goal_enu_m)
