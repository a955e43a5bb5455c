"""`straight`: fly to the goal whatever is in the way. The baseline that every planner should beat."""

from __future__ import annotations

from uav_testgen.planner.base import Observation, Plan, PlannerSetup


class StraightPlanner:
    """No avoidance at all."""

    name = "straight"

    def reset(self, setup: PlannerSetup) -> None:
        """Nothing to forget."""

    def plan(self, observation: Observation) -> Plan:
        """The goal."""
        return Plan(position_enu_m=observation.goal_enu_m)
