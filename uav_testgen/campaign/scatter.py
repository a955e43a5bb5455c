"""What differs between two real flights of one test, as a seeded change of the start.

A deterministic simulator repeats itself exactly, a real autopilot never does. Repeats of a promising
test therefore start a little aside (take-off spot and heading); the share that still fails predicts
how often a confirming simulator will see the failure.
"""

from __future__ import annotations

from uav_testgen.rng import stream
from uav_testgen.scenario.model import Scenario


def scattered(scenario: Scenario, seed: int, position_m: float, heading_rad: float) -> Scenario:
    """The same test from a start drawn around its own (standard deviations)."""
    if position_m == 0.0 and heading_rad == 0.0:
        return scenario
    east, north, turn = stream(seed, "start").normal(0.0, 1.0, 3)
    x, y, z = scenario.mission.home_enu_m
    mission = scenario.mission.model_copy(
        update={
            "home_enu_m": (x + position_m * float(east), y + position_m * float(north), z),
            "home_yaw_rad": scenario.mission.home_yaw_rad + heading_rad * float(turn),
        }
    )
    return scenario.model_copy(update={"mission": mission})
