"""What a log says about a flight: where it was flown, and how it ended. For every backend that reads logs."""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.flight.model import Ending, Trajectory
from uav_testgen.scenario.model import Scenario


def placed(trajectory: Trajectory, scenario: Scenario) -> Trajectory:
    """The log counts from its take-off point, the scenario from its own origin."""
    home = np.array(scenario.mission.home_enu_m)
    return Trajectory(
        trajectory.t_s - trajectory.t_s[0],
        trajectory.position_enu_m + home,
        trajectory.velocity_enu_mps,
        trajectory.yaw_rad,
    )


def ending_of(
    scenario: Scenario, trajectory: Trajectory, *, in_air: bool, timed_out: bool, arrival_m: float
) -> tuple[Ending, str]:
    """What the log says; whether it was a collision is for the oracle to find."""
    x, y, _ = scenario.mission.route_enu_m[-1]
    last = trajectory.position_enu_m[-1]
    away_m = math.hypot(last[0] - x, last[1] - y)
    if timed_out or (in_air and away_m > arrival_m):
        return Ending.TIME_LIMIT, f"the log ends in the air, {away_m:.1f} m from the last waypoint"
    if away_m <= arrival_m:
        return Ending.GOAL_REACHED, "the log ends at the last waypoint"
    return Ending.LANDED_EARLY, f"the log ends on the ground, {away_m:.1f} m from the last waypoint"
