"""How far a flight has come, for the feedback of the action."""

from __future__ import annotations

import math

import numpy as np
from uav_testgen_msgs.action import Fly
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.ros.convert.parts import xyz_from_msg
from uav_testgen.scenario.model import Scenario
from uav_testgen.world.scene import Scene


class Progress:
    """Share of the route flown and distance to the nearest obstacle."""

    def __init__(self, scenario: Scenario) -> None:
        self._scene = Scene.of(scenario)
        route = np.array([scenario.mission.home_enu_m, *scenario.mission.route_enu_m])
        self._lengths_m = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(route, axis=0), axis=1))])

    @property
    def moving(self) -> bool:
        """Some obstacle moves."""
        return self._scene.world.moving

    def feedback(self, step: FlightStep) -> Fly.Feedback:
        """Feedback of one step; progress counts whole legs and the flown part of this one."""
        position, goal = xyz_from_msg(step.position), xyz_from_msg(step.goal)
        done = min(int(step.goal_index) + 1, len(self._lengths_m) - 1)
        total_m = float(self._lengths_m[-1])
        left_m = math.dist(position, goal)
        flown_m = max(float(self._lengths_m[done]) - left_m, 0.0)
        distances = self._scene.distances_m(position, step.time)
        return Fly.Feedback(
            position=step.position,
            time=step.time,
            progress=min(flown_m / total_m, 1.0) if total_m > 0.0 else 1.0,
            distance=float(distances.min()) if distances.size else math.nan,
        )
