"""The fitness of scenario-based testing: how much distance was left before the safety distance was broken.

f = min over time of (distance to the nearest obstacle - safety distance), both in 3-D. Negative means the
vehicle was unsafe. A flight that did not perform its mission is not an instance of the situation asked for
and has no fitness; one that ended by a collision performed it up to the failure that is looked for.
"""

from __future__ import annotations

from uav_testgen.flight.model import Ending
from uav_testgen.oracle.model import Verdict

MISSION_PERFORMED = (Ending.GOAL_REACHED, Ending.COLLISION)


def safety_margin_m(verdict: Verdict | None, safety_distance_m: float) -> float | None:
    """Fitness of one flight; None where it has none."""
    if verdict is None or verdict.ending not in MISSION_PERFORMED or verdict.min_distance_3d_m is None:
        return None
    return verdict.min_distance_3d_m - safety_distance_m
