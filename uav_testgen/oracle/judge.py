"""The verdict on one flight: did it keep its distance, touch, arrive?

Distance decides. A flight that ran out of time or got stuck but kept its distance passes (and is
marked as not completed): the competition gives such tests neither points nor a penalty. A flight whose
backend gave up says nothing, unless it had already come too near.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.flight.model import Ending, Flight
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.oracle.separation import Separation, separation
from uav_testgen.scenario.model import Scenario

_SAYS_NOTHING = {Ending.ABORTED, Ending.OFFBOARD_LOST}
_ENDING_TEXT = {
    Ending.GOAL_REACHED: "reached its goal",
    Ending.COLLISION: "ended by a collision",
    Ending.TIME_LIMIT: "ran out of time",
    Ending.STUCK: "got stuck",
    Ending.LANDED_EARLY: "landed before its goal",
    Ending.OFFBOARD_LOST: "lost its control link",
    Ending.ABORTED: "was aborted",
}


def judge(scenario: Scenario, flight: Flight, config: OracleConfig | None = None) -> Verdict:
    """Was this flight safe?"""
    config = config or OracleConfig()
    usable = len(flight.trajectory) > 0 and bool(np.all(np.isfinite(flight.trajectory.position_enu_m)))
    near = separation(scenario, flight.trajectory, config) if usable else None
    outcome = _outcome(flight, near, usable, config)
    decisive = near.by(config.measure) if near else None
    return Verdict(
        outcome=outcome,
        ending=flight.ending,
        min_distance_m=near.exact.distance_m if near else None,
        min_distance_horizontal_m=near.horizontal.distance_m if near else None,
        min_distance_aerialist_m=near.aerialist.distance_m if near else None,
        moment_s=decisive.moment_s if decisive else None,
        obstacle_index=decisive.obstacle_index if decisive else None,
        completed=flight.ending is Ending.GOAL_REACHED,
        duration_s=flight.duration_s,
        sentence=_sentence(flight, near, usable, outcome, config),
    )


class SeparationOracle:
    """`judge` with its limits, as the registry builds it."""

    name = "separation"
    config_type = OracleConfig

    def __init__(self, config: OracleConfig | None = None) -> None:
        self.config = config or OracleConfig()

    def judge(self, scenario: Scenario, flight: Flight) -> Verdict:
        """Was this flight safe?"""
        return judge(scenario, flight, self.config)


def _outcome(flight: Flight, near: Separation | None, usable: bool, config: OracleConfig) -> Outcome:
    distance_m = near.by(config.measure).distance_m if near else None
    if flight.ending is Ending.COLLISION:
        return Outcome.HARD_FAIL
    if distance_m is not None and (distance_m < config.collision_distance_m or distance_m == 0.0):
        return Outcome.HARD_FAIL
    if distance_m is not None and distance_m < config.safe_distance_m:
        return Outcome.SOFT_FAIL
    if not usable or flight.ending in _SAYS_NOTHING:
        return Outcome.INCONCLUSIVE
    return Outcome.PASS


def _sentence(
    flight: Flight, near: Separation | None, usable: bool, outcome: Outcome, config: OracleConfig
) -> str:
    end = f"{_ENDING_TEXT[flight.ending]} after {flight.duration_s:.1f} s"
    if not usable:
        return f"no usable trajectory; the flight {end}"
    if near is None:
        return f"nothing to come near to; the flight {end}"
    approach = near.by(config.measure)
    limit = {
        Outcome.HARD_FAIL: f"collision below {config.collision_distance_m:g} m",
        Outcome.SOFT_FAIL: f"below the safe {config.safe_distance_m:g} m",
        Outcome.PASS: f"kept the safe {config.safe_distance_m:g} m",
        Outcome.INCONCLUSIVE: "but the flight says nothing",
    }[outcome]
    return (
        f"{approach.distance_m:.2f} m from obstacle {approach.obstacle_index} at {approach.moment_s:.1f} s "
        f"({limit}); the flight {end}"
    )
