"""`potential_field`: pulled by the goal, pushed by every point near the drone. Small enough to read as an example.

It remembers points for a few seconds, because an obstacle beside the drone is outside the camera's view. Like all
planners of this kind it can get stuck in front of a wall.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import Float32Array
from uav_testgen.planner.base import Observation, Plan, PlannerSetup


class PotentialFieldPlanner:
    """Sum of an attraction of constant size and repulsions that fall with the square of the distance."""

    name = "potential_field"

    def __init__(self, reach_m: float = 6.0, push: float = 3.0, remember_s: float = 5.0) -> None:
        self.reach_m, self.push, self.remember_s = reach_m, push, remember_s

    def reset(self, setup: PlannerSetup) -> None:
        """Forget the points of the flight before."""
        self._cruise_mps = setup.cruise_mps
        self._seen: list[tuple[float, Float32Array]] = []

    def plan(self, observation: Observation) -> Plan:
        """A velocity along the field."""
        self._seen.append((observation.t_s, observation.cloud_enu_m))
        self._seen = [one for one in self._seen if one[0] >= observation.t_s - self.remember_s]
        to_goal = observation.goal_enu_m - observation.position_enu_m
        field = to_goal / max(float(np.linalg.norm(to_goal)), 1e-6)
        points = np.concatenate([cloud for _, cloud in self._seen]).astype(np.float64)
        away = observation.position_enu_m - points
        distance = np.linalg.norm(away, axis=1)
        near = (distance < self.reach_m) & (distance > 1e-6)
        if near.any():
            strength = (1.0 / distance[near] - 1.0 / self.reach_m) / distance[near] ** 2
            field = field + self.push * np.average(away[near], axis=0, weights=strength) * strength.max()
        speed = min(self._cruise_mps, float(np.linalg.norm(to_goal)))
        velocity = field / max(float(np.linalg.norm(field)), 1e-6) * speed
        return Plan(velocity_enu_mps=velocity)
