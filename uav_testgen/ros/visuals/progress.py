"""How far a flight has come, for the feedback of the action."""

from __future__ import annotations

import math

import numpy as np
from uav_testgen_msgs.action import Fly
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.scenario.model import Scenario
from uav_testgen.world.scene import Scene


class Progress:
    """Share of the route flown and distance to the nearest obstacle."""

    def __init__(self, scenario: Scenario) -> None:
        self._scene = Scene.of(scenario)
        route = np.array([scenario.mission.home_enu_m, *scenario.mission.route_enu_m])
        self._lengths_m = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(route, axis=0), axis=1))])
        self._position = scenario.mission.home_enu_m

    @property
    def moving(self) -> bool:
        """Some obstacle moves."""
        return self._scene.world.moving

    def at(self, position_enu_m: tuple[float, float, float]) -> None:
        """Note the newest position."""
        self._position = position_enu_m

    def feedback(self, step: FlightStep) -> Fly.Feedback:
        """Feedback of one step; progress counts whole legs and the flown part of this one."""
        goal = np.array([step.goal.x, step.goal.y, step.goal.z])
        done = min(int(step.goal_index) + 1, len(self._lengths_m) - 1)
        total_m = float(self._lengths_m[-1])
        left_m = float(np.linalg.norm(goal - np.array(self._position)))
        flown_m = max(float(self._lengths_m[done]) - left_m, 0.0)
        distances = self._scene.distances_m(self._position, step.time)
        message = Fly.Feedback(
            time=step.time,
            progress=min(flown_m / total_m, 1.0) if total_m > 0.0 else 1.0,
            distance=float(distances.min()) if distances.size else math.nan,
        )
        message.position.x, message.position.y, message.position.z = self._position
        return message
