"""A small scenario to try things out with, before they are said to be ready.

The first use of compiled code may take seconds (it is compiled or loaded then). A node that did this during
a flight would look dead to the others.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.scenario.model import LinearMotion, Mission, Obstacle, Scenario, Waypoint


def sample_scenario() -> Scenario:
    """A resting and a moving obstacle beside a short way."""
    return Scenario(
        mission=Mission(waypoints=(Waypoint(position_enu_m=(10.0, 0.0, 5.0)),), takeoff_altitude_m=5.0),
        obstacles=(
            Obstacle(center_enu_m=(5.0, 8.0, 5.0), size_m=(2.0, 2.0, 10.0)),
            Obstacle(
                center_enu_m=(5.0, -8.0, 5.0),
                size_m=(2.0, 2.0, 2.0),
                motion=LinearMotion(to_enu_m=(8.0, -8.0, 5.0), speed_mps=1.0),
            ),
        ),
    )


def sample_flight(scenario: Scenario) -> Flight:
    """Straight through the sample scenario."""
    t_s = np.linspace(0.0, 3.0, 31)
    position = np.column_stack([3.0 * t_s, np.zeros_like(t_s), np.full_like(t_s, 5.0)])
    trajectory = Trajectory(t_s, position, np.tile([3.0, 0.0, 0.0], (31, 1)), np.zeros_like(t_s))
    return Flight(scenario.id, "sample", "sample", 0, Ending.GOAL_REACHED, "", trajectory)
