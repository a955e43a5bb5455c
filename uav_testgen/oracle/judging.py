"""The verdict on one flight: did it keep its distance, touch, arrive?

Distance decides, or the requirements that were asked for. A flight that violated nothing but did not complete its
mission is incomplete, not a pass; the competition gives such tests neither points nor a penalty. A flight ended by
an error of the planner's code, or by waiting for it, says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uav_testgen.flight.judged_on import JUDGED_ON
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.flight.obstacle_poses import poses_of
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.finding import Finding, worst
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.oracle.requirement import Requirement, find
from uav_testgen.oracle.separation import Separation, separation
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.obstacle_name import obstacle_name

_ENDING_TEXT = {
    Ending.GOAL_REACHED: "reached its goal",
    Ending.COLLISION: "ended in a collision",
    Ending.TIME_LIMIT: "ran out of time",
    Ending.STUCK: "got stuck",
    Ending.LANDED_EARLY: "landed before its goal",
    Ending.OFFBOARD_LOST: "lost its control link",
    Ending.ABORTED: "was aborted",
    Ending.PLANNER_ERROR: "ended because the planner failed",
    Ending.PLANNER_LATE: "ended because the planner did not answer in time",
}


def judge(
    scenario: Scenario,
    flight: Flight,
    config: OracleConfig | None = None,
    requirements: Sequence[Requirement] = (),
) -> Verdict:
    """Was this flight safe? By the requirements that are given; without any, by the distance alone.

    The limits of the distance are those of the caller, else those of the scenario.
    """
    config = config or limits_of(scenario)
    usable = len(flight.trajectory) > 0 and bool(np.all(np.isfinite(flight.trajectory.position_enu_m)))
    seen = poses_of(flight, len(scenario.obstacles))
    near = separation(scenario, flight.trajectory, config, seen) if usable else None
    findings = tuple(find(requirement, scenario, flight) for requirement in requirements)
    if findings:
        return _by_findings(flight, near, usable, config, findings)
    outcome = _outcome(flight, near, usable, config)
    decisive = near.by(config.measure) if near else None
    return Verdict(
        outcome=outcome,
        ending=flight.ending,
        min_distance_3d_m=near.exact.distance_m if near else None,
        min_distance_horizontal_m=near.horizontal.distance_m if near else None,
        min_distance_aerialist_m=near.aerialist.distance_m if near else None,
        moment_s=decisive.moment_s if decisive else None,
        obstacle_index=decisive.obstacle_index if decisive else None,
        completed=flight.ending is Ending.GOAL_REACHED,
        duration_s=flight.duration_s,
        sentence=_sentence(scenario, flight, near, usable, outcome, config) + _source(flight),
    )


def _by_findings(
    flight: Flight, near: Separation | None, usable: bool, config: OracleConfig, findings: tuple[Finding, ...]
) -> Verdict:
    """The verdict where the caller says what must hold."""
    least = worst(findings)
    return Verdict(
        outcome=_outcome_of(flight, near, usable, config, findings),
        ending=flight.ending,
        min_distance_3d_m=near.exact.distance_m if near else None,
        min_distance_horizontal_m=near.horizontal.distance_m if near else None,
        min_distance_aerialist_m=near.aerialist.distance_m if near else None,
        moment_s=least.moment_s if least else None,
        obstacle_index=least.obstacle_index if least else None,
        completed=flight.ending is Ending.GOAL_REACHED,
        duration_s=flight.duration_s,
        sentence=_sentence_of(flight, findings) + _source(flight),
        findings=findings,
    )


def _outcome_of(
    flight: Flight, near: Separation | None, usable: bool, config: OracleConfig, findings: tuple[Finding, ...]
) -> Outcome:
    if not usable or flight.ending.is_trouble_of_planner or not any(finding.is_known for finding in findings):
        return Outcome.INCONCLUSIVE
    if any(finding.violated for finding in findings):
        touched = near is not None and near.by(config.measure).distance_m < config.collision_distance_m
        return Outcome.HARD_FAIL if touched or flight.ending is Ending.COLLISION else Outcome.SOFT_FAIL
    return Outcome.PASS if flight.ending is Ending.GOAL_REACHED else Outcome.INCOMPLETE


def _sentence_of(flight: Flight, findings: tuple[Finding, ...]) -> str:
    end = f"The flight {_ENDING_TEXT[flight.ending]} after {flight.duration_s:.1f} s."
    violated = [finding for finding in findings if finding.violated]
    if violated:
        said = " ".join(f"Violates {finding.name}: {finding.sentence}".rstrip(": ") for finding in violated)
        return f"{said} {end}"
    least = worst(findings)
    count = "The requirement holds." if len(findings) == 1 else f"All {len(findings)} requirements hold."
    if not all(finding.is_known for finding in findings):
        unknown = ", ".join(finding.name for finding in findings if not finding.is_known)
        count = f"Nothing is violated, but the flight does not tell about {unknown}."
    closest = f" Closest to its limit: {least.name}, {least.margin:.3g} {least.unit} left." if least else ""
    return f"{count}{closest} {end}"


def limits_of(scenario: Scenario) -> OracleConfig:
    """The competition's limits; for an instance of a logical scenario its own safety distance, in 3-D."""
    if scenario.logical is None:
        return OracleConfig()
    safe_m = scenario.logical.safety_distance_m
    default = OracleConfig().collision_distance_m
    return OracleConfig(measure="3d", safe_distance_m=safe_m, collision_distance_m=min(default, safe_m))


class SeparationOracle:
    """The drone keeps the safe distance from every obstacle and completes its mission."""

    name = "separation"
    config_type = OracleConfig

    def __init__(self, config: OracleConfig | None = None) -> None:
        self.config = config

    def judge(self, scenario: Scenario, flight: Flight) -> Verdict:
        """Was this flight safe?"""
        return judge(scenario, flight, self.config)


class RequirementsOracle:
    """Every requirement of a list is kept."""

    name = "requirements"
    config_type = OracleConfig

    def __init__(self, requirements: Sequence[Requirement], config: OracleConfig | None = None) -> None:
        self.requirements = tuple(requirements)
        self.config = config

    def judge(self, scenario: Scenario, flight: Flight) -> Verdict:
        """Was every one kept?"""
        return judge(scenario, flight, self.config, self.requirements)


def _source(flight: Flight) -> str:
    """Truth or estimate, where a backend tells: an estimate may be decimetres off."""
    source = flight.details.get(JUDGED_ON)
    return f" Judged on {source}." if source else ""


def _outcome(flight: Flight, near: Separation | None, usable: bool, config: OracleConfig) -> Outcome:
    distance_m = near.by(config.measure).distance_m if near else None
    if flight.ending.is_trouble_of_planner:
        return Outcome.INCONCLUSIVE
    if flight.ending is Ending.COLLISION:
        return Outcome.HARD_FAIL
    if distance_m is not None and (distance_m < config.collision_distance_m or distance_m == 0.0):
        return Outcome.HARD_FAIL
    if distance_m is not None and distance_m < config.safe_distance_m:
        return Outcome.SOFT_FAIL
    if not usable:
        return Outcome.INCONCLUSIVE
    return Outcome.PASS if flight.ending is Ending.GOAL_REACHED else Outcome.INCOMPLETE


def _sentence(
    scenario: Scenario,
    flight: Flight,
    near: Separation | None,
    usable: bool,
    outcome: Outcome,
    config: OracleConfig,
) -> str:
    end = f"The flight {_ENDING_TEXT[flight.ending]} after {flight.duration_s:.1f} s."
    if not usable:
        return f"No usable trajectory. {end}"
    if near is None:
        return f"There is no obstacle. {end}"
    approach = near.by(config.measure)
    what = obstacle_name(scenario, approach.obstacle_index)
    where = f"{approach.distance_m:.2f} m from {what} after {approach.moment_s:.1f} s"
    safe = f"{config.safe_distance_m:g} m safety distance"
    if outcome is Outcome.HARD_FAIL and flight.ending is Ending.COLLISION:
        if near.exact.distance_m < config.collision_distance_m:
            hit = obstacle_name(scenario, near.exact.obstacle_index)
            return f"Collided with {hit} after {near.exact.moment_s:.1f} s."
        if approach.distance_m > config.collision_distance_m:
            return f"Collided: {flight.reason}, {flight.duration_s:.1f} s into the flight."
        return f"Collided with {what} after {approach.moment_s:.1f} s."
    if outcome is Outcome.HARD_FAIL:
        return f"Came within {where}, which counts as a collision (below {config.collision_distance_m:g} m). {end}"
    if outcome is Outcome.SOFT_FAIL:
        return f"Passed {what} at {approach.distance_m:.2f} m after {approach.moment_s:.1f} s, inside the {safe}. {end}"
    if outcome is Outcome.PASS:
        return f"Stayed outside the {safe}: closest {where}. {end}"
    return f"{end} Closest approach so far: {where}."
