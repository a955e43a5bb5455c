"""Flight and verdict to messages and back."""

from __future__ import annotations

import array
import json
import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from uav_testgen_msgs.msg import Finding as FindingMsg
from uav_testgen_msgs.msg import Flight as FlightMsg
from uav_testgen_msgs.msg import Verdict as VerdictMsg

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import InvalidScenario
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.oracle.finding import Finding
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.ros.convert.parts import choice, header, named

OUTCOMES: Final = {
    Outcome.PASS: VerdictMsg.PASS,
    Outcome.SOFT_FAIL: VerdictMsg.SOFT_FAIL,
    Outcome.HARD_FAIL: VerdictMsg.HARD_FAIL,
    Outcome.INCONCLUSIVE: VerdictMsg.INCONCLUSIVE,
    Outcome.INCOMPLETE: VerdictMsg.INCOMPLETE,
}


def flight_to_msg(flight: Flight) -> FlightMsg:
    """Flight to message. Clouds and planner traces stay behind: they travel on their own topics."""
    trajectory = flight.trajectory
    return FlightMsg(
        scenario_id=flight.scenario_id,
        backend=flight.backend,
        system=flight.system,
        seed=flight.seed,
        ending=flight.ending.value,
        reason=flight.reason,
        time=_doubles(trajectory.t_s),
        position=_doubles(trajectory.position_enu_m),
        velocity=_doubles(trajectory.velocity_enu_mps),
        yaw=_doubles(trajectory.yaw_rad),
        roll=_doubles(trajectory.roll_rad),
        pitch=_doubles(trajectory.pitch_rad),
        details=json.dumps(flight.details),
    )


def flight_from_msg(message: FlightMsg) -> Flight:
    """Message to flight."""
    try:
        trajectory = Trajectory(
            t_s=np.array(message.time),
            position_enu_m=np.array(message.position).reshape(-1, 3),
            velocity_enu_mps=np.array(message.velocity).reshape(-1, 3),
            yaw_rad=np.array(message.yaw),
            roll_rad=_or_unknown(message.roll, message.time),
            pitch_rad=_or_unknown(message.pitch, message.time),
        )
        details = json.loads(message.details or "{}")
    except ValueError as error:
        raise InvalidScenario(f"Flight message: {error}") from None
    return Flight(
        scenario_id=message.scenario_id,
        backend=message.backend,
        system=message.system,
        seed=message.seed,
        ending=named(Ending, message.ending, "ending"),
        reason=message.reason,
        trajectory=trajectory,
        details=details,
    )


def _or_unknown(values: Sequence[float], times: Sequence[float]) -> FloatArray:
    """Whoever leaves the angles out does not know them."""
    return np.array(values) if len(values) else np.full(len(times), np.nan)


def _doubles(values: FloatArray) -> array.array[float]:
    """Message array of a NumPy array; assigning the NumPy array itself checks every element, slowly."""
    return array.array("d", np.ascontiguousarray(values, dtype=np.float64).tobytes())


def verdict_to_msg(verdict: Verdict, scenario_id: str = "") -> VerdictMsg:
    """Verdict to message, stamped with the end of the flight."""
    return VerdictMsg(
        header=header(verdict.duration_s),
        scenario_id=scenario_id,
        outcome=OUTCOMES[verdict.outcome],
        ending=verdict.ending.value,
        min_distance=_or_nan(verdict.min_distance_3d_m),
        min_distance_horizontal=_or_nan(verdict.min_distance_horizontal_m),
        min_distance_aerialist=_or_nan(verdict.min_distance_aerialist_m),
        moment=_or_nan(verdict.moment_s),
        obstacle_index=-1 if verdict.obstacle_index is None else verdict.obstacle_index,
        completed=verdict.completed,
        duration=verdict.duration_s,
        sentence=verdict.sentence,
        findings=[_finding_to_msg(finding) for finding in verdict.findings],
    )


def verdict_from_msg(message: VerdictMsg) -> Verdict:
    """Message to verdict."""
    return Verdict(
        outcome=choice(OUTCOMES, message.outcome, "outcome"),
        ending=named(Ending, message.ending, "ending"),
        min_distance_3d_m=_or_none(message.min_distance),
        min_distance_horizontal_m=_or_none(message.min_distance_horizontal),
        min_distance_aerialist_m=_or_none(message.min_distance_aerialist),
        moment_s=_or_none(message.moment),
        obstacle_index=None if message.obstacle_index < 0 else message.obstacle_index,
        completed=message.completed,
        duration_s=message.duration,
        sentence=message.sentence,
        findings=tuple(_finding_from_msg(finding) for finding in message.findings),
    )


def _finding_to_msg(finding: Finding) -> FindingMsg:
    state = FindingMsg.VIOLATED if finding.violated else FindingMsg.HOLDS
    return FindingMsg(
        name=finding.name,
        state=state if finding.is_known else FindingMsg.UNKNOWN,
        margin=_or_nan(finding.margin),
        unit=finding.unit,
        moment=_or_nan(finding.moment_s),
        obstacle_index=-1 if finding.obstacle_index is None else finding.obstacle_index,
        by_aerialist=finding.by_aerialist,
        sentence=finding.sentence,
    )


def _finding_from_msg(message: FindingMsg) -> Finding:
    margin = _or_none(message.margin)
    holds = {FindingMsg.HOLDS: True, FindingMsg.VIOLATED: False}.get(message.state)
    return Finding(
        name=message.name,
        margin=margin,
        unit=message.unit,
        moment_s=_or_none(message.moment),
        sentence=message.sentence,
        obstacle_index=None if message.obstacle_index < 0 else message.obstacle_index,
        by_aerialist=message.by_aerialist,
        holds=None if margin is not None else holds,
    )


def _or_nan(number: float | None) -> float:
    return math.nan if number is None else float(number)


def _or_none(number: float) -> float | None:
    return None if math.isnan(number) else number
